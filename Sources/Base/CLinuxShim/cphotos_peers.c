#define _GNU_SOURCE
#include "cphotos_peers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SYS_pidfd_open
// The same number on every processor, as for all calls since 2019 but on Alpha.
#define SYS_pidfd_open 434
#endif

int cphotos_peer_process(int socket) {
    int process = -1;
    socklen_t size = sizeof process;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) != 0) return -1;
    return process;
}

int cphotos_peer_credentials(int socket, pid_t *process, uid_t *user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

ssize_t cphotos_peer_label(int socket, char *label, size_t size) {
    socklen_t length = (socklen_t)size;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERSEC, label, &length) != 0) return -1;
    return (ssize_t)length;
}

int cphotos_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int cphotos_open_root(pid_t process) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/root", (int)process);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int cphotos_require_senders(int socket) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}

ssize_t cphotos_receive_from(int socket, void *bytes, size_t length, pid_t *sender) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(8 * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space,
    };
    *sender = 0;
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            *sender = credentials.pid;
        } else if (header->cmsg_type == SCM_RIGHTS) {
            size_t passed = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t i = 0; i < passed; i++) {
                int one;
                memcpy(&one, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
                close(one);
            }
        }
    }
    return count;
}
