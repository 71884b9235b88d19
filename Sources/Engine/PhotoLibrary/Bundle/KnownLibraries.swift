internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Records, outside of any library, the paths at which libraries and complete backups existed.
///
/// The record distinguishes a library or backup whose volume is not mounted from one that never
/// existed, so that nothing is created in its place. Each has one file in
/// `$XDG_STATE_HOME/swift-photos/libraries/`, named with a hash of its path. Losing the folder
/// loses only this distinction.
package enum KnownLibraries {
    /// Records that a library exists at a path.
    ///
    /// Never fails; without the record, only the distinction is lost.
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

    /// Returns whether a library is recorded at a path for this user.
    package static func remembers(_ path: String) -> Bool {
        guard let marker = marker(for: path) else { return false }
        return access(marker, F_OK) == 0
    }

    /// Removes the record of a library that was removed on purpose.
    package static func forget(_ path: String) {
        if let marker = marker(for: path) { unlink(marker) }
    }

    private static var folder: String { StateFolder.standard.path + "/libraries" }

    /// Returns the path of the file that records a library; nil for a relative path.
    ///
    /// The file is named with a hash, since a path can exceed the maximum length of a file name.
    private static func marker(for path: String) -> String? {
        guard path.hasPrefix("/") else { return nil }
        return folder + "/" + path.stableHash
    }
}
