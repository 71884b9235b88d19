#define _GNU_SOURCE
#include "CGPhotoShim.h"

#include <errno.h>
#include <gphoto2/gphoto2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A code of our own, outside libgphoto2's range.
enum { too_long = -9001 };

// The transfer in progress. It lives as long as the camera, since libgphoto2 may keep its file.
struct transfer {
    cphotos_camera *camera;
    int descriptor;
    uint64_t limit;
    int failure;
};

struct cphotos_camera {
    GPContext *context;
    CameraAbilitiesList *abilities;
    GPPortInfoList *ports;
    Camera *camera;
    // What the driver said about the last call.
    char message[256];
    struct transfer transfer;
    void *advanced_context;
    void (*advanced)(void *context, uint64_t written);
    uint64_t written;
};

static void copy(char *target, size_t length, const char *source) {
    if (length > 0) snprintf(target, length, "%s", source);
}

static void keep_error(GPContext *context, const char *text, void *data) {
    (void)context;
    cphotos_camera *camera = data;
    copy(camera->message, sizeof camera->message, text);
}

static unsigned int start_progress(GPContext *context, float target, const char *text, void *data) {
    (void)context, (void)target, (void)text, (void)data;
    return 0;
}

static void report(cphotos_camera *camera) {
    if (camera->advanced) camera->advanced(camera->advanced_context, camera->written);
}

static void update_progress(GPContext *context, unsigned int id, float current, void *data) {
    (void)context, (void)id, (void)current;
    report(data);
}

static void stop_progress(GPContext *context, unsigned int id, void *data) {
    (void)context, (void)id, (void)data;
}

cphotos_camera *cphotos_camera_new(int *code) {
    cphotos_camera *camera = calloc(1, sizeof *camera);
    if (!camera) {
        *code = GP_ERROR_NO_MEMORY;
        return NULL;
    }
    camera->context = gp_context_new();
    *code = camera->context ? gp_abilities_list_new(&camera->abilities) : GP_ERROR_NO_MEMORY;
    if (*code >= 0) {
        gp_context_set_error_func(camera->context, keep_error, camera);
        gp_context_set_progress_funcs(
            camera->context, start_progress, update_progress, stop_progress, camera
        );
        *code = gp_abilities_list_load(camera->abilities, camera->context);
    }
    if (*code >= 0) *code = gp_port_info_list_new(&camera->ports);
    if (*code >= 0) *code = gp_port_info_list_load(camera->ports);
    if (*code >= 0) return camera;
    cphotos_camera_free(camera);
    return NULL;
}

void cphotos_camera_free(cphotos_camera *camera) {
    if (camera->camera) {
        gp_camera_exit(camera->camera, camera->context);
        gp_camera_unref(camera->camera);
    }
    if (camera->ports) gp_port_info_list_free(camera->ports);
    if (camera->abilities) gp_abilities_list_free(camera->abilities);
    if (camera->context) gp_context_unref(camera->context);
    free(camera);
}

int cphotos_camera_detect(
    cphotos_camera *camera,
    void *context,
    void (*found)(void *context, const char *model, const char *port)
) {
    CameraList *list;
    camera->message[0] = 0;
    int code = gp_list_new(&list);
    if (code < 0) return code;
    code = gp_abilities_list_detect(camera->abilities, camera->ports, list, camera->context);
    for (int i = 0; code >= 0 && i < gp_list_count(list); i++) {
        const char *model = NULL, *port = NULL;
        if (gp_list_get_name(list, i, &model) < 0 || gp_list_get_value(list, i, &port) < 0) continue;
        if (model && port) found(context, model, port);
    }
    gp_list_free(list);
    return code < 0 ? code : 0;
}

