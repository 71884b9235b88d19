internal import Glibc
internal import LibraryService
internal import PhotoModel

/// The lock and record file `backup` in a folder that a backup or a restore writes.
///
/// 1. It is written before anything else, so that an interrupted run recognizes its own folder, and
///    a folder of anybody else is never written to.
/// 2. Its content is the library's UUID and the version of the last complete run, in the form of
///    `CommittedVersion`; 0 before the first one completes, and after a run that left a damaged
///    file.
/// 3. The flock on it belongs to the process that writes to the folder.
struct BackupRecord {
    let path: String
    private let lock: Descriptor

    /// Returns the path of the record in a bundle's folder.
    static func path(in bundle: LibraryBundle) -> String { bundle.root + "/backup" }

    /// Opens the record, creates it if it is missing, and acquires its lock.
    ///
    /// - Throws: `busy` if another process writes to the folder; the file system's error.
    init(of bundle: LibraryBundle, library uuid: String) throws(LibraryError) {
        path = Self.path(in: bundle)
        do throws(SystemError) {
            lock = try FileOperations().open(path, O_RDWR | O_CREAT, mode: BundleModes.newFile)
        } catch {
            throw error.libraryError(doing: "write")
        }
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else { throw Self.busy(bundle) }
        if CommittedVersion(at: path) == nil {
            BundleModes(root: bundle.root).giveAway(lock.number)
            try write(CommittedVersion(libraryUUID: uuid, version: 0))
        }
    }

    /// Returns whether an empty record is the only content of a folder.
    ///
    /// An interrupted run leaves such a folder if it had not written anything else. `names` are the
    /// names in the folder.
    static func isEmpty(in bundle: LibraryBundle, among names: [String]) -> Bool {
        guard names == ["backup"],
            case .success(let status) = FileSystem.status(of: path(in: bundle))
        else { return false }
        return status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }

    /// Records the completion of a run.
    func write(_ version: CommittedVersion) throws(LibraryError) {
        do throws(SystemError) {
            try version.write(at: path)
            try FileOperations().syncFile(lock, path: path)
        } catch {
            throw error.libraryError(doing: "write")
        }
    }

    /// Acquires a lock that keeps other processes from writing to a backup; nil if the backup has
    /// no record or the file system cannot lock it.
    ///
    /// - Throws: `busy` if a backup is being written.
    static func lockForReading(_ bundle: LibraryBundle) throws(LibraryError) -> Descriptor? {
        guard let file = try? FileOperations().open(path(in: bundle), O_RDONLY) else { return nil }
        if flock(file.number, LOCK_SH | LOCK_NB) == 0 { return file }
        guard errno == EWOULDBLOCK else { return nil }
        throw busy(bundle)
    }

    private static func busy(_ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .busy,
            "Another process is writing to \(bundle.root).",
            reason: "It is making or restoring a backup.",
            recovery: "Wait until it finishes, and try again.",
            path: bundle.root
        )
    }
}
