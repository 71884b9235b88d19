#define _GNU_SOURCE
#include "CSandboxShim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Debian 12's <linux/landlock.h> ends at ABI 2. The kernel's interface is stable, so it is repeated
// here: https://docs.kernel.org/userspace-api/landlock.html
struct cphotos_landlock_ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
enum { landlockVersionFlag = 1 };
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// Reserves more address space than any limit of it could allow. In this build, for tests only, the
// resident memory is limited instead.
#define CPHOTOS_LIMITS_RESIDENT_MEMORY 1
static uint64_t resident_memory_limit;
#endif
#endif

int cphotos_thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return -1;
    int count = 0;
    for (struct dirent *task; (task = readdir(tasks));) count += task->d_name[0] != '.';
    closedir(tasks);
    return count;
}

int64_t cphotos_address_space(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return -1;
    long long pages = -1;
    int found = fscanf(file, "%lld", &pages);
    fclose(file);
    return found == 1 && pages >= 0 ? (int64_t)pages * sysconf(_SC_PAGESIZE) : -1;
}

uint64_t cphotos_address_space_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_max == RLIM_INFINITY) return UINT64_MAX;
    return limit.rlim_max;
}

// A host that runs as root must not pass its privileges on. Without privileges this changes
// nothing.
static int drop_capabilities(void) {
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return -1;
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    return (int)syscall(SYS_capset, &header, none);
}

int cphotos_drop_privileges(void) {
    if (drop_capabilities() != 0) return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int cphotos_confine_files(void) {
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, landlockVersionFlag);
    if (abi < 1) return 0;
    // ABI 2 (refer), 3 (truncate) and 5 (device ioctl) each added one right.
    uint64_t files = (1ULL << 13) - 1;
    if (abi >= 2) files |= 1ULL << 13;
    if (abi >= 3) files |= 1ULL << 14;
    if (abi >= 5) files |= 1ULL << 15;
    struct cphotos_landlock_ruleset rules = {
        .handled_access_fs = files,
        .handled_access_net = abi >= 4 ? 3 : 0,
        .scoped = abi >= 6 ? 3 : 0,
    };
    size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return 0;
    long restricted = syscall(SYS_landlock_restrict_self, set, 0);
    close(set);
    return restricted == 0 ? (int)abi : 0;
}

// A call that does not exist on this architecture needs no rule.
static int allow(scmp_filter_ctx filter, int call) {
    if (call < 0) return 0;
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
}

#define ALLOW_IF(call, ...)                                                     \
    do {                                                                        \
        const struct scmp_arg_cmp comparisons[] = {__VA_ARGS__};                \
        if (code == 0 && SCMP_SYS(call) >= 0) {                                 \
            code = seccomp_rule_add_array(                                      \
                filter, SCMP_ACT_ALLOW, SCMP_SYS(call),                         \
                sizeof comparisons / sizeof comparisons[0], comparisons         \
            );                                                                  \
        }                                                                       \
    } while (0)

#if defined(__x86_64__) || defined(__aarch64__)
#define CPHOTOS_ANSWERS_NEWFSTATAT 1

// In glibc 2.33 and later, fstat() is newfstatat() with an empty path, which a filter cannot
// distinguish from any other path. The kernel therefore never executes newfstatat() but sends
// SIGSYS, and this handler calls fstat().
static void answer_newfstatat(int number, siginfo_t *info, void *context) {
    (void)number;
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
    greg_t *registers = machine->gregs;
    enum { first = REG_RDI, second = REG_RSI, third = REG_RDX, fourth = REG_R10, result = REG_RAX };
#else
    unsigned long long *registers = machine->regs;
    enum { first = 0, second = 1, third = 2, fourth = 3, result = 0 };
#endif
    const int descriptor = (int)registers[first];
    const char *path = (const char *)(uintptr_t)registers[second];
    const int isOfDescriptor = info->si_syscall == SYS_newfstatat && descriptor >= 0
        && (registers[fourth] & AT_EMPTY_PATH) && path && path[0] == 0;
    const int error = errno;
    long answer = -EPERM;
    if (isOfDescriptor) {
        answer = syscall(SYS_fstat, descriptor, (void *)(uintptr_t)registers[third]);
        if (answer < 0) answer = -errno;
    }
    errno = error;
    registers[result] = answer;
}
#endif

