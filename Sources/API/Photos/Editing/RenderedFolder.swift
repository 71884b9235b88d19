internal import Foundation
internal import Glibc
internal import LibraryService

/// A temporary folder for rendered files, accessible only to this user and removed with this
/// object.
///
/// The folder is locked while it is in use. Folders left behind by terminated programs are no
/// longer locked, and the next program that renders removes them.
final class RenderedFolder: Sendable {
    private static let prefix = "photos-edit-"
    /// The minimum age, in seconds, at which an unlocked folder is removed as abandoned.
    ///
    /// A newer one is kept, because it may be about to be locked.
    private static let oldestUnlocked: TimeInterval = 600
    private static let sweep: Void = removeAbandoned(in: FileManager.default.temporaryDirectory)

    let url: URL
    /// The lock, or nil if locking failed, in which case the folder is still removed with this
    /// object.
    private let lock: Descriptor?

    /// Creates a folder; if this fails, writing to the folder reports the error.
    init() {
        _ = Self.sweep
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent(Self.prefix + UUID().uuidString, isDirectory: true)
        try? FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        lock = Self.lock(url)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Removes the folders of programs that terminated without removing them.
    static func removeAbandoned(in parent: URL, olderThan age: TimeInterval = oldestUnlocked) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = parent.appendingPathComponent(name, isDirectory: true)
            guard let lock = lock(folder) else { continue }
            var status = stat()
            guard fstat(lock.number, &status) == 0, status.st_uid == getuid(),
                Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) >= age
            else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(at: folder) }
        }
    }

    /// Locks the folder at a URL, or returns nil if it is already locked or cannot be opened as a
    /// folder.
    private static func lock(_ folder: URL) -> Descriptor? {
        let number = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        return flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 ? descriptor : nil
    }
}
