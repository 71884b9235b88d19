// Reading a C argument list, whose layout differs between processors and is a secret of the compiler.
#ifndef PH_ARGUMENTS_H
#define PH_ARGUMENTS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum {
    PH_ARGUMENT_INT32 = 0,
    PH_ARGUMENT_INT64 = 1,
    PH_ARGUMENT_REAL = 2,
    PH_ARGUMENT_POINTER = 3,
};

/// Reads `count` arguments of the given kinds from `list` into `words`: integers sign-extended, reals
/// as their bits, pointers as numbers.
void ph_read_arguments(
    va_list list, const uint8_t *kinds, size_t count, uint64_t *words);

#pragma clang assume_nonnull end

#endif
