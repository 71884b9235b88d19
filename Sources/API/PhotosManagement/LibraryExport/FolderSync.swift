internal import Glibc
internal import PhotoModel

/// Makes the names in the folders of an export durable.
///
/// 1. A file system that cannot sync folders is not an error. The names are then as durable as the
///    file system makes them.
/// 2. The same applies to a folder that may be written to but not read, such as a parent of the
///    export's folder: it cannot be opened, and so it cannot be synced.
struct FolderSync: Sendable {
    /// Syncs an open folder.
    ///
    /// It returns 0, or -1 with errno: EINVAL, ENOSYS or EOPNOTSUPP on file systems that cannot do
    /// it.
    typealias Call = @Sendable (_ folder: Int32, _ path: String) -> Int32

    private static let unsupported: Set<Int32> = [EINVAL, ENOSYS, EOPNOTSUPP]

    private let call: Call

    /// Creates the operation.
    ///
    /// - Parameter call: The system call that syncs a folder. Tests replace it, since it is hard to
    ///   observe what a power failure would leave.
    init(_ call: @escaping Call = { folder, _ in fsync(folder) }) {
        self.call = call
    }

    /// Makes the names in a folder durable.
    func sync(_ path: String) throws(LibraryError) {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else {
            let failure = FileAccessError()
            if failure.number == EACCES { return }
            throw Self.error(path, failure)
        }
        defer { close(number) }
        while call(number, path) != 0 {
            let failure = FileAccessError()
            if failure.number == EINTR { continue }
            if Self.unsupported.contains(failure.number) { return }
            throw Self.error(path, failure)
        }
    }

    private static func error(_ path: String, _ failure: FileAccessError) -> LibraryError {
        var error = ExportTree.refusal(path, failure)
        error.recovery = error.recovery ?? "Check the volume, and export again."
        return error
    }
}
