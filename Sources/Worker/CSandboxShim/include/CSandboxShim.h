// Landlock has no C library, libseccomp takes variable arguments, prctl and limits are macros.
#ifndef CPHOTOS_SANDBOX_H
#define CPHOTOS_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// How many threads this process has, or -1.
int cphotos_thread_count(void);

/// Bytes of address space in use, or -1.
int64_t cphotos_address_space(void);

/// Bytes of address space that this process may have at most; UINT64_MAX without a limit.
uint64_t cphotos_address_space_limit(void);

/// Gives up privileges that a program could win, core dumps and being traced. 0, or -1 with errno.
int cphotos_drop_privileges(void);

/// Denies every file system right, TCP, abstract sockets and signals to outside, as far as the
/// kernel's Landlock knows them. Landlock's ABI, or 0 when the kernel has none or refuses.
int cphotos_confine_files(void);

/// Allows the system calls of pure computation and of the open descriptors; any other fails with
/// EPERM. 0, or an errno.
int cphotos_confine_calls(void);

/// Limits descriptors, core files, files in memory to `fileLength`, and address space to `bytes`
/// (0: not). 0, or -1 with errno.
int cphotos_limit_resources(uint64_t bytes, uint64_t descriptors, uint64_t fileLength);

/// Lets this process use `seconds` of processor time from now on. 0, or -1 with errno.
int cphotos_limit_processor_time(uint64_t seconds);

/// Ends this process when the other side of `socket` goes away, also during a long computation. 0,
/// or an errno.
int cphotos_exit_with_peer(int socket);

/// Tries what must be forbidden. Writes the names of what was possible, apart by spaces.
void cphotos_try_forbidden(char *possible, size_t length);

#pragma clang assume_nonnull end

#endif
