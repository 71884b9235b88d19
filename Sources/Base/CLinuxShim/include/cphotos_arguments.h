// Reads a C argument list, whose layout differs between processors and is private to the compiler.
#ifndef CPHOTOS_ARGUMENTS_H
#define CPHOTOS_ARGUMENTS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum {
    CPHOTOS_ARGUMENT_INT32 = 0,
    CPHOTOS_ARGUMENT_INT64 = 1,
    CPHOTOS_ARGUMENT_REAL = 2,
    CPHOTOS_ARGUMENT_POINTER = 3,
};

/// Reads `count` arguments of the given kinds from `list` into `words`: integers sign-extended,
/// reals as their bits, pointers as numbers.
void cphotos_read_arguments(
    va_list list, const uint8_t *kinds, size_t count, uint64_t *words);

#pragma clang assume_nonnull end

#endif
