#ifndef CLINUXSHIM_H
#define CLINUXSHIM_H

#include "ph_arguments.h"
#include "ph_files.h"
#include "ph_rename.h"
#include "ph_descriptors.h"
#include "ph_volumes.h"

#endif
