internal import CLinuxShim
internal import Foundation
internal import Glibc
internal import LibraryService

/// A new file that is written under a hidden name and renamed to its final name once it is
/// complete.
///
/// 1. The hidden name is in the folder of the final name, so no partial file is visible under the
///    final name.
/// 2. The file never replaces an existing file, not even one that appears in the meantime.
/// 3. `discard` removes the file after any failure.
struct SiblingFile {
    private let target: String
    private let path: String
    private let descriptor: Descriptor

    /// The descriptor of the file, which is open for reading and writing and initially empty.
    var number: Int32 { descriptor.number }

    init(for target: String) throws(AVError) {
        var status = stat()
        if lstat(target, &status) == 0 { throw Self.failure(at: target, EEXIST) }
        let folder = (target as NSString).deletingLastPathComponent
        // The hidden name is short regardless of the file's own name, because names have a maximum
        // length.
        let path = (folder as NSString).appendingPathComponent(".photos-\(UUID().uuidString)")
        let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw Self.failure(at: target, errno) }
        descriptor = Descriptor(owning: number)
        self.target = target
        self.path = path
    }

    /// Renames the file to its final name; fails if a file of that name exists.
    func place() throws(AVError) {
        if cphotos_rename_new(path, target) == 0 { return }
        // File systems without that call have hard links, which never replace a file either.
        if errno == EINVAL || errno == ENOSYS, link(path, target) == 0 { return }
        throw Self.failure(at: target, errno)
    }

    /// Removes the file if it still has its hidden name.
    func discard() {
        _ = unlink(path)
    }

    private static func failure(at path: String, _ code: Int32) -> AVError {
        let (kind, recovery): (AVError.Code, String) =
            switch code {
            case EEXIST: (.fileAlreadyExists, "Choose another name, or move the existing file.")
            case ENOSPC, EDQUOT: (.diskFull, "Free space on the volume and try again.")
            case ENOENT: (.exportFailed, "Create the folder first.")
            case EACCES, EPERM:
                (.exportFailed, "Choose a folder that you have permission to write to.")
            default: (.exportFailed, "Check the volume and try again.")
            }
        return AVError(
            kind,
            code == EEXIST
                ? "“\(path)” already exists and was not changed."
                : "“\(path)” cannot be written.",
            reason: String(cString: strerror(code)) + ".",
            recovery: recovery,
            path: path
        )
    }
}
