internal import Foundation
internal import Glibc

/// The folder with the sockets and redirect files of a user's running galleries.
///
/// The folder is `swift-photos/galleries` in the user's state folder, and only its owner can access
/// it.
struct LinkFolder: Sendable {
    let path: String

    /// Creates the folder if it does not exist.
    ///
    /// - Throws: ``GalleryError`` when it cannot be created or belongs to another user.
    init() throws {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? "/") + "/.local/state"
        path = state + "/swift-photos/galleries"
        try? FileManager.default.createDirectory(
            atPath: state + "/swift-photos",
            withIntermediateDirectories: true
        )
        mkdir(path, 0o700)
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
        else { throw GalleryError.noLinkFolder(path) }
    }

    /// Runs `body` with a short form of the path of a file in the folder.
    ///
    /// The address of a Unix socket is limited to 107 bytes.
    func withShortPath<Value>(of name: String, _ body: (String) throws -> Value) throws -> Value {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw GalleryError.noLinkFolder(path) }
        defer { close(folder) }
        return try body("/proc/self/fd/\(folder)/\(name)")
    }

    /// The names of the files in the folder, sorted.
    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
    }
}
