// The operations of recipes for pictures. They are in C because all of libvips' calls are variadic.
#ifndef CPHOTOS_RECIPE_H
#define CPHOTOS_RECIPE_H

#include <stddef.h>
#include <stdint.h>

#include "cphotos_points.h"
#include "cphotos_vips_render.h"

#pragma clang assume_nonnull begin

/// A picture that is computed when its pixels are requested.
///
/// Every call that derives another picture from it takes ownership of it, even if the call fails
/// and returns null.
typedef struct cphotos_image cphotos_image;

typedef struct {
    /// `sampleSize` is 1, 2, or 4 for floats; alpha is the last band.
    int width, height, bands, sampleSize, hasAlpha;
} cphotos_image_facts;

/// Copies the reason that the last call returned null.
void cphotos_image_error(char *error, size_t length);

/// Sets the number of threads that compute one picture.
void cphotos_image_set_threads(int threads);

/// Loads the picture of a source. Its colors are as stored if they are RGB or gray and `converts`
/// is not set. Otherwise they are converted to sRGB, and `*isConverted` is set.
cphotos_image *_Nullable cphotos_image_load(const cphotos_source *source, int converts, int *isConverted);

cphotos_image_facts cphotos_image_inspect(cphotos_image *image);

/// Returns the color profile of a loaded picture; it is valid as long as the picture.
const void *_Nullable cphotos_image_profile(cphotos_image *image, size_t *length);

cphotos_image *cphotos_image_retain(cphotos_image *image);

void cphotos_image_release(cphotos_image *image);

/// Computes all pixels in memory, so that they can be read in any order.
cphotos_image *_Nullable cphotos_image_in_memory(cphotos_image *image);

cphotos_image *_Nullable cphotos_image_crop(cphotos_image *image, int left, int top, int width, int height);

/// Embeds a picture in a larger one, in which the other pixels are transparent or repeat the colors
/// of the picture's edge.
cphotos_image *_Nullable cphotos_image_embed(
    cphotos_image *image, int left, int top, int width, int height, int extendsEdge
);

/// Rotates a picture according to an EXIF orientation; the picture must be randomly accessible.
cphotos_image *_Nullable cphotos_image_turn(cphotos_image *image, int orientation);

/// Runs a program on each pixel of a picture; the program and its data are copied.
cphotos_image *_Nullable cphotos_image_run(cphotos_image *image, const cphotos_program *program, size_t decodingLength);

/// Resizes a picture of floats with a Lanczos filter.
cphotos_image *_Nullable cphotos_image_resize(cphotos_image *image, int width, int height);

/// Applies an affine transform to floats. The output has `width` x `height` pixels from `left`,
/// `top` in the output's coordinates; y points down in both coordinate systems.
cphotos_image *_Nullable cphotos_image_affine(
    cphotos_image *image, const double *matrix, int left, int top, int width, int height
);

/// Applies a Gaussian blur to floats; the colors of the edge extend beyond it.
cphotos_image *_Nullable cphotos_image_blur(cphotos_image *image, double sigma);

/// Joins the bands of two pictures of the same size; takes ownership of both.
cphotos_image *_Nullable cphotos_image_join(cphotos_image *image, cphotos_image *other);

/// Creates a picture with one color, in floats; 3 bands, or 4 with alpha.
cphotos_image *_Nullable cphotos_image_constant(int width, int height, const double *color, int bands);

/// Returns nonzero to stop; called from one thread at a time.
typedef int (*cphotos_is_cancelled)(void *_Nullable context);

/// Receives rows from the top, in the picture's full width. Nonzero stops.
typedef int (*cphotos_take_strip)(void *_Nullable context, const void *rows, size_t length);

/// Computes all pixels and delivers them. Returns 0; -1 if they cannot be computed; 1 if `take`
/// stopped it.
int cphotos_image_deliver(cphotos_image *image, cphotos_take_strip take, void *_Nullable context);

/// Computes a picture and encodes it as a file, with its profile if any: JPEG for a quality of
/// 1...100, PNG for 0. `take` receives the file's bytes in order, while later ones are computed.
/// Returns 0; -1 on failure; 1 if it was canceled or `take` stopped it.
int cphotos_image_encode(
    cphotos_image *image,
    int quality,
    const void *_Nullable profile,
    size_t profileLength,
    cphotos_is_cancelled isCancelled,
    cphotos_take_strip take,
    void *_Nullable context
);

#pragma clang assume_nonnull end

#endif
