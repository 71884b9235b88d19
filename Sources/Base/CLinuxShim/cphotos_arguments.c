#include "cphotos_arguments.h"

#include <string.h>

void cphotos_read_arguments(
    va_list list, const uint8_t *kinds, size_t count, uint64_t *words)
{
    // The caller's list remains unchanged, whether the processor passes it by value or by
    // reference.
    va_list copy;
    va_copy(copy, list);
    for (size_t index = 0; index < count; index++) {
        switch (kinds[index]) {
        case CPHOTOS_ARGUMENT_INT32:
            words[index] = (uint64_t)(int64_t)va_arg(copy, int);
            break;
        case CPHOTOS_ARGUMENT_REAL: {
            double real = va_arg(copy, double);
            memcpy(&words[index], &real, sizeof real);
            break;
        }
        case CPHOTOS_ARGUMENT_POINTER:
            words[index] = (uint64_t)(uintptr_t)va_arg(copy, void *);
            break;
        default:
            words[index] = (uint64_t)va_arg(copy, long long);
            break;
        }
    }
    va_end(copy);
}
