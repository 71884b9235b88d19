// libgphoto2 reports through callbacks, fills structures with unions of C strings, and hands out
// pointers into its own lists. Nothing here changes a device.
#ifndef CPHOTOS_GPHOTO_H
#define CPHOTOS_GPHOTO_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// libgphoto2's lists of drivers and ports, and the device that is open, if any.
typedef struct cphotos_camera cphotos_camera;

/// The facts of a file; a value is -1 if the device does not report it.
struct cphotos_camera_file {
    int64_t size;
    /// The modification time in seconds since 1970.
    int64_t time;
};

/// The classes of failures that need different advice.
enum cphotos_camera_failure {
    CPHOTOS_CAMERA_OTHER = 0,
    /// Another program uses the device, or the user is not permitted to.
    CPHOTOS_CAMERA_BUSY = 1,
    /// The device was disconnected or does not respond.
    CPHOTOS_CAMERA_LOST = 2,
    /// The file or folder does not exist.
    CPHOTOS_CAMERA_ABSENT = 3,
    /// The file exceeds its limit.
    CPHOTOS_CAMERA_TOO_LONG = 4,
};

/// Loads the drivers and ports of libgphoto2. Returns NULL and its error code in `code` on failure.
cphotos_camera *_Nullable cphotos_camera_new(int *code);

/// Closes the device and frees everything.
void cphotos_camera_free(cphotos_camera *camera);

/// Finds the connected devices, and calls `found` for each. Returns an error code below 0, or 0.
int cphotos_camera_detect(
    cphotos_camera *camera,
    void *_Nullable context,
    void (*found)(void *_Nullable context, const char *model, const char *port)
);

/// Opens the device of a model at a port. Returns an error code below 0, or 0.
int cphotos_camera_open(cphotos_camera *camera, const char *model, const char *port);

/// Copies the serial number of the open device, or an empty string if the device reports none.
void cphotos_camera_serial(cphotos_camera *camera, char *serial, size_t length);

/// Lists the subfolders or the files of a folder, and calls `found` for each name. Returns an error
/// code below 0, or 0.
int cphotos_camera_list(
    cphotos_camera *camera,
    const char *folder,
    int isOfFolders,
    void *_Nullable context,
    void (*found)(void *_Nullable context, const char *name)
);

/// Reads the facts of a file. Returns an error code below 0, or 0.
int cphotos_camera_facts(
    cphotos_camera *camera,
    const char *folder,
    const char *name,
    struct cphotos_camera_file *facts
);

/// Writes the bytes of a file to `descriptor`, from its beginning, and at most `limit`. Calls
/// `advanced` with the number of bytes so far after each part, and with the same number while the
/// device is busy. Returns an error code below 0, or 0.
int cphotos_camera_read(
    cphotos_camera *camera,
    const char *folder,
    const char *name,
    int descriptor,
    uint64_t limit,
    uint64_t *written,
    void *_Nullable context,
    void (*advanced)(void *_Nullable context, uint64_t written)
);

/// Returns the class of an error code.
enum cphotos_camera_failure cphotos_camera_class(int code);

/// Copies the text of an error code, with the driver's message about the last call.
void cphotos_camera_words(cphotos_camera *_Nullable camera, int code, char *words, size_t length);

#pragma clang assume_nonnull end

#endif
