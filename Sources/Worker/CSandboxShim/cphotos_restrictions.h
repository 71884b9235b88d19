// What the sandboxes of several programs have in common: Landlock's rules for paths, and the system
// calls that none of these programs needs.
#ifndef CPHOTOS_RESTRICTIONS_H
#define CPHOTOS_RESTRICTIONS_H

#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

enum {
    right_execute = 1 << 0,
    right_write = 1 << 1,
    right_read = 1 << 2,
    right_list = 1 << 3,
    right_remove_file = 1 << 5,
    right_make_directory = 1 << 7,
    right_make_file = 1 << 8,
    right_refer = 1 << 13,
    right_truncate = 1 << 14,
    right_ioctl = 1 << 15,
};
enum { right_bind = 1, right_connect = 2 };

// Returns Landlock's ABI, or 0 if the kernel lacks it.
long cphotos_landlock_abi(void);

// Returns a set of rules that denies all rights to files that the ABI knows, the `networks` rights
// for TCP, abstract sockets and signals to other processes, or -1 with errno.
int cphotos_landlock_rules(long abi, uint64_t networks);

// Allows `rights` below the paths, which end with NULL; absent ones are left out. Returns 0 or -1.
int cphotos_landlock_allow(int set, const char *const *paths, uint64_t rights);

// Closes the set after restricting this thread by it, unless `code` is not 0. Returns `abi` or 0.
int cphotos_landlock_restrict(int set, int code, long abi);

// Denies the calls of a list. Returns 0, or a negative errno.
int cphotos_deny(scmp_filter_ctx filter, const int *calls, size_t count);

// Denies other programs and processes, and the system's administration. Returns 0, or a negative
// errno.
int cphotos_deny_programs(scmp_filter_ctx filter);

#endif
