internal import PhotoModel
package import LibraryService
internal import Synchronization

/// A file in a staging folder, copied and hashed, and durable after `sync`.
///
/// Thread-safe.
package final class StagedFile: Sendable {
    package let path: String
    package let descriptor: Descriptor
    /// The size in bytes.
    package let size: Int64
    package let digest: SHA256Digest
    /// Indicates whether the file has a size and no content, as in plans.
    let isHollow: Bool
    private let files: FileOperations
    // Whether the bytes are on disk; guarded by the mutex, which is held during a sync.
    private let isSynced = Mutex(false)

    init(
        path: String,
        descriptor: Descriptor,
        size: Int64,
        digest: SHA256Digest,
        isHollow: Bool = false,
        files: FileOperations
    ) {
        self.path = path
        self.descriptor = descriptor
        self.size = size
        self.digest = digest
        self.isHollow = isHollow
        self.files = files
    }

    /// Makes the content durable; repeated calls do nothing.
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
    /// Has no effect on a file that was already placed.
    func discard() { try? files.remove(path) }
}
