import PhotosJSON
import PhotosManagement

/// Creates the JSON output of the commands for the cloud library.
enum CloudJSON {
    static func session(_ state: CloudLibraryState) -> JSONObject {
        var object = JSONObject()
        object.add("uploaded", state.uploaded)
        object.add("downloaded", state.downloaded)
        object.add("removed", state.removed)
        object.add("versions", state.versions)
        object.add("pending", pending(state))
        object.add("alarms", state.alarms)
        object.add("error", state.failure)
        return object
    }

    static func status(_ state: CloudLibraryState, isAttended: Bool) -> JSONObject {
        var object = JSONObject()
        object.add("state", state.activity.rawValue)
        object.add("cloudLibrary", state.cloudLibrary)
        object.add("device", state.device)
        object.add("address", state.address)
        object.add("lastSync", state.lastSync)
        object.add("pending", pending(state))
        object.add("alarms", state.alarms)
        object.add("error", state.failure)
        object.add("host", isAttended ? nil : "daemon")
        return object
    }

    static func storage(_ storage: CloudStorage) -> JSONObject {
        var object = JSONObject()
        object.add("optimized", storage.isOptimized)
        object.add("keepFree", Int(clamping: storage.keepFree))
        object.add("free", Int(clamping: storage.freeSpace))
        object.add("removedFiles", storage.removedFileCount)
        object.add("keptAlbums", storage.keptAlbums)
        return object
    }

    private static func pending(_ state: CloudLibraryState) -> JSONObject {
        var object = JSONObject()
        object.add("changes", state.pendingChanges)
        object.add("uploads", state.pendingUploads)
        object.add("downloads", state.pendingDownloads)
        return object
    }
}
