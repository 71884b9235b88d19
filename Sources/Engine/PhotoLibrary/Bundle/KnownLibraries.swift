internal import Foundation
internal import Glibc
internal import PhotoModel

/// Remembers, outside of any library, at which paths there was one.
///
/// So that a library whose volume is not mounted is told from one that never was, and nothing is
/// created in its place. One empty file per library in `$XDG_STATE_HOME/swift-photos/libraries/`,
/// named by its path. Losing the folder loses only that distinction.
package enum KnownLibraries {
    /// Notes that there is a library at a path.
    ///
    /// Does not fail: without the note less is known.
    package static func remember(_ path: String) {
        guard let marker = marker(for: path), access(marker, F_OK) != 0 else { return }
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        var text = path + "\n"
        _ = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    /// Whether a library was at a path when this user last used it.
    package static func remembers(_ path: String) -> Bool {
        guard let marker = marker(for: path) else { return false }
        return access(marker, F_OK) == 0
    }

    /// Forgets a path, for a library that was removed on purpose.
    package static func forget(_ path: String) {
        if let marker = marker(for: path) { unlink(marker) }
    }

    private static var folder: String {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? "/") + "/.local/state"
        return state + "/swift-photos/libraries"
    }

    /// A file name holds 255 bytes and a path more, so the name is a hash of it.
    private static func marker(for path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        return folder + "/" + path.stableHash
    }
}
