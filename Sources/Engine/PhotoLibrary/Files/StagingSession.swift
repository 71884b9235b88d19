#if canImport(Glibc)
package import PhotoModel
internal import Glibc
#endif
internal import Foundation
internal import LibraryService
internal import Synchronization

/// A folder of its own in `staging/`, where files become complete before they enter the library.
///
///     created ──copy──▶ staged ──sync──▶ synced ──rename, under the writer lock──▶ placed ──commit──▶ kept
///                         │                │                                        │
///                         └────discard─────┴────────────────put away────────────────┘
///
/// A crash at any arrow is mended by `StagingRecovery`: everything in the folder of a dead session,
/// and what it placed but did not commit, is removed.
///
/// 1. The folder belongs to whoever holds the flock on its file `lock`. The kernel drops the flock
///    with the process, so a session is dead exactly when its lock is free.
/// 2. A file leaves the folder only by rename, after its bytes were synced: what lies under
///    `originals/` is whole.
/// 3. Before the first rename of a commit, the targets are in the file `intentions`, synced. So each
///    file under `originals/` either has a row, or is named by the intentions of its session, which
///    lives or is about to be cleared.
/// 4. Only the holder of the writer lock renames out of the folder, writes intentions, or clears a
///    dead session's folder.
/// 5. Intentions say which version the library had. Once their commit has succeeded they are emptied,
///    and no database of an older version is cleared by them: one that was put back from a backup lacks
///    rows whose files are nobody's leftovers.
/// 6. A target that could not be put away again, or whose commit failed in a way that leaves open
///    whether its row will come back, stays in all later intentions of the session.
/// 7. Staged files have the permissions of originals from the start; see `BundleModes`.
/// 8. Folders are opened without following links, and only files that a session writes are removed.
///
/// Thread-safe.
package final class StagingSession: Sendable {
    static let lockName = "lock"
    static let intentionsName = "intentions"
    /// What the first line of the intentions begins with.
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

    /// Makes a session's folder and takes its lock.
    ///
    /// `staging` is the library's staging folder, absolute; it is made where it is missing.
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
            // From here on a sync of the intentions' bytes is enough: their name is durable.
            try files.syncFolder(folder)
            try files.syncFolder(staging)
            return
        }
    }

    deinit { end() }

    /// Removes the folder with all that is still in it.
    ///
    /// What cannot be removed is left to the next recovery.
    package func end() {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        // Unresolved targets need the intentions: leave them to recovery, once the flock is gone.
        guard isFirst, state.withLock({ $0.unresolved.isEmpty }) else { return }
        try? Self.clear(name, in: Folder(staging, files: files))
    }

    // MARK: - Files

    /// Makes a new, empty file in the folder.
    func createFile() throws(SystemError) -> (path: String, descriptor: Descriptor) {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let path = "\(folder)/\(number).part"
        try files.check(.createFile, path: path)
        let flags = O_RDWR | O_CREAT | O_EXCL
        let descriptor = try files.open(path, flags, mode: modes.original)
        modes.setOriginalMode(descriptor.number)
        return (path, descriptor)
    }

    // MARK: - Intentions

    /// Makes durable which files are about to be renamed out of the folder.
    ///
    /// Held: the writer lock.
    ///
    /// - Parameters:
    ///   - targets: Paths below the library's folder.
    ///   - version: The library's before the commit.
    /// - Throws: What the volume says.
    func recordIntentions(_ targets: [String], after version: Int64) throws(SystemError) {
        let path = folder + "/" + Self.intentionsName
        try files.check(.recordIntentions, path: path)
        let all = state.withLock { $0.unresolved } + targets
        var text = Self.versionMark + "\(version)\n" + all.map { $0 + "\n" }.joined()
        // Earlier intentions are settled, so a crash in the middle of overwriting them loses none
        // that matters: no rename of this commit has happened yet.
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

    /// Empties the intentions of a commit that succeeded.
    ///
    /// Not synced: after a power failure the targets have rows.
    func forgetIntentions() {
        guard state.withLock({ $0.unresolved.isEmpty }) else { return }
        _ = ftruncate(intentions.number, 0)
    }

    /// Remembers a target that is in place and has no row as far as can be told.
    func keepIntention(_ target: String) { state.withLock { $0.unresolved.append(target) } }

    // MARK: - Locks and clearing

    /// Takes the lock of a session's folder.
    ///
    /// - Returns: Nil when the folder went away before the lock was had: recovery took it for a dead
    ///   session's.
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
        while flock(lock.number, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .last("flock", path: path) }
        }
        return try files.status(of: lock.number).linkCount > 0 ? lock : nil
    }

    /// Takes the lock of a session's folder when the session is dead.
    ///
    /// - Parameters:
    ///   - folder: The session's folder.
    ///   - creates: Whether to make the lock of a session that died before it had one. Without, such
    ///     a session cannot be told from one that is about to begin, and the answer is nil.
    /// - Returns: Nil when the session lives, or its folder is gone.
    /// - Throws: What the file system says of the lock.
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

    /// Whether a folder in `staging/` has the name of a session: a UUID as we write it.
    static func isName(_ name: String) -> Bool {
        UUID(uuidString: name)?.uuidString == name
    }

    /// Removes what a session wrote in its folder, its lock last, and then the folder.
    ///
    /// Held: its lock. Strangers' files stay, and with them the folder: then this throws.
    static func clear(_ name: String, in staging: Folder) throws(SystemError) {
        let folder = try staging.folder(name)
        for name in try folder.names() where isOwn(name) { try folder.remove(name) }
        try folder.remove(lockName)
        try staging.removeFolder(name)
    }

    /// Whether a session writes files of this name, its lock apart.
    private static func isOwn(_ name: String) -> Bool {
        if name == intentionsName { return true }
        guard name.hasSuffix(".part") else { return false }
        let number = name.utf8.dropLast(5)
        return !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...57).contains($0) }
    }
}
