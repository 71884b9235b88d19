internal import Foundation
internal import Glibc
internal import LibraryService

/// A folder in the system's temporary one for files that are rendered, which only this user can look
/// into; it and all that is in it go with this object.
///
/// It is locked as long as it is in use. What a program that was killed left behind is not locked any
/// more, and is removed by the next one that renders.
final class RenderedFolder: Sendable {
    private static let prefix = "photos-edit-"
    /// A younger one may be about to be locked.
    private static let oldestUnlocked: TimeInterval = 600
    private static let sweep: Void = removeAbandoned(in: FileManager.default.temporaryDirectory)

    let url: URL
    /// Nil where it could not be locked; it is removed with this object all the same.
    private let lock: Descriptor?

    /// Makes a folder; a failure shows when something is written there.
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

    /// Removes the folders of programs that ended without doing so.
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

    /// Locks a folder; nil where somebody else has, or where it is none.
    private static func lock(_ folder: URL) -> Descriptor? {
        let number = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(owning: number)
        return flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 ? descriptor : nil
    }
}
