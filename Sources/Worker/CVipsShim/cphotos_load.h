// What rendering and recipes share; not for Swift.
#ifndef CPHOTOS_LOAD_H
#define CPHOTOS_LOAD_H

#include <vips/vips.h>

#include "cphotos_vips_render.h"

// Opens a source; null when that fails.
VipsImage *cphotos_load(const cphotos_source *source, int shrink, double scale);

// Takes an image that can be read in any order over and gives it turned as EXIF's number says; null when that
// fails.
VipsImage *cphotos_turn(VipsImage *image, int orientation);

#endif
