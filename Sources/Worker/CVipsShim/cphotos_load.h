// Shared by rendering and recipes; not for Swift.
#ifndef CPHOTOS_LOAD_H
#define CPHOTOS_LOAD_H

#include <vips/vips.h>

#include "cphotos_vips_render.h"

// Opens a source; returns null on failure.
VipsImage *cphotos_load(const cphotos_source *source, int shrink, double scale);

// Rotates a randomly accessible image by its EXIF orientation, and takes ownership of it; returns
// null on failure.
VipsImage *cphotos_turn(VipsImage *image, int orientation);

#endif
