// Unix sockets with a path, and wake-ups. Swift sees the path of an address as a tuple, and glibc
// declares some of these calls only for GNU sources.
#ifndef CPHOTOS_SOCKETS_H
#define CPHOTOS_SOCKETS_H

#include <stddef.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Connects a stream socket, which is close-on-exec, to `path`. Fails with EAGAIN after
/// `milliseconds` in which the other side accepted too few connections. Returns the socket, or -1
/// with errno: ENAMETOOLONG if the path does not fit into an address.
int cphotos_connect(const char *path, int milliseconds);

/// Creates a listening stream socket, which is close-on-exec and never blocks, at `path` with the
/// permissions `mode`. No other program can connect before they are set. Returns the socket, or -1
/// with errno: EADDRINUSE if the path exists.
int cphotos_listen(const char *path, mode_t mode);

/// Accepts a connection, which is close-on-exec. Returns the socket, or -1 with errno.
int cphotos_accept(int listener);

/// Returns 1 if `socket` is a listening Unix stream socket, otherwise 0.
int cphotos_is_listening(int socket);

/// The event of poll(2) that the other side of a socket sends no more (POLLRDHUP).
short cphotos_closed_event(void);

/// Sends a datagram to `path`, in which a first `@` denotes an abstract address, without waiting.
/// Returns 0, or -1 with errno.
int cphotos_send_datagram(const char *path, const void *bytes, size_t length);

/// Returns a counter that poll(2) waits for (eventfd(2)), which is close-on-exec and never blocks,
/// or -1 with errno.
int cphotos_event(void);

/// Sets the name of the calling thread, of which the kernel keeps 15 bytes.
void cphotos_name_thread(const char *name);

/// fork(2), which Swift does not see. For tests of what a forked process must not do.
pid_t cphotos_fork(void);

#pragma clang assume_nonnull end

#endif
