// Parts of which recipes for pictures are put together. Here since all of libvips' calls take variable
// arguments.
#ifndef CPHOTOS_RECIPE_H
#define CPHOTOS_RECIPE_H

#include <stddef.h>
#include <stdint.h>

#include "cphotos_points.h"
#include "cphotos_vips_render.h"

#pragma clang assume_nonnull begin

/// A picture that is computed when its pixels are asked for.
///
/// Every call that makes another one of it takes it over, also when it fails and gives null.
typedef struct cphotos_image cphotos_image;

typedef struct {
    /// `sampleSize` is 1, 2, or 4 for floats; alpha is the last band.
    int width, height, bands, sampleSize, hasAlpha;
} cphotos_image_facts;

/// Why the last call gave null.
void cphotos_image_error(char *error, size_t length);

/// How many threads compute one picture.
void cphotos_image_set_threads(int threads);

/// The picture of a source: in the colours in which it is stored, if those are red, green and blue or grey
/// and it is not to be converted; else in sRGB, which `*isConverted` says.
cphotos_image *_Nullable cphotos_image_load(const cphotos_source *source, int converts, int *isConverted);

cphotos_image_facts cphotos_image_inspect(cphotos_image *image);

/// The colour profile of a loaded picture; lives as long as it.
const void *_Nullable cphotos_image_profile(cphotos_image *image, size_t *length);

cphotos_image *cphotos_image_retain(cphotos_image *image);

void cphotos_image_release(cphotos_image *image);

/// All its pixels in memory, so that they can be read in any order.
cphotos_image *_Nullable cphotos_image_in_memory(cphotos_image *image);

cphotos_image *_Nullable cphotos_image_crop(cphotos_image *image, int left, int top, int width, int height);

/// Lays it in a larger one, beside which there is nothing, or the colours of its edge.
cphotos_image *_Nullable cphotos_image_embed(
    cphotos_image *image, int left, int top, int width, int height, int extendsEdge
);

/// Turned as EXIF's number says; only of what can be read in any order.
cphotos_image *_Nullable cphotos_image_turn(cphotos_image *image, int orientation);

/// Runs a program over it; the program and what it refers to are copied.
cphotos_image *_Nullable cphotos_image_run(cphotos_image *image, const cphotos_program *program, size_t decodingLength);

/// Another size, with a Lanczos filter; floats.
cphotos_image *_Nullable cphotos_image_resize(cphotos_image *image, int width, int height);

/// Transforms floats: the output's pixels are those of `width` x `height` from `left`, `top` in the output's
/// coordinates, both with y downwards.
cphotos_image *_Nullable cphotos_image_affine(
    cphotos_image *image, const double *matrix, int left, int top, int width, int height
);

/// A Gaussian blur of floats; beyond its edges the colours of the edge go on.
cphotos_image *_Nullable cphotos_image_blur(cphotos_image *image, double sigma);

/// The bands of both, which have the same size; takes both over.
cphotos_image *_Nullable cphotos_image_join(cphotos_image *image, cphotos_image *other);

/// One colour of floats; 3 bands, or 4 with alpha.
cphotos_image *_Nullable cphotos_image_constant(int width, int height, const double *color, int bands);

/// Whether to stop; called from one thread at a time.
typedef int (*cphotos_is_cancelled)(void *_Nullable context);

/// Takes rows from the top, all of a picture's width. Not 0 stops.
typedef int (*cphotos_take_strip)(void *_Nullable context, const void *rows, size_t length);

/// Computes all pixels and hands them out. 0; -1 when they can't be computed; 1 when `take` stopped it.
int cphotos_image_deliver(cphotos_image *image, cphotos_take_strip take, void *_Nullable context);

/// Computes it and writes it as a file, with a profile where there is one: JPEG for a quality of 1...100,
/// PNG for 0. The result is released by `cphotos_encoded_release`. 0; -1 when that fails; 1 when it was
/// cancelled.
int cphotos_image_encode(
    cphotos_image *image,
    int quality,
    const void *_Nullable profile,
    size_t profileLength,
    cphotos_is_cancelled isCancelled,
    void *_Nullable context,
    void *_Nullable *_Nonnull bytes,
    size_t *length
);

#pragma clang assume_nonnull end

#endif
