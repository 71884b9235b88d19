#ifndef CFUZZER_FUZZER_H
#define CFUZZER_FUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with its own options, as a program without a `main` of libFuzzer does.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*run)(const uint8_t *bytes, size_t length));

#endif
