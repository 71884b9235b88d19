#include "CSQLiteShim.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// The worker opens one library at a time, which may have several databases. One thread uses them,
// so their descriptors and the deadline are global.
#define MAXIMUM_DATABASES 4
static struct {
    sqlite3 *connection;
    int database;
    int log;
} slots[MAXIMUM_DATABASES];
static struct timespec deadline;
static int seconds_per_statement = 60;

// The files of slot N are called "/N" and "/N-wal".
#define NAME_LENGTH 2

struct library_file {
    sqlite3_file base;
    // -1: an empty file
    int descriptor;
};

static int file_close(sqlite3_file *file) {
    (void)file;
    return SQLITE_OK;
}

static int file_read(sqlite3_file *file, void *buffer, int amount, sqlite3_int64 offset) {
    int descriptor = ((struct library_file *)file)->descriptor;
    int done = 0;
    while (descriptor >= 0 && done < amount) {
        ssize_t count = pread(descriptor, (char *)buffer + done, (size_t)(amount - done), offset + done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return SQLITE_IOERR_READ;
        if (count == 0) break;
        done += (int)count;
    }
    if (done == amount) return SQLITE_OK;
    memset((char *)buffer + done, 0, (size_t)(amount - done));
    return SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *file, const void *bytes, int amount, sqlite3_int64 offset) {
    (void)file;
    (void)bytes;
    (void)amount;
    (void)offset;
    return SQLITE_READONLY;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    (void)file;
    (void)size;
    return SQLITE_READONLY;
}

static int file_sync(sqlite3_file *file, int flags) {
    (void)file;
    (void)flags;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    int descriptor = ((struct library_file *)file)->descriptor;
    *size = 0;
    if (descriptor < 0) return SQLITE_OK;
    off_t end = lseek(descriptor, 0, SEEK_END);
    if (end < 0) return SQLITE_IOERR_FSTAT;
    *size = end;
    return SQLITE_OK;
}

// The copy is private to this process, so no locks are needed.
static int file_lock(sqlite3_file *file, int level) {
    (void)file;
    (void)level;
    return SQLITE_OK;
}

static int file_check_lock(sqlite3_file *file, int *isReserved) {
    (void)file;
    *isReserved = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    (void)file;
    (void)operation;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int file_sector_size(sqlite3_file *file) {
    (void)file;
    return 4096;
}

static int file_characteristics(sqlite3_file *file) {
    (void)file;
    return 0;
}

// Version 1 has no shared memory: SQLite then keeps the log's index on the heap, which it does only
// in exclusive locking mode.
static const sqlite3_io_methods file_methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_lock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

// Returns the descriptor for a name: -1 for an absent log, -2 for any other name.
static int descriptor_named(const char *name) {
    if (!name || name[0] != '/') return -2;
    int slot = name[1] - '0';
    if (slot < 0 || slot >= MAXIMUM_DATABASES) return -2;
    if (name[NAME_LENGTH] == 0) return slots[slot].database;
    return strcmp(name + NAME_LENGTH, "-wal") == 0 ? slots[slot].log : -2;
}

static int library_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *outFlags
) {
    (void)vfs;
    struct library_file *own = (struct library_file *)file;
    own->base.pMethods = NULL;
    own->descriptor = descriptor_named(name);
    if (own->descriptor == -2) return SQLITE_CANTOPEN;
    own->base.pMethods = &file_methods;
    if (outFlags) {
        *outFlags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
    }
    return SQLITE_OK;
}

static int library_delete(sqlite3_vfs *vfs, const char *name, int syncsFolder) {
    (void)vfs;
    (void)name;
    (void)syncsFolder;
    return SQLITE_IOERR_DELETE;
}

static int library_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    (void)vfs;
    (void)flags;
    *result = descriptor_named(name) >= 0;
    return SQLITE_OK;
}

static int library_full_name(sqlite3_vfs *vfs, const char *name, int length, char *full) {
    (void)vfs;
    size_t size = strlen(name) + 1;
    if (size > (size_t)length) return SQLITE_CANTOPEN;
    memcpy(full, name, size);
    return SQLITE_OK;
}

static int library_randomness(sqlite3_vfs *vfs, int length, char *bytes) {
    (void)vfs;
    ssize_t count = getrandom(bytes, (size_t)length, GRND_NONBLOCK);
    return count < 0 ? 0 : (int)count;
}

static int library_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return microseconds;
}

