#if canImport(Glibc)
package import PhotoModel
internal import Glibc
#endif
internal import Foundation
internal import LibraryService
internal import Synchronization

/// A session with its own folder in `staging/`, where files are completed before they enter the
/// library.
///
///     created ──copy──▶ staged ──sync──▶ synced ──rename (writer lock)──▶ placed ──commit──▶ kept
///                         │                │                               │
///                         └────discard─────┴───────────put away────────────┘
///
/// After a crash at any arrow, `StagingRecovery` cleans up: it removes everything in the folder of
/// a dead session, and the files that the session placed but did not commit.
///
/// 1. The folder belongs to the holder of the flock on its file `lock`. The kernel releases the
///    flock with the process, so a session is dead exactly when its lock is free.
/// 2. A file leaves the folder only by rename, after its content was synced, so every file below
///    `originals/` is complete.
/// 3. Before the first rename of a commit, the targets are in the file `intentions`, synced. Each
///    file below `originals/` therefore either has a row or is listed in the intentions of its
///    session, which is live or about to be cleared.
/// 4. Only the holder of the writer lock renames files out of the folder, writes intentions or
///    clears a dead session's folder.
/// 5. Intentions state the library's version. They are emptied once their commit has succeeded, and
///    they are not applied to a database of an older version: one restored from a backup lacks rows
///    whose files must be kept.
/// 6. A target stays in all later intentions of the session if it could not be put away, or if its
///    commit failed so that its row may reappear.
/// 7. Staged files have the permissions of originals from the start; see `BundleModes`.
/// 8. Folders are opened without following symbolic links, and only files that a session writes are
///    removed.
///
/// Thread-safe.
package final class StagingSession: Sendable {
    static let lockName = "lock"
    static let intentionsName = "intentions"
    /// The prefix of the first line in the intentions file; the rest of that line is the library's
    /// version.
    static let versionMark = "version "

    /// The session's folder.
    package let folder: String
    let files: FileOperations
    private let staging: String
    private let name: String
    /// The library's folder.
    let root: String
    let modes: BundleModes
    private let lock: Descriptor
    private let intentions: Descriptor
    private let state = Mutex(State())

    private struct State {
        var nextNumber = 0
        var unresolved: [String] = []
        var hasEnded = false
    }

    /// Creates a session's folder and acquires its lock.
    ///
    /// `staging` is the absolute path of the library's staging folder, which is created if it is
    /// missing.
    package init(staging: String, files: FileOperations) throws(SystemError) {
        self.files = files
        self.staging = staging
        root = (staging as NSString).deletingLastPathComponent
        modes = BundleModes(root: root)
        while true {
            let name = UUID().uuidString
            let folder = staging + "/" + name
            let mode = BundleModes.newFolder
            guard try files.createFolder(folder, inBundle: root, mode: mode) else { continue }
            guard let lock = try Self.takeLock(of: folder, files: files) else { continue }
            modes.giveAway(lock.number)
            self.folder = folder
            self.name = name
            self.lock = lock
            try files.check(.createFile, path: folder)
            intentions = try files.open(
                folder + "/" + Self.intentionsName,
                O_RDWR | O_CREAT
            )
            modes.giveAway(intentions.number)
            // From here on, syncing the file's content is enough: its name is durable.
            try files.syncFolder(folder)
            try files.syncFolder(staging)
            return
        }
    }

    deinit { end() }

    /// Removes the folder with its remaining files.
    ///
    /// Files that cannot be removed are left to the next recovery.
    package func end() {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        // Unresolved targets need the intentions, so they are left to recovery once the flock is
        // released.
        guard isFirst, state.withLock({ $0.unresolved.isEmpty }) else { return }
        try? Self.clear(name, in: Folder(staging, files: files))
    }

    // MARK: - Files

    /// Creates an empty file in the folder.
    func createFile() throws(SystemError) -> (path: String, descriptor: Descriptor) {
        let path = nextPath()
        try files.check(.createFile, path: path)
        let flags = O_RDWR | O_CREAT | O_EXCL
        let descriptor = try files.open(path, flags, mode: modes.original)
        modes.setOriginalMode(descriptor.number)
        return (path, descriptor)
    }

    /// Moves a file on the library's volume into the folder, and sets the permissions of an
    /// original.
    ///
    /// - Parameters:
    ///   - descriptor: The open file.
    ///   - path: Where the file is.
    /// - Returns: The file's path in the folder.
    /// - Throws: The volume's error; the file is then where it was.
    func adopt(_ descriptor: Descriptor, at path: String) throws(SystemError) -> String {
        let target = nextPath()
        try files.rename(path, to: target)
        modes.setOriginalMode(descriptor.number)
        return target
    }

    private func nextPath() -> String {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        return "\(folder)/\(number).part"
    }

    // MARK: - Intentions

    /// Durably records the target paths of files that are about to be renamed out of the folder.
    ///
    /// Requires the writer lock.
    ///
    /// - Parameters:
    ///   - targets: Paths below the library's folder.
    ///   - version: The library's version before the commit.
    /// - Throws: The volume's error.
    func recordIntentions(_ targets: [String], after version: Int64) throws(SystemError) {
        let path = folder + "/" + Self.intentionsName
        try files.check(.recordIntentions, path: path)
        let all = state.withLock { $0.unresolved } + targets
        var text = Self.versionMark + "\(version)\n" + all.map { $0 + "\n" }.joined()
        // Earlier intentions are settled, so a crash while they are overwritten loses none that
        // matters: no rename of this commit has happened yet.
        guard ftruncate(intentions.number, 0) == 0 else { throw .last("ftruncate", path: path) }
        let result: Result<Void, SystemError> = text.withUTF8 { utf8 in
            do throws(SystemError) {
                try files.write(UnsafeRawBufferPointer(utf8), to: intentions.number, at: 0)
                return .success(())
            } catch { return .failure(error) }
        }
        try result.get()
        try files.syncFile(intentions, path: path)
    }

    /// Empties the intentions file after a successful commit.
    ///
    /// Not synced: after a power failure the targets have rows.
    func forgetIntentions() {
        guard state.withLock({ $0.unresolved.isEmpty }) else { return }
        _ = ftruncate(intentions.number, 0)
    }

    /// Adds the path of a placed file to all intentions that are recorded later, because the file
    /// may have no row.
    func keepIntention(_ target: String) { state.withLock { $0.unresolved.append(target) } }

    // MARK: - Locks and clearing

    /// Acquires the lock of a session's folder.
    ///
    /// - Returns: Nil if recovery considers the session dead, and so holds the lock or has removed
    ///   the folder.
    private static func takeLock(of folder: String, files: FileOperations) throws(SystemError)
        -> Descriptor?
    {
        let path = folder + "/" + lockName
        let lock: Descriptor
        do {
            lock = try files.open(path, O_RDWR | O_CREAT)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
        while flock(lock.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw .last("flock", path: path) }
        }
        return try files.status(of: lock.number).linkCount > 0 ? lock : nil
    }

    /// Acquires the lock of a session's folder if the session is dead.
    ///
    /// - Parameters:
    ///   - folder: The session's folder.
    ///   - creates: Whether to create the lock of a session that died before it had one. Otherwise
    ///     such a session cannot be distinguished from one that is about to begin, and the result
    ///     is nil.
    /// - Returns: Nil if the session is live or its folder is gone.
    /// - Throws: The file system's error for the lock.
    static func takeLockIfDead(of folder: Folder, creates: Bool) throws(SystemError)
        -> Descriptor?
    {
        let lock: Descriptor
        do {
            lock = try folder.open(lockName, creates ? O_RDWR | O_CREAT : O_RDONLY)
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
        guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw .last("flock", path: folder.path + "/" + lockName)
        }
        return try folder.files.status(of: lock.number).linkCount > 0 ? lock : nil
    }

    /// Returns whether a name in `staging/` is that of a session: a UUID in uppercase, as
    /// `UUID.uuidString` returns it.
    static func isName(_ name: String) -> Bool {
        UUID(uuidString: name)?.uuidString == name
    }

    /// Removes a session's own files, then its lock, and finally its folder.
    ///
    /// Requires the session's lock. If the folder contains other files, they and the folder stay,
    /// and the call throws.
    static func clear(_ name: String, in staging: Folder) throws(SystemError) {
        let folder = try staging.folder(name)
        for name in try folder.names() where isOwn(name) { try folder.remove(name) }
        try folder.remove(lockName)
        try staging.removeFolder(name)
    }

    /// Returns whether a file name is that of an intentions file or a staged file.
    private static func isOwn(_ name: String) -> Bool {
        if name == intentionsName { return true }
        guard name.hasSuffix(".part") else { return false }
        let number = name.utf8.dropLast(5)
        return !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...57).contains($0) }
    }
}
