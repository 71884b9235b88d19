internal import CLinuxShim
internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A file that the library takes over (`shouldMoveFile`).
///
/// The library copies it; it is removed here, once the copy is safe. It has to be nobody else's: a
/// file that has another name, or that another program or part of this one has open, is refused
/// before anything is changed (behaviour 136).
struct MovedFile: Sendable {
    private let url: URL
    // Held open, so that the file at the path can be told from another one of the same number.
    private let descriptor: Descriptor
    private let status: Status

    /// What must not have changed when the file is removed.
    private struct Status: Equatable, Sendable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64
        let links: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = Int64(status.st_mtim.tv_sec)
            nanoseconds = Int64(status.st_mtim.tv_nsec)
            links = UInt64(status.st_nlink)
        }
    }

    /// Makes sure that a file can be taken.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - descriptor: The file, open.
    ///   - library: The library's folder.
    /// - Throws: Why it is not taken.
    init(_ url: URL, _ descriptor: Descriptor, library: String) throws(LibraryError) {
        self.url = url
        self.descriptor = descriptor
        var raw = stat()
        guard fstat(descriptor.number, &raw) == 0 else {
            throw SystemError.last("fstat", path: url.path)
                .libraryError("\(url.lastPathComponent) could not be looked at.")
        }
        status = Status(raw)
        guard status.links == 1 else {
            throw Self.refusal(url, "It has \(status.links) names (hard links).")
        }
        guard let present = Self.present(url), present == status else {
            throw Self.refusal(url, "Its path is a symbolic link, or no longer names this file.")
        }
        guard ph_is_open_elsewhere(descriptor.number) == 0 else {
            throw Self.refusal(url, "It is open, in this program or another one.")
        }
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/"
        let bundle = URL(fileURLWithPath: library).resolvingSymlinksInPath().path + "/"
        guard !folder.hasPrefix(bundle) else {
            throw Self.refusal(url, "It lies in the library's own folder.")
        }
    }

    /// Removes the file.
    ///
    /// - Throws: Why it stays: it is another file now, or was changed, or cannot be removed.
    func remove() throws(LibraryError) {
        guard Self.present(url) == status else {
            throw Self.refusal(url, "It was changed or replaced while the library copied it.")
        }
        let result = url.withUnsafeFileSystemRepresentation { path in
            path.map { unlink($0) } ?? -1
        }
        guard result == 0 else {
            throw SystemError.last("unlink", path: url.path)
                .libraryError(
                    "\(url.lastPathComponent) is in the library, and could not be removed."
                )
        }
    }

    private static func present(_ url: URL) -> Status? {
        var raw = stat()
        let result = url.withUnsafeFileSystemRepresentation { path in
            path.map { lstat($0, &raw) } ?? -1
        }
        return result == 0 ? Status(raw) : nil
    }

    private static func refusal(_ url: URL, _ reason: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "\(url.lastPathComponent) cannot be moved into the library.",
            reason: reason,
            recovery: "Leave shouldMoveFile out, and remove the file yourself.",
            path: url.path
        )
    }
}
