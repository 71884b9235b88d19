// Queries of the process at the other end of a Unix socket: socket options and system calls that
// glibc hides or does not know.
#ifndef CPHOTOS_PEERS_H
#define CPHOTOS_PEERS_H

#include <stddef.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Returns a descriptor of the process that connected `socket` (SO_PEERPIDFD, Linux 6.5), which is
/// close-on-exec, or -1 with errno: ENOPROTOOPT on older kernels, ESRCH or EINVAL if the process is
/// gone.
int cphotos_peer_process(int socket);

/// Stores the process and user that connected `socket`. Returns 0, or -1 with errno. The process is
/// 0 if it is in a namespace that this process cannot see.
int cphotos_peer_credentials(int socket, pid_t *process, uid_t *user);

/// Copies the security label of the process that connected `socket` (SO_PEERSEC). Returns its
/// length, or -1 with errno: ENOPROTOOPT if no security module provides one.
ssize_t cphotos_peer_label(int socket, char *label, size_t size);

/// Returns a descriptor of a process (pidfd_open(2)), or -1 with errno.
int cphotos_open_process(pid_t process);

/// Opens the folder that a process sees as its root, only to look up names in it (O_PATH): its file
/// system is not asked. Returns a descriptor, or -1 with errno.
int cphotos_open_root(pid_t process);

/// Requires the kernel to attach the sender's process to each message of `socket`. Returns 0, or -1
/// with errno.
int cphotos_require_senders(int socket);

/// Receives up to `length` bytes without waiting and stores the process that sent them, or 0 if the
/// kernel attached none. Descriptors that came with them are closed. Returns the number of bytes, 0
/// at the end, or -1 with errno.
ssize_t cphotos_receive_from(int socket, void *bytes, size_t length, pid_t *sender);

#pragma clang assume_nonnull end

#endif
