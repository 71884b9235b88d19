#ifndef CLINUXSHIM_H
#define CLINUXSHIM_H

#include "cphotos_arguments.h"
#include "cphotos_files.h"
#include "cphotos_rename.h"
#include "cphotos_descriptors.h"
#include "cphotos_mounts.h"
#include "cphotos_peers.h"
#include "cphotos_sockets.h"
#include "cphotos_sqlite.h"
#include "cphotos_volumes.h"

#endif
