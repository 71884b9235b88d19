// Parts of which recipes for pictures are put together. Here since all of libvips' calls take variable
// arguments.
#ifndef PH_RECIPE_H
#define PH_RECIPE_H

#include <stddef.h>
#include <stdint.h>

#include "ph_points.h"
#include "ph_vips_render.h"

#pragma clang assume_nonnull begin

/// A picture that is computed when its pixels are asked for.
///
/// Every call that makes another one of it takes it over, also when it fails and gives null.
typedef struct ph_image ph_image;

typedef struct {
    /// `sampleSize` is 1, 2, or 4 for floats; alpha is the last band.
    int width, height, bands, sampleSize, hasAlpha;
} ph_image_facts;

/// Why the last call gave null.
void ph_image_error(char *error, size_t length);

/// How many threads compute one picture.
void ph_image_set_threads(int threads);

/// The picture of a source: in the colours in which it is stored, if those are red, green and blue or grey
/// and it is not to be converted; else in sRGB, which `*isConverted` says.
ph_image *_Nullable ph_image_load(const ph_source *source, int converts, int *isConverted);

ph_image_facts ph_image_look(ph_image *image);

/// The colour profile of a loaded picture; lives as long as it.
const void *_Nullable ph_image_profile(ph_image *image, size_t *length);

ph_image *ph_image_retain(ph_image *image);

void ph_image_release(ph_image *image);

/// All its pixels in memory, so that they can be read in any order.
ph_image *_Nullable ph_image_in_memory(ph_image *image);

ph_image *_Nullable ph_image_crop(ph_image *image, int left, int top, int width, int height);

/// Lays it in a larger one, beside which there is nothing, or the colours of its edge.
ph_image *_Nullable ph_image_embed(
    ph_image *image, int left, int top, int width, int height, int extendsEdge
);

/// Turned as EXIF's number says; only of what can be read in any order.
ph_image *_Nullable ph_image_turn(ph_image *image, int orientation);

/// Runs a program over it; the program and what it refers to are copied.
ph_image *_Nullable ph_image_run(ph_image *image, const ph_program *program, size_t decodingLength);

/// Another size, with a Lanczos filter; floats.
ph_image *_Nullable ph_image_resize(ph_image *image, int width, int height);

/// Transforms floats: the output's pixels are those of `width` x `height` from `left`, `top` in the output's
/// coordinates, both with y downwards.
ph_image *_Nullable ph_image_affine(
    ph_image *image, const double *matrix, int left, int top, int width, int height
);

/// A Gaussian blur of floats; beyond its edges the colours of the edge go on.
ph_image *_Nullable ph_image_blur(ph_image *image, double sigma);

/// The bands of both, which have the same size; takes both over.
ph_image *_Nullable ph_image_join(ph_image *image, ph_image *other);

/// One colour of floats; 3 bands, or 4 with alpha.
ph_image *_Nullable ph_image_constant(int width, int height, const double *color, int bands);

/// Whether to stop; called from one thread at a time.
typedef int (*ph_is_cancelled)(void *_Nullable context);

/// Takes rows from the top, all of a picture's width. Not 0 stops.
typedef int (*ph_take_strip)(void *_Nullable context, const void *rows, size_t length);

/// Computes all pixels and hands them out. 0; -1 when they can't be computed; 1 when `take` stopped it.
int ph_image_deliver(ph_image *image, ph_take_strip take, void *_Nullable context);

/// Computes it and writes it as a file, with a profile where there is one: JPEG for a quality of 1...100,
/// PNG for 0. The result is released by `ph_encoded_release`. 0; -1 when that fails; 1 when it was
/// cancelled.
int ph_image_encode(
    ph_image *image,
    int quality,
    const void *_Nullable profile,
    size_t profileLength,
    ph_is_cancelled isCancelled,
    void *_Nullable context,
    void *_Nullable *_Nonnull bytes,
    size_t *length
);

#pragma clang assume_nonnull end

#endif
