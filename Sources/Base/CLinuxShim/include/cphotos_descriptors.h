// Sending descriptors over a socket, sealed memory, and starting a process with nothing inherited:
// macros in C, or functions that glibc hides.
#ifndef CPHOTOS_DESCRIPTORS_H
#define CPHOTOS_DESCRIPTORS_H

#include <stddef.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// The seals that pixels must carry: no growing, no shrinking, no writing, no more seals.
int cphotos_all_seals(void);

/// Anonymous memory of `size` bytes that can be sealed. The descriptor, or -1 with errno.
int cphotos_memory_file(const char *name, size_t size);

/// Adds all seals to `memory`; no writable mapping may be left. 0, or -1 with errno.
int cphotos_seal(int memory);

/// Makes `memory` keep its size, or with `mayShrink` not exceed it; it can still be written. 0, or -1
/// with errno.
int cphotos_seal_size(int memory, int mayShrink);

/// The seals that `memory` carries, or -1 with errno when it is no sealable memory.
int cphotos_seals(int memory);

/// A connected pair of stream sockets, both close-on-exec. 0, or -1 with errno.
int cphotos_socket_pair(int *first, int *second);

/// Sends bytes, and `descriptor` beside the first of them unless it is negative. Never raises
/// SIGPIPE. How many bytes went, or -1 with errno.
ssize_t cphotos_send(int socket, const void *bytes, size_t length, int descriptor);

/// Receives up to `length` bytes; waits only when `waits`. A descriptor that came beside them is
/// stored in `descriptor` (close-on-exec; -1 for none); it then belongs to the caller, and any more
/// than one are closed. How many bytes came, 0 at the end, or -1 with errno.
ssize_t cphotos_receive(int socket, void *bytes, size_t length, int waits, int *descriptor);

/// Starts a program with `socket` as its standard input, its output and errors going nowhere, and
/// no other descriptor, in a process group of its own, with default signals. 0, or an errno.
int cphotos_spawn(
    const char *path,
    char *const _Nullable *_Nonnull arguments,
    char *const _Nullable *_Nonnull environment,
    int socket,
    pid_t *process
);

/// Gives pages of the heap that nobody uses back to the system (malloc_trim(3), which Swift does not see).
void cphotos_trim_heap(void);

/// Has blocks of 64 KiB and more go back to the system when they are freed, and the heap in two parts at
/// most, so that it stays as small as what is in use (mallopt(3), which Swift does not see).
void cphotos_keep_heap_small(void);

#pragma clang assume_nonnull end

#endif
