#include "CBenchmarkPeers.h"

#include <math.h>
#include <stdlib.h>
#include <turbojpeg.h>

enum { bits = 14 };

/// The source pixels of one result pixel in one direction.
typedef struct {
  int start, count;
  int32_t *weights;
} window;

struct cphotos_peer_decoder {
  tjhandle handle;
  uint8_t *decoded, *narrowed, *scaled;
  size_t decodedSize, narrowedSize, scaledSize;
};

cphotos_peer_decoder *cphotos_peer_decoder_open(void) {
  cphotos_peer_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->handle = tjInitDecompress();
  if (decoder->handle) return decoder;
  free(decoder);
  return NULL;
}

void cphotos_peer_decoder_close(cphotos_peer_decoder *decoder) {
  tjDestroy(decoder->handle);
  free(decoder->decoded);
  free(decoder->narrowed);
  free(decoder->scaled);
  free(decoder);
}

static int reserve(uint8_t **memory, size_t *size, size_t wanted) {
  if (*size >= wanted) return 1;
  uint8_t *more = realloc(*memory, wanted);
  if (!more) return 0;
  *memory = more;
  *size = wanted;
  return 1;
}

static void release(window *windows, int count) {
  if (!windows) return;
  for (int i = 0; i < count; i++) free(windows[i].weights);
  free(windows);
}

/// The Catmull-Rom cubic.
static double cubic(double x) {
  x = fabs(x);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

static uint8_t byte(int32_t sum) {
  sum >>= bits;
  return (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

static window *windows(int source, int target) {
  window *all = calloc((size_t)target, sizeof *all);
  if (!all) return NULL;
  double step = (double)source / target, scale = fmax(1, step), reach = 2 * scale;
  for (int i = 0; i < target; i++) {
    double center = (i + 0.5) * step, sum = 0;
    int first = (int)fmax(0, floor(center - reach));
    int last = (int)fmin(source - 1, ceil(center + reach));
    int count = last - first + 1;
    int32_t *weights = malloc(sizeof *weights * (size_t)count);
    if (!weights) {
      release(all, target);
      return NULL;
    }
    for (int j = 0; j < count; j++) sum += cubic((first + j + 0.5 - center) / scale);
    for (int j = 0; j < count; j++) {
      double weight = cubic((first + j + 0.5 - center) / scale);
      weights[j] = (int32_t)lround(weight / sum * (1 << bits));
    }
    all[i] = (window){first, count, weights};
  }
  return all;
}

static int scale(cphotos_peer_decoder *decoder, int fromWidth, int fromHeight, int width, int height) {
  size_t line = (size_t)width * 4;
  if (!reserve(&decoder->narrowed, &decoder->narrowedSize, line * (size_t)fromHeight) ||
      !reserve(&decoder->scaled, &decoder->scaledSize, line * (size_t)height)) {
    return 0;
  }
  window *columns = windows(fromWidth, width), *rows = windows(fromHeight, height);
  if (columns && rows) {
    for (int y = 0; y < fromHeight; y++) {
      const uint8_t *from = decoder->decoded + (size_t)y * (size_t)fromWidth * 4;
      uint8_t *to = decoder->narrowed + (size_t)y * line;
      for (int x = 0; x < width; x++) {
        const uint8_t *pixel = from + columns[x].start * 4;
        int32_t red = 1 << (bits - 1), green = red, blue = red;
        for (int i = 0; i < columns[x].count; i++, pixel += 4) {
          int32_t weight = columns[x].weights[i];
          red += pixel[0] * weight;
          green += pixel[1] * weight;
          blue += pixel[2] * weight;
        }
        to[x * 4] = byte(red);
        to[x * 4 + 1] = byte(green);
        to[x * 4 + 2] = byte(blue);
      }
    }
    for (int y = 0; y < height; y++) {
      uint8_t *to = decoder->scaled + (size_t)y * line;
      for (int x = 0; x < width; x++) {
        const uint8_t *pixel = decoder->narrowed + (size_t)rows[y].start * line + x * 4;
        int32_t red = 1 << (bits - 1), green = red, blue = red;
        for (int i = 0; i < rows[y].count; i++, pixel += line) {
          int32_t weight = rows[y].weights[i];
          red += pixel[0] * weight;
          green += pixel[1] * weight;
          blue += pixel[2] * weight;
        }
        to[x * 4] = byte(red);
        to[x * 4 + 1] = byte(green);
        to[x * 4 + 2] = byte(blue);
        to[x * 4 + 3] = 255;
      }
    }
  }
  int isDone = columns && rows;
  release(columns, width);
  release(rows, height);
  return isDone;
}

int64_t cphotos_peer_decode(cphotos_peer_decoder *decoder, const void *jpeg, size_t length, int decodedWidth,
                       int decodedHeight, int width, int height) {
  size_t size = (size_t)decodedWidth * (size_t)decodedHeight * 4;
  if (!reserve(&decoder->decoded, &decoder->decodedSize, size)) return -1;
  if (tjDecompress2(decoder->handle, jpeg, length, decoder->decoded, decodedWidth, decodedWidth * 4,
                    decodedHeight, TJPF_RGBA, 0) != 0) {
    return -1;
  }
  const uint8_t *result = decoder->decoded;
  if (width != decodedWidth || height != decodedHeight) {
    if (!scale(decoder, decodedWidth, decodedHeight, width, height)) return -1;
    result = decoder->scaled;
  }
  int64_t sum = 0;
  size_t count = (size_t)width * (size_t)height * 4;
  for (size_t i = 0; i < count; i += 4096) sum += result[i];
  return sum;
}