int cphotos_camera_open(cphotos_camera *camera, const char *model, const char *port) {
    CameraAbilities abilities;
    GPPortInfo info;
    camera->message[0] = 0;
    int index = gp_abilities_list_lookup_model(camera->abilities, model);
    if (index < 0) return index;
    int code = gp_abilities_list_get_abilities(camera->abilities, index, &abilities);
    if (code < 0) return code;
    index = gp_port_info_list_lookup_path(camera->ports, port);
    if (index < 0) return index;
    code = gp_port_info_list_get_info(camera->ports, index, &info);
    if (code < 0) return code;
    if (camera->camera) return GP_ERROR_BAD_PARAMETERS;
    code = gp_camera_new(&camera->camera);
    if (code >= 0) code = gp_camera_set_abilities(camera->camera, abilities);
    if (code >= 0) code = gp_camera_set_port_info(camera->camera, info);
    if (code >= 0) code = gp_camera_init(camera->camera, camera->context);
    if (code < 0 && camera->camera) {
        gp_camera_unref(camera->camera);
        camera->camera = NULL;
    }
    return code < 0 ? code : 0;
}

void cphotos_camera_serial(cphotos_camera *camera, char *serial, size_t length) {
    copy(serial, length, "");
    if (!camera->camera) return;
    CameraWidget *widget = NULL;
    const char *value = NULL;
    if (gp_camera_get_single_config(camera->camera, "serialnumber", &widget, camera->context) >= 0) {
        CameraWidgetType type;
        if (gp_widget_get_type(widget, &type) >= 0 && type == GP_WIDGET_TEXT
            && gp_widget_get_value(widget, &value) >= 0 && value) {
            copy(serial, length, value);
        }
        gp_widget_free(widget);
    }
    if (length == 0 || serial[0]) return;
    CameraText text;
    memset(&text, 0, sizeof text);
    if (gp_camera_get_summary(camera->camera, &text, camera->context) < 0) return;
    text.text[sizeof text.text - 1] = 0;
    static const char label[] = "Serial Number:";
    const char *start = strstr(text.text, label);
    if (!start) return;
    start += sizeof label - 1;
    while (*start == ' ') start++;
    const size_t count = strcspn(start, "\r\n");
    snprintf(serial, length, "%.*s", (int)count, start);
}

int cphotos_camera_list(
    cphotos_camera *camera,
    const char *folder,
    int isOfFolders,
    void *context,
    void (*found)(void *context, const char *name)
) {
    CameraList *list;
    camera->message[0] = 0;
    if (!camera->camera) return GP_ERROR_BAD_PARAMETERS;
    int code = gp_list_new(&list);
    if (code < 0) return code;
    code = isOfFolders
        ? gp_camera_folder_list_folders(camera->camera, folder, list, camera->context)
        : gp_camera_folder_list_files(camera->camera, folder, list, camera->context);
    for (int i = 0; code >= 0 && i < gp_list_count(list); i++) {
        const char *name = NULL;
        if (gp_list_get_name(list, i, &name) >= 0 && name) found(context, name);
    }
    gp_list_free(list);
    return code < 0 ? code : 0;
}

int cphotos_camera_facts(
    cphotos_camera *camera,
    const char *folder,
    const char *name,
    struct cphotos_camera_file *facts
) {
    CameraFileInfo info;
    camera->message[0] = 0;
    facts->size = -1;
    facts->time = -1;
    if (!camera->camera) return GP_ERROR_BAD_PARAMETERS;
    memset(&info, 0, sizeof info);
    int code = gp_camera_file_get_info(camera->camera, folder, name, &info, camera->context);
    if (code < 0) return code;
    if (info.file.fields & GP_FILE_INFO_SIZE && info.file.size <= INT64_MAX) {
        facts->size = (int64_t)info.file.size;
    }
    if (info.file.fields & GP_FILE_INFO_MTIME) facts->time = (int64_t)info.file.mtime;
    return 0;
}

static int refuse_size(void *data, uint64_t *size) {
    (void)data;
    *size = 0;
    return GP_ERROR_NOT_SUPPORTED;
}

