// Sends descriptors over a socket, seals memory and starts processes that inherit nothing. Swift
// cannot call these: they are macros in C, or functions that glibc hides.
#ifndef CPHOTOS_DESCRIPTORS_H
#define CPHOTOS_DESCRIPTORS_H

#include <stddef.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// The seals that memory with pixels must have: no growing, shrinking, writing or further seals.
int cphotos_all_seals(void);

/// Creates anonymous memory of `size` bytes that can be sealed. Returns the descriptor, or -1 with
/// errno.
int cphotos_memory_file(const char *name, size_t size);

/// Adds all seals to `memory`, which must have no writable mapping. Returns 0, or -1 with errno.
int cphotos_seal(int memory);

/// Prevents `memory` from changing size, or from growing if `mayShrink` is set; it remains
/// writable. Returns 0, or -1 with errno.
int cphotos_seal_size(int memory, int mayShrink);

/// Returns the seals of `memory`, or -1 with errno if it is not sealable memory.
int cphotos_seals(int memory);

/// Creates a connected pair of stream sockets, both close-on-exec. Returns 0, or -1 with errno.
int cphotos_socket_pair(int *first, int *second);

/// Sends bytes, with `descriptor` attached to the first of them unless it is negative. Never raises
/// SIGPIPE. Returns the number of bytes sent, or -1 with errno.
ssize_t cphotos_send(int socket, const void *bytes, size_t length, int descriptor);

/// Receives up to `length` bytes, and blocks only if `waits` is set. Stores a received descriptor
/// in `descriptor` (close-on-exec; -1 if there is none); the caller then owns it. Further
/// descriptors are closed. Returns the number of bytes received, 0 at the end, or -1 with errno.
ssize_t cphotos_receive(int socket, void *bytes, size_t length, int waits, int *descriptor);

/// Sends bytes, with `count` descriptors (at most 253) attached to the first of them. Never blocks
/// and never raises SIGPIPE. Returns the number of bytes sent, or -1 with errno: EAGAIN if there is
/// no room.
ssize_t cphotos_send_many(
    int socket,
    const void *bytes,
    size_t length,
    const int *_Nullable descriptors,
    size_t count
);

/// Receives up to `length` bytes without blocking. Stores the received descriptors (close-on-exec),
/// which the caller then owns, and their number. If there are more than `capacity`, or if the
/// kernel dropped some, all of them are closed and `count` is `capacity` + 1. Stores the process
/// that sent the bytes in `sender`, or 0 if the kernel attached none. Returns the number of bytes
/// received, 0 at the end, or -1 with errno.
ssize_t cphotos_receive_many(
    int socket,
    void *bytes,
    size_t length,
    int *descriptors,
    size_t capacity,
    size_t *count,
    pid_t *sender
);

/// Starts a program with `input` and `output` as its standard input and output, its errors
/// discarded, no other descriptor, a process group of its own and default signals. The output is
/// discarded if `output` is -1. Returns 0, or an errno.
int cphotos_spawn(
    const char *path,
    char *const _Nullable *_Nonnull arguments,
    char *const _Nullable *_Nonnull environment,
    int input,
    int output,
    pid_t *process
);

/// Returns unused pages of the heap to the system (malloc_trim(3), which Swift does not see).
void cphotos_trim_heap(void);

/// Limits the heap to two arenas, and returns blocks of 64 KiB and more to the system when they are
/// freed, so that the heap is not much larger than the memory in use (mallopt(3), which Swift does
/// not see).
void cphotos_keep_heap_small(void);

/// Keeps freed blocks of up to 8 MiB in the heap, for work that needs such blocks again and again,
/// until `cphotos_keep_heap_small()` and `cphotos_trim_heap()`.
void cphotos_keep_large_blocks(void);

#pragma clang assume_nonnull end

#endif