int cphotos_confine_calls(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return ENOMEM;
    int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    const int calls[] = {
        SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(write),
        SCMP_SYS(writev), SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(close), SCMP_SYS(ftruncate),
        SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(poll),
        SCMP_SYS(ppoll), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk),
        SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
        SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
        SCMP_SYS(gettimeofday), SCMP_SYS(getrandom), SCMP_SYS(exit), SCMP_SYS(exit_group),
        SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
        SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(set_robust_list),
        SCMP_SYS(set_tid_address), SCMP_SYS(rseq), SCMP_SYS(membarrier), SCMP_SYS(gettid),
        SCMP_SYS(getpid),
#ifdef CPHOTOS_LIMITS_RESIDENT_MEMORY
        SCMP_SYS(getrusage),
#endif
    };
    for (size_t i = 0; code == 0 && i < sizeof calls / sizeof calls[0]; i++) {
        code = allow(filter, calls[i]);
    }
#ifdef CPHOTOS_ANSWERS_NEWFSTATAT
    struct sigaction answering = {.sa_sigaction = answer_newfstatat, .sa_flags = SA_SIGINFO | SA_RESTART};
    if (code == 0 && sigaction(SIGSYS, &answering, NULL) != 0) code = -errno;
    if (code == 0) code = seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(newfstatat), 0);
#else
    // fstat() of newer glibc; a path passed with the flag could be examined but never opened.
    ALLOW_IF(newfstatat, SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH));
#endif
    // Writable memory is never executable.
    ALLOW_IF(mmap, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    ALLOW_IF(mprotect, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    ALLOW_IF(fcntl, SCMP_A1(SCMP_CMP_EQ, F_GET_SEALS));
    ALLOW_IF(fcntl, SCMP_A1(SCMP_CMP_EQ, F_GETFL));
    ALLOW_IF(fcntl, SCMP_A1(SCMP_CMP_EQ, F_GETFD));
    // Allows threads, but no processes and no namespaces. clone3 hides its flags in memory; without
    // it, glibc uses clone.
    const scmp_datum_t thread = CLONE_THREAD | CLONE_VM;
    const scmp_datum_t refused = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
        | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE | CLONE_PARENT | CLONE_VFORK;
    ALLOW_IF(clone, SCMP_A0(SCMP_CMP_MASKED_EQ, thread | refused, thread));
    if (code == 0 && SCMP_SYS(clone3) >= 0) {
        code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    }
    // abort() and the limit of processor time affect this process only.
    ALLOW_IF(tgkill, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    ALLOW_IF(prlimit64, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU));
    ALLOW_IF(prctl, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
    if (code == 0) code = seccomp_load(filter);
    seccomp_release(filter);
    return -code;
}

int cphotos_limit_resources(uint64_t bytes, uint64_t descriptors, uint64_t fileLength) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return -1;
    struct rlimit files = {descriptors, descriptors};
    if (setrlimit(RLIMIT_NOFILE, &files) != 0) return -1;
    // No other limit applies to memory files from the host.
    struct rlimit length = {fileLength, fileLength};
    if (setrlimit(RLIMIT_FSIZE, &length) != 0) return -1;
#ifdef CPHOTOS_LIMITS_RESIDENT_MEMORY
    const uint64_t used = (uint64_t)cphotos_address_space();
    resident_memory_limit = bytes > used ? bytes - used : 0;
    bytes = 0;
#endif
    if (bytes > 0) {
        struct rlimit space = {bytes, bytes};
        if (setrlimit(RLIMIT_AS, &space) != 0) return -1;
    }
    return 0;
}

int cphotos_limit_processor_time(uint64_t seconds) {
    struct timespec used;
    struct rlimit limit;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return -1;
    if (getrlimit(RLIMIT_CPU, &limit) != 0) return -1;
    limit.rlim_cur = (rlim_t)used.tv_sec + 1 + seconds;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
    }
    return setrlimit(RLIMIT_CPU, &limit);
}

