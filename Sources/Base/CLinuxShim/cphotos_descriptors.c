#define _GNU_SOURCE
#include "cphotos_descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int cphotos_all_seals(void) { return F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE; }

int cphotos_memory_file(const char *name, size_t size) {
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)size) != 0) {
        int error = errno;
        close(memory);
        errno = error;
        return -1;
    }
    return memory;
}

void cphotos_trim_heap(void) { malloc_trim(0); }

void cphotos_keep_heap_small(void) {
    // Otherwise the threshold rises with each larger block that is freed, and freed pixels leave
    // holes between the remaining blocks.
    mallopt(M_MMAP_THRESHOLD, 64 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
    mallopt(M_ARENA_MAX, 2);
}

void cphotos_keep_large_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 8 * 1024 * 1024);
    mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
}

int cphotos_seal(int memory) { return fcntl(memory, F_ADD_SEALS, cphotos_all_seals()); }

int cphotos_seal_size(int memory, int mayShrink) {
    return fcntl(memory, F_ADD_SEALS, mayShrink ? F_SEAL_GROW : F_SEAL_SHRINK | F_SEAL_GROW);
}

int cphotos_seals(int memory) { return fcntl(memory, F_GET_SEALS); }

int cphotos_socket_pair(int *first, int *second) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    *first = pair[0];
    *second = pair[1];
    return 0;
}

ssize_t cphotos_send(int socket, const void *bytes, size_t length, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    ssize_t count;
    do {
        count = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (count < 0 && errno == EINTR);
    return count;
}

ssize_t cphotos_receive(int socket, void *bytes, size_t length, int waits, int *descriptor) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    // Room for several descriptors, so that extra ones from the peer are noticed and closed.
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(8 * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space,
    };
    *descriptor = -1;
    ssize_t count;
    do {
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t passed = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < passed; i++) {
            int one;
            memcpy(&one, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
            if (*descriptor < 0) {
                *descriptor = one;
            } else {
                close(one);
            }
        }
    }
    return count;
}

// The kernel's limit of descriptors per message (SCM_MAX_FD).
#define MOST_DESCRIPTORS 253

ssize_t cphotos_send_many(
    int socket,
    const void *bytes,
    size_t length,
    const int *descriptors,
    size_t count
) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    if (count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t cphotos_receive_many(
    int socket,
    void *bytes,
    size_t length,
    int *descriptors,
    size_t capacity,
    size_t *count,
    pid_t *sender
) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    // Room for all that the kernel may attach, so that surplus descriptors can be closed.
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
    } control;
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space,
    };
    *count = 0;
    *sender = 0;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    int isSurplus = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS
            && header->cmsg_len == CMSG_LEN(sizeof(struct ucred))) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            *sender = credentials.pid;
        }
        if (header->cmsg_type != SCM_RIGHTS) continue;
        size_t passed = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < passed; i++) {
            int one;
            memcpy(&one, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
            if (*count < capacity) {
                descriptors[*count] = one;
                *count += 1;
            } else {
                close(one);
                isSurplus = 1;
            }
        }
    }
    if (isSurplus) {
        for (size_t i = 0; i < *count; i++) close(descriptors[i]);
        *count = capacity + 1;
    }
    return received;
}

int cphotos_spawn(
    const char *path,
    char *const *arguments,
    char *const *environment,
    int input,
    int output,
    pid_t *process
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, every;
    sigemptyset(&none);
    sigfillset(&every);
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (error == 0) {
        error = output < 0
            ? posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            : posix_spawn_file_actions_adddup2(&actions, output, 1);
    }
    if (error == 0) {
        error = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    }
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &every);
    // A process group of its own: Ctrl-C at a terminal is for the host, which stops its workers
    // itself.
    if (error == 0) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (error == 0) {
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        );
    }
    if (error == 0) {
        error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}
