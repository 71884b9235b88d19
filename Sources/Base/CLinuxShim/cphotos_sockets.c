#define _GNU_SOURCE
#include "cphotos_sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

// Returns the length of the address, or 0 with errno.
static socklen_t fill_address(struct sockaddr_un *address, const char *path) {
    size_t length = strlen(path);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (length == 0 || length >= sizeof address->sun_path) {
        errno = length == 0 ? EINVAL : ENAMETOOLONG;
        return 0;
    }
    memcpy(address->sun_path, path, length);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
}

static int close_failed(int socket) {
    int error = errno;
    close(socket);
    errno = error;
    return -1;
}

int cphotos_connect(const char *path, int milliseconds) {
    struct sockaddr_un address;
    socklen_t length = fill_address(&address, path);
    if (length == 0) return -1;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    struct timeval limit = {
        .tv_sec = milliseconds / 1000,
        .tv_usec = (milliseconds % 1000) * 1000,
    };
    if (setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) {
        return close_failed(descriptor);
    }
    int result;
    do {
        result = connect(descriptor, (struct sockaddr *)&address, length);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? descriptor : close_failed(descriptor);
}

int cphotos_listen(const char *path, mode_t mode) {
    struct sockaddr_un address;
    socklen_t length = fill_address(&address, path);
    if (length == 0) return -1;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) return -1;
    // The mode of the socket file is that of the descriptor, less the mask of the process, which
    // only the owner's rights survive in all cases; chmod adds the others.
    if (fchmod(descriptor, 0600) != 0) return close_failed(descriptor);
    if (bind(descriptor, (struct sockaddr *)&address, length) != 0) {
        return close_failed(descriptor);
    }
    // Until listen(2), connections are refused.
    if (chmod(path, mode) != 0 || listen(descriptor, 256) != 0) {
        int error = errno;
        unlink(path);
        errno = error;
        return close_failed(descriptor);
    }
    return descriptor;
}

int cphotos_accept(int listener) {
    int descriptor;
    do {
        descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    return descriptor;
}

static int option(int socket, int name) {
    int value = 0;
    socklen_t length = sizeof value;
    return getsockopt(socket, SOL_SOCKET, name, &value, &length) == 0 ? value : -1;
}

int cphotos_is_listening(int socket) {
    return option(socket, SO_ACCEPTCONN) == 1 && option(socket, SO_DOMAIN) == AF_UNIX
        && option(socket, SO_TYPE) == SOCK_STREAM;
}

short cphotos_closed_event(void) { return POLLRDHUP; }

int cphotos_send_datagram(const char *path, const void *bytes, size_t length) {
    struct sockaddr_un address;
    socklen_t size = fill_address(&address, path);
    if (size == 0) return -1;
    if (path[0] == '@') {
        address.sun_path[0] = 0;
        size -= 1;
    }
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    ssize_t count;
    do {
        count = sendto(
            descriptor, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT,
            (struct sockaddr *)&address, size
        );
    } while (count < 0 && errno == EINTR);
    if (count < 0) return close_failed(descriptor);
    close(descriptor);
    return 0;
}

int cphotos_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cphotos_name_thread(const char *name) {
    char text[16];
    strncpy(text, name, sizeof text - 1);
    text[sizeof text - 1] = 0;
    pthread_setname_np(pthread_self(), text);
}

pid_t cphotos_fork(void) { return fork(); }
