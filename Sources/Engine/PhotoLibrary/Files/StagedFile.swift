internal import PhotoModel
package import LibraryService
internal import Synchronization

/// A file's bytes in a staging folder: copied and hashed, and after `sync` durable.
///
/// Thread-safe.
package final class StagedFile: Sendable {
    package let path: String
    package let descriptor: Descriptor
    /// Bytes.
    package let size: Int64
    package let digest: SHA256Digest
    private let files: FileOperations
    // Whether the bytes are on the disk; guarded by the mutex, which a sync holds.
    private let isSynced = Mutex(false)

    init(
        path: String,
        descriptor: Descriptor,
        size: Int64,
        digest: SHA256Digest,
        files: FileOperations
    ) {
        self.path = path
        self.descriptor = descriptor
        self.size = size
        self.digest = digest
        self.files = files
    }

    /// Makes the bytes durable, once.
    func sync() throws(SystemError) {
        let result: Result<Void, SystemError> = isSynced.withLock { isSynced in
            if isSynced { return .success(()) }
            do throws(SystemError) {
                try files.syncFile(descriptor, path: path)
                isSynced = true
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Removes the file from its staging folder.
    ///
    /// Once it was placed there is nothing to remove.
    func discard() { try? files.remove(path) }
}