static int refuse_read(void *data, unsigned char *bytes, uint64_t *length) {
    (void)data, (void)bytes;
    *length = 0;
    return GP_ERROR_NOT_SUPPORTED;
}

static int write_part(void *data, unsigned char *bytes, uint64_t *length) {
    struct transfer *transfer = data;
    cphotos_camera *camera = transfer->camera;
    if (transfer->failure < 0) return transfer->failure;
    if (*length > transfer->limit - camera->written) return transfer->failure = too_long;
    uint64_t done = 0;
    while (done < *length) {
        const size_t rest = *length - done > (1 << 20) ? 1 << 20 : (size_t)(*length - done);
        ssize_t count = pwrite(transfer->descriptor, bytes + done, rest, (off_t)camera->written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            snprintf(camera->message, sizeof camera->message, "%s", strerror(errno));
            return transfer->failure = errno == EFBIG ? too_long : GP_ERROR_NO_SPACE;
        }
        done += (uint64_t)count;
        camera->written += (uint64_t)count;
    }
    report(camera);
    return GP_OK;
}

int cphotos_camera_read(
    cphotos_camera *camera,
    const char *folder,
    const char *name,
    int descriptor,
    uint64_t limit,
    uint64_t *written,
    void *context,
    void (*advanced)(void *context, uint64_t written)
) {
    *written = 0;
    camera->message[0] = 0;
    if (!camera->camera) return GP_ERROR_BAD_PARAMETERS;
    struct transfer *transfer = &camera->transfer;
    *transfer = (struct transfer){camera, descriptor, limit, 0};
    static CameraFileHandler handler = {refuse_size, refuse_read, write_part};
    CameraFile *file;
    int code = gp_file_new_from_handler(&file, &handler, transfer);
    if (code < 0) return code;
    camera->written = 0;
    camera->advanced_context = context;
    camera->advanced = advanced;
    code = gp_camera_file_get(
        camera->camera, folder, name, GP_FILE_TYPE_NORMAL, file, camera->context
    );
    camera->advanced = NULL;
    gp_file_unref(file);
    *written = camera->written;
    // Some drivers ignore a failure to write.
    if (transfer->failure < 0) code = transfer->failure;
    // A file that libgphoto2 kept must not write into a descriptor of a later request.
    transfer->failure = GP_ERROR_BAD_PARAMETERS;
    return code < 0 ? code : 0;
}

enum cphotos_camera_failure cphotos_camera_class(int code) {
    switch (code) {
    case GP_ERROR_IO_USB_CLAIM:
    case GP_ERROR_IO_LOCK:
    case GP_ERROR_CAMERA_BUSY:
    case GP_ERROR_IO_INIT: return CPHOTOS_CAMERA_BUSY;
    case GP_ERROR_IO:
    case GP_ERROR_IO_USB_FIND:
    case GP_ERROR_IO_READ:
    case GP_ERROR_IO_WRITE:
    case GP_ERROR_IO_UPDATE:
    case GP_ERROR_IO_USB_CLEAR_HALT:
    case GP_ERROR_TIMEOUT:
    case GP_ERROR_MODEL_NOT_FOUND:
    case GP_ERROR_UNKNOWN_PORT: return CPHOTOS_CAMERA_LOST;
    case GP_ERROR_FILE_NOT_FOUND:
    case GP_ERROR_DIRECTORY_NOT_FOUND: return CPHOTOS_CAMERA_ABSENT;
    case too_long: return CPHOTOS_CAMERA_TOO_LONG;
    default: return CPHOTOS_CAMERA_OTHER;
    }
}

void cphotos_camera_words(cphotos_camera *camera, int code, char *words, size_t length) {
    if (code == too_long) return copy(words, length, "it has more bytes than its size");
    const char *text = gp_result_as_string(code);
    if (camera && camera->message[0]) {
        snprintf(words, length, "%s (%s)", text, camera->message);
    } else {
        copy(words, length, text);
    }
}
