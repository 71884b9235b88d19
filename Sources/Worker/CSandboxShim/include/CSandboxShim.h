// Landlock has no C library, libseccomp has variadic functions, and prctl and limits are macros.
#ifndef CPHOTOS_SANDBOX_H
#define CPHOTOS_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns the number of threads of this process, or -1.
int cphotos_thread_count(void);

/// Returns the bytes of address space in use, or -1.
int64_t cphotos_address_space(void);

/// Returns the limit of this process's address space in bytes, or UINT64_MAX if there is none.
uint64_t cphotos_address_space_limit(void);

/// Removes the pages of code and constants from this process's memory, most of which only starting
/// needed: tables of the dynamic linker, and initializers. The kernel maps those that are needed
/// again from the page cache.
void cphotos_release_startup_pages(void);

/// Gives up core dumps, tracing by other processes, and privileges that an executed program could
/// gain. Returns 0, or -1 with errno.
int cphotos_drop_privileges(void);

/// Denies all file system rights, TCP, abstract sockets and signals to other processes, as far as
/// the kernel's Landlock supports it. Returns Landlock's ABI, or 0 if the kernel lacks it or
/// refuses.
int cphotos_confine_files(void);

/// Allows the system calls for computation and for open descriptors only; any other fails with
/// EPERM. Returns 0, or an errno.
int cphotos_confine_calls(void);

/// Denies all file system rights but reading below `readable` and using the devices below
/// `devices`; both end with NULL, and absent folders are left out. Also denies TCP, abstract
/// sockets and signals to other processes, as far as the kernel's Landlock supports it. Returns
/// Landlock's ABI, or 0 if the kernel lacks it or refuses.
int cphotos_confine_files_to(
    const char *const _Nullable *_Nonnull readable,
    const char *const _Nullable *_Nonnull devices
);

/// Denies networks, other programs and processes, and every call that changes names, modes or times
/// of files; other calls, as drivers of devices need them, remain. Returns 0, or an errno.
int cphotos_confine_driver_calls(void);

/// Denies all file system rights but reading below `readable` and keeping files below `writable`;
/// both end with NULL, and absent folders are left out. Also denies listening at TCP ports, without
/// a network connecting too, abstract sockets and signals to other processes, as far as the
/// kernel's Landlock supports it. Returns Landlock's ABI, or 0 if the kernel lacks it, has too old
/// a one or refuses.
int cphotos_confine_store_files(
    const char *const _Nullable *_Nonnull readable,
    const char *const _Nullable *_Nonnull writable,
    int hasNetwork
);

/// Denies other programs and processes, Unix sockets, and changes of modes and owners of files.
/// With a network, it also denies changes of names; without one, all sockets. Returns 0, or an
/// errno.
int cphotos_confine_store_calls(int hasNetwork);

/// Limits the descriptors, disables core files, and limits files in memory to `fileLength` and the
/// address space to `bytes` (0 for no limit). Returns 0, or -1 with errno.
int cphotos_limit_resources(uint64_t bytes, uint64_t descriptors, uint64_t fileLength);

/// Limits this process to `seconds` of processor time from now on. Returns 0, or -1 with errno.
int cphotos_limit_processor_time(uint64_t seconds);

/// Exits this process when the peer of `socket` closes it, even during a long computation. Returns
/// 0, or an errno.
int cphotos_exit_with_peer(int socket);

/// Copies this process, which must have one thread, as fork() does. The new process is a child of
/// this process's parent, which can therefore wait for it. Returns 0 in the new process; in this
/// one the identifier of the new process, or -1 with errno. Fails on processors other than x86-64
/// and AArch64.
int cphotos_fork_sibling(void);

/// Sets the name of the calling thread, which for the first one is the name of the process, to at
/// most 15 bytes.
void cphotos_name_process(const char *name);

/// Attempts operations that are forbidden to drivers of devices; `home` is a folder of the user's.
/// Writes the names of those that succeeded, separated by spaces.
void cphotos_try_forbidden_to_drivers(const char *home, char *possible, size_t length);

/// Attempts operations that are forbidden to stores; `folder` is one of the user's. Writes the
/// names of those that succeeded, separated by spaces.
void cphotos_try_forbidden_to_stores(
    const char *folder,
    int hasNetwork,
    char *possible,
    size_t length
);

/// Attempts forbidden operations. Writes the names of those that succeeded, separated by spaces.
void cphotos_try_forbidden(char *possible, size_t length);

#pragma clang assume_nonnull end

#endif
