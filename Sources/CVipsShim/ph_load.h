// What rendering and recipes share; not for Swift.
#ifndef PH_LOAD_H
#define PH_LOAD_H

#include <vips/vips.h>

#include "ph_vips_render.h"

// Opens a source; null when that fails.
VipsImage *ph_load(const ph_source *source, int shrink, double scale);

// Takes an image that can be read in any order over and gives it turned as EXIF's number says; null when that
// fails.
VipsImage *ph_turn(VipsImage *image, int orientation);

#endif
