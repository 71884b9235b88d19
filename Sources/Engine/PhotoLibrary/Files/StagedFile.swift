internal import Glibc
package import LibraryService
internal import PhotoModel
internal import Synchronization

/// A file in a staging folder, copied and hashed, and durable after `sync`.
///
/// Thread-safe.
package final class StagedFile: Sendable {
    package let path: String
    /// The size in bytes.
    package let size: Int64
    package let digest: SHA256Digest
    /// Indicates whether the file has a size but no content, as in the plan of a dry run.
    let isHollow: Bool
    private let files: FileOperations
    private let opened: Mutex<Descriptor?>
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
        self.size = size
        self.digest = digest
        self.isHollow = isHollow
        self.files = files
        opened = Mutex(descriptor)
    }

    /// The descriptor of the open file, which is available until `park` closes it.
    package var descriptor: Descriptor {
        guard let descriptor = opened.withLock(\.self) else {
            preconditionFailure("A parked file is not open.")
        }
        return descriptor
    }

    /// Closes the file until `reopen`, so that the limit on open files does not limit the number of
    /// staged files.
    func park() {
        // In a plan, the descriptor reads another file.
        guard !files.isPlan else { return }
        opened.withLock { $0 = nil }
    }

    /// Opens the file again after `park`.
    func reopen() throws(SystemError) {
        guard opened.withLock({ $0 == nil }) else { return }
        let descriptor = try files.open(path, O_RDONLY)
        opened.withLock { $0 = descriptor }
    }

    /// Indicates whether the content may not be durable yet; waits for a sync in progress.
    var needsSync: Bool { isSynced.withLock { !$0 } }

    /// Makes the content durable; repeated calls do nothing.
    ///
    /// The file must be open at the first call.
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
