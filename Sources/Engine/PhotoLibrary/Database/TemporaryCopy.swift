internal import Foundation
internal import Glibc
internal import LibraryService
package import PhotoModel
internal import Synchronization

/// A private copy of a database and its write-ahead log, for a library that SQLite cannot open in
/// place.
///
/// The copy is deleted when the object is destroyed.
package final class TemporaryCopy: Sendable {
    /// The path of the copied database.
    package let database: String
    /// The path of the folder that contains the copy.
    let folder: String
    /// The record of the last commit, read before the copy began; nil if there is no valid record.
    let noted: CommittedVersion?

    /// Copies the database of a bundle in a consistent state.
    ///
    /// `mayBeOpen` states whether this process may have the database open in place.
    convenience init(of bundle: LibraryBundle, mayBeOpen: Bool = false) throws(LibraryError) {
        try self.init(ofDatabase: bundle.database, in: bundle, mayBeOpen: mayBeOpen)
    }

    /// Copies a database of a bundle in a consistent state.
    ///
    /// Other users may write where this user cannot. The writer lock, if this user can acquire it,
    /// prevents commits meanwhile. A copy during which the files changed is repeated, up to ten
    /// times in all.
    package init(
        ofDatabase source: String,
        in bundle: LibraryBundle,
        mayBeOpen: Bool = false
    ) throws(LibraryError) {
        // Before the copy, since a commit in between must not look like a loss.
        noted = CommittedVersion(of: bundle)
        folder = try Self.createFolder()
        database = folder + "/copy.sqlite"
        let lock = open(bundle.lock, O_RDONLY | O_CLOEXEC)
        defer { if lock >= 0 { close(lock) } }
        var isLocked = false
        do {
            for round in 0..<10 {
                // A writer that holds the lock now is done soon.
                if round > 0 { usleep(50_000) }
                if !isLocked, lock >= 0 { isLocked = flock(lock, LOCK_EX | LOCK_NB) == 0 }
                let before = Self.stamp(of: source)
                if mayBeOpen {
                    try Self.copyOpen(source, to: database)
                } else {
                    try Self.copy(source, to: database)
                }
                try Self.copy(source + "-wal", to: database + "-wal")
                if Self.stamp(of: source) == before { return }
            }
        } catch {
            Self.remove(folder)
            throw error
        }
        Self.remove(folder)
        throw LibraryError(
            .busy,
            "The library at \(bundle.root) can only be read from a copy, but is constantly changing.",
            recovery: "Wait for the writing program to finish, and try again.",
            path: bundle.root
        )
    }

    /// Creates an empty folder; `database` is the path of a database that does not exist yet.
    init() throws(LibraryError) {
        noted = nil
        folder = try Self.createFolder()
        database = folder + "/copy.sqlite"
    }

    deinit { discard() }

    /// Deletes the copy; open descriptors of it remain usable.
    func discard() { Self.remove(folder) }

    private static func createFolder() throws(LibraryError) -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/photolibrary-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError.last("mkdtemp", path: parent)
                .libraryError(doing: "create a folder for a copy of the database in")
        }
        return template.withUnsafeBufferPointer { pointer in
            pointer.baseAddress.map { String(cString: $0) } ?? parent
        }
    }

    /// Returns the sizes and modification times of a database and its log, which change with each
    /// write.
    private static func stamp(of database: String) -> [Int64] {
        [database, database + "-wal"].flatMap { path -> [Int64] in
            guard case .success(let status) = FileSystem.status(of: path) else { return [-1] }
            let time = status.st_mtim
            return [Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec)]
        }
    }

    /// Copies a file to a path, replacing an earlier copy.
    ///
    /// If the source does not exist, only deletes the earlier copy.
    private static func copy(_ source: String, to target: String) throws(LibraryError) {
        unlink(target)
        guard case .success = FileSystem.status(of: source) else { return }
        do {
            try FileManager.default.copyItem(atPath: source, toPath: target)
        } catch {
            throw LibraryError(
                .inputOutput,
                "The database \(source) cannot be copied, as a read-only library requires.",
                reason: error.localizedDescription,
                recovery: "Set TMPDIR to a folder with enough space.",
                path: source
            )
        }
        chmod(target, 0o600)
    }

    // MARK: - Databases that this process may have open

    /// The open descriptors of copied databases, which are never closed.
    ///
    /// Closing any descriptor of a database drops the locks that SQLite holds on it in this
    /// process.
    private static let descriptors = Mutex<[LibraryStore.FileIdentity: Int32]>([:])

    /// Copies a database that this process may have open, in place of an earlier copy.
    ///
    /// No descriptor of the database is closed; see `descriptors`.
    private static func copyOpen(_ source: String, to target: String) throws(LibraryError) {
        unlink(target)
        guard case .success = FileSystem.status(of: source) else { return }
        let opened = descriptors.withLock { known in
            Result { () throws(SystemError) in try descriptor(of: source, &known) }
        }
        do throws(SystemError) { try copyBytes(of: opened.get(), to: target) } catch {
            throw error.libraryError("The database \(source) cannot be copied to \(target).")
        }
    }

    private static func descriptor(
        of source: String,
        _ known: inout [LibraryStore.FileIdentity: Int32]
    ) throws(SystemError) -> Int32 {
        if let identity = LibraryStore.FileIdentity(source), let number = known[identity] {
            return number
        }
        let number = open(source, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", path: source) }
        // The file may have been replaced since its path was looked up.
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last("fstat", path: source) }
        let identity = LibraryStore.FileIdentity(status)
        if let earlier = known[identity] { return earlier }
        known[identity] = number
        return number
    }

    private static func copyBytes(of source: Int32, to target: String) throws(SystemError) {
        let files = FileOperations()
        let copy = try files.open(target, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try files.read(source, at: offset, into: buffer)
            guard count > 0 else { break }
            try files.write(
                UnsafeRawBufferPointer(rebasing: buffer[..<count]),
                to: copy.number,
                at: offset
            )
            offset += Int64(count)
        }
        withExtendedLifetime(copy) {}
    }

    private static func remove(_ folder: String) {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