static int library_time(sqlite3_vfs *vfs, double *julianDay) {
    (void)vfs;
    *julianDay = 2440587.5 + (double)time(NULL) / 86400.0;
    return SQLITE_OK;
}

static int library_last_error(sqlite3_vfs *vfs, int length, char *text) {
    (void)vfs;
    (void)length;
    (void)text;
    return errno;
}

static sqlite3_vfs library_vfs = {
    .iVersion = 1,
    .szOsFile = sizeof(struct library_file),
    .mxPathname = 64,
    .zName = "photos-library",
    .xOpen = library_open,
    .xDelete = library_delete,
    .xAccess = library_access,
    .xFullPathname = library_full_name,
    .xRandomness = library_randomness,
    .xSleep = library_sleep,
    .xCurrentTime = library_time,
    .xGetLastError = library_last_error,
};

// Ends a statement that takes longer than its time; the count starts again with the next one.
static int check_time(void *connection) {
    (void)connection;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > deadline.tv_sec;
}

void cphotos_library_restart_time(void) {
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += seconds_per_statement;
}

static int restart_time(unsigned kind, void *context, void *statement, void *text) {
    (void)kind;
    (void)context;
    (void)statement;
    (void)text;
    cphotos_library_restart_time();
    return 0;
}

// Whatever a file's schema says, only these may run: reading, and functions without side effects.
static int authorize(
    void *context, int action, const char *first, const char *second, const char *schema,
    const char *trigger
) {
    (void)context;
    (void)first;
    (void)schema;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        // load_extension() and the tokenizers of FTS take pointers.
        if (second && (sqlite3_stricmp(second, "load_extension") == 0
            || sqlite3_stricmp(second, "fts3_tokenizer") == 0)) return SQLITE_DENY;
        return trigger ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return first && (sqlite3_stricmp(first, "quick_check") == 0
            || sqlite3_stricmp(first, "table_info") == 0
            || sqlite3_stricmp(first, "schema_version") == 0) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static int set(sqlite3 *connection, int option, int value) {
    return sqlite3_db_config(connection, option, value, NULL);
}

int cphotos_library_open(int database, int log, int seconds, sqlite3 **connection) {
    *connection = NULL;
    int slot = 0;
    while (slot < MAXIMUM_DATABASES && slots[slot].connection) slot += 1;
    if (slot == MAXIMUM_DATABASES) return SQLITE_CANTOPEN;
    slots[slot].database = database;
    slots[slot].log = log;
    seconds_per_statement = seconds;
    const char name[] = {'/', (char)('0' + slot), 0};
    int code = sqlite3_initialize();
    if (code == SQLITE_OK) code = sqlite3_vfs_register(&library_vfs, 0);
    if (code == SQLITE_OK) {
        code = sqlite3_open_v2(
            name, connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_PRIVATECACHE, library_vfs.zName
        );
    }
    slots[slot].connection = *connection;
    if (code != SQLITE_OK) return code;
    sqlite3 *own = *connection;
    sqlite3_extended_result_codes(own, 1);
    if (set(own, SQLITE_DBCONFIG_DEFENSIVE, 1) || set(own, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        || set(own, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0) || set(own, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        || set(own, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        || set(own, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)) return SQLITE_ERROR;
    sqlite3_limit(own, SQLITE_LIMIT_LENGTH, 64 << 20);
    sqlite3_limit(own, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
    sqlite3_limit(own, SQLITE_LIMIT_COLUMN, 2000);
    sqlite3_limit(own, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(own, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(own, SQLITE_LIMIT_WORKER_THREADS, 0);
    cphotos_library_restart_time();
    sqlite3_progress_handler(own, 10000, check_time, own);
    sqlite3_trace_v2(own, SQLITE_TRACE_STMT, restart_time, NULL);
    // Before the first read, since the log's index depends on the locking mode.
    code = sqlite3_exec(
        own,
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON; PRAGMA cell_size_check = ON;"
        "PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;",
        NULL, NULL, NULL
    );
    if (code != SQLITE_OK) return code;
    return sqlite3_set_authorizer(own, authorize, NULL);
}

void cphotos_library_close(sqlite3 *connection) {
    if (!connection) return;
    // With a statement that is not finalized, the connection still uses its files.
    if (sqlite3_close(connection) != SQLITE_OK) {
        sqlite3_close_v2(connection);
        return;
    }
    for (int slot = 0; slot < MAXIMUM_DATABASES; slot += 1) {
        if (slots[slot].connection == connection) slots[slot].connection = NULL;
    }
}

int cphotos_library_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