#ifdef CPHOTOS_LIMITS_RESIDENT_MEMORY
enum { watch_interval = 50 };
static void check_resident_memory(void) {
    static const char message[] = "photos-worker: the resident memory is above its limit\n";
    struct rusage usage;
    if (resident_memory_limit == 0 || getrusage(RUSAGE_SELF, &usage) != 0) return;
    if ((uint64_t)usage.ru_maxrss * 1024 <= resident_memory_limit) return;
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    abort();
}
#else
enum { watch_interval = -1 };
static void check_resident_memory(void) {}
#endif

static void *watch_peer(void *argument) {
    struct pollfd peer = {.fd = (int)(intptr_t)argument, .events = POLLRDHUP};
    for (;;) {
        int count = poll(&peer, 1, watch_interval);
        check_resident_memory();
        if (count > 0 || (count < 0 && errno != EINTR)) _exit(0);
    }
}

int cphotos_exit_with_peer(int socket) {
    // PR_SET_PDEATHSIG is unsuitable: it follows the thread that started this process, and a host's
    // threads come and go.
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 64 * 1024);
    pthread_t thread;
    error = pthread_create(&thread, &attributes, watch_peer, (void *)(intptr_t)socket);
    pthread_attr_destroy(&attributes);
    return error;
}

void cphotos_try_forbidden(char *possible, size_t length) {
    if (length == 0) return;
    possible[0] = 0;
#define TRY(name, call)                                                     \
    do {                                                                    \
        if ((call) >= 0) strncat(possible, name " ", length - strlen(possible) - 1); \
    } while (0)
    TRY("open", open("/etc/passwd", O_RDONLY));
    TRY("create", open("/tmp/photos-worker-was-here", O_RDWR | O_CREAT | O_EXCL, 0600));
    struct stat status;
    TRY("stat", stat("/etc/passwd", &status));
#ifdef CPHOTOS_ANSWERS_NEWFSTATAT
    TRY("stat-beside-a-descriptor",
        syscall(SYS_newfstatat, 0, "/etc/passwd", &status, AT_EMPTY_PATH));
#endif
    // Open descriptors can be examined.
    TRY("no-fstat", fstat(0, &status) == 0 ? -1 : 0);
    TRY("opendir", open("/", O_RDONLY | O_DIRECTORY));
    TRY("reopen", open("/proc/self/fd/0", O_RDONLY));
    TRY("socket", socket(AF_INET, SOCK_STREAM, 0));
    TRY("unix-socket", socket(AF_UNIX, SOCK_STREAM, 0));
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) _exit(0);
    TRY("fork", child);
    TRY("namespace", syscall(SYS_unshare, CLONE_NEWUTS));
    TRY("io_uring", syscall(425 /* io_uring_setup */, 1, NULL));
    TRY("memory-of-others", syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
    TRY("ioctl", syscall(SYS_ioctl, 0, 0x5401 /* TCGETS */, NULL));
    TRY("capabilities", prctl(PR_CAPBSET_READ, 0, 0, 0, 0) == 1 ? 0 : -1);
    char *const arguments[] = {"/bin/true", NULL}, *const environment[] = {NULL};
    TRY("execve", execve("/bin/true", arguments, environment));
    TRY("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    TRY("kill", kill(getppid(), 0));
    TRY("unlink", unlink("/tmp/photos-worker-never-was-here") == 0 || errno == ENOENT ? 0 : -1);
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TRY("executable-memory", memory == MAP_FAILED ? -1 : 0);
#undef TRY
}
