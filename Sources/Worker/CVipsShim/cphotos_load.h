// Shared by rendering and recipes; not for Swift.
#ifndef CPHOTOS_LOAD_H
#define CPHOTOS_LOAD_H

#include <vips/vips.h>

#include "cphotos_vips_render.h"

// Opens a source; returns null on failure.
VipsImage *cphotos_load(const cphotos_source *source, int shrink, double scale);

// Decodes a JPEG, reduced by 1, 2, 4 or 8, into memory; returns null if it is truncated, has
// other colors than YCbCr or gray, or is very large. `cphotos_load` knows what to do with these.
VipsImage *cphotos_load_jpeg(const cphotos_source *source, int shrink);

// Crops pixels and scales them down as a plan specifies; returns null if the source has no pixels,
// or if that would be no reduction.
VipsImage *cphotos_shrink_pixels(const cphotos_source *source, const cphotos_plan *plan);

// Crops an image in memory that is `factor` times smaller than its source, and scales it down as
// the plan specifies. Returns 0, and leaves the image as it is, if that would be no reduction.
int cphotos_reduce(VipsImage **image, const cphotos_plan *plan, int factor);

// Rotates a randomly accessible image by its EXIF orientation, and takes ownership of it; returns
// null on failure.
VipsImage *cphotos_turn(VipsImage *image, int orientation);

#endif
