internal import CLinuxShim
internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A source file that is moved into the library because the client set `shouldMoveFile`.
///
/// The library copies the file, and this type removes the source once the copy is safe. The file
/// must not be in use elsewhere: one with another hard link, one that this or another program has
/// open, or one in the folder of a library is rejected before anything is changed (behavior 136).
struct MovedFile: Sendable {
    private let url: URL
    /// The file's folder, held open so that the file is checked and removed there even if a folder
    /// in its path is renamed or replaced.
    private let folder: Descriptor
    private let name: [CChar]
    // Held open so that the inode number cannot be reused by another file.
    private let descriptor: Descriptor
    private let status: Status

    /// The attributes that must be unchanged when the file is removed.
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

    /// Creates a value for a file, or throws if the file cannot be moved into the library.
    ///
    /// - Parameters:
    ///   - url: The file's URL.
    ///   - descriptor: The open file.
    ///   - library: The path of the library's folder; nil if it is unknown.
    /// - Throws: The reason that the file is rejected.
    init(_ url: URL, _ descriptor: Descriptor, library: String?) throws(LibraryError) {
        self.url = url
        self.descriptor = descriptor
        folder = try Self.openFolder(of: url)
        name = Array(url.lastPathComponent.utf8CString)
        var raw = stat()
        guard fstat(descriptor.number, &raw) == 0 else {
            throw SystemError.last("fstat", path: url.path)
                .libraryError("\(url.lastPathComponent) cannot be accessed.")
        }
        status = Status(raw)
        guard status.links == 1 else {
            throw Self.refusal(url, "It has \(status.links) hard links.")
        }
        guard present == status else {
            throw Self.refusal(
                url,
                "Its path is a symbolic link, or no longer refers to this file."
            )
        }
        guard cphotos_is_open_elsewhere(descriptor.number) == 0 else {
            throw Self.refusal(url, "It is open in this program or another one.")
        }
        let parent = url.deletingLastPathComponent().resolvingSymlinksInPath()
        if let library {
            let bundle = URL(fileURLWithPath: library).resolvingSymlinksInPath().path + "/"
            guard !(parent.path + "/").hasPrefix(bundle) else {
                throw Self.refusal(url, "It is in the library's own folder.")
            }
        }
        guard !Self.isInLibrary(parent) else {
            throw Self.refusal(url, "It is in the folder of a library.")
        }
    }

    /// Returns whether a folder is a library's folder or is inside one.
    private static func isInLibrary(_ folder: URL) -> Bool {
        var folder = folder
        while true {
            let number = folder.withUnsafeFileSystemRepresentation { path in
                path.map { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } ?? -1
            }
            if number >= 0 {
                let name = Array(folder.lastPathComponent.utf8)
                let opened = Descriptor(owning: number)
                if SourceBundle.reason(against: name, folder: opened) != nil { return true }
            }
            guard folder.pathComponents.count > 1 else { return false }
            folder.deleteLastPathComponent()
        }
    }

    /// Removes the file.
    ///
    /// - Throws: The reason that the file remains: it was replaced or changed, or cannot be
    ///   removed.
    func remove() throws(LibraryError) {
        guard present == status else {
            throw Self.refusal(url, "It was changed or replaced while the library copied it.")
        }
        let result = withExtendedLifetime(folder) { unlinkat(folder.number, name, 0) }
        guard result == 0 else {
            throw SystemError.last("unlinkat", path: url.path)
                .libraryError(
                    "\(url.lastPathComponent) was imported, but cannot be removed."
                )
        }
    }

    /// The current attributes of the file `name` in `folder`, or nil if they cannot be read.
    ///
    /// Symbolic links are not followed.
    private var present: Status? {
        var raw = stat()
        let result = withExtendedLifetime(folder) {
            fstatat(folder.number, name, &raw, AT_SYMLINK_NOFOLLOW)
        }
        return result == 0 ? Status(raw) : nil
    }

    private static func openFolder(of url: URL) throws(LibraryError) -> Descriptor {
        let number = url.deletingLastPathComponent().withUnsafeFileSystemRepresentation { path in
            path.map { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } ?? -1
        }
        guard number >= 0 else {
            throw SystemError.last("open", path: url.deletingLastPathComponent().path)
                .libraryError("The folder of \(url.lastPathComponent) cannot be opened.")
        }
        return Descriptor(owning: number)
    }

    private static func refusal(_ url: URL, _ reason: String) -> LibraryError {
        LibraryError(
            .changeNotSupported,
            "\(url.lastPathComponent) cannot be moved into the library.",
            reason: reason,
            recovery: "Do not set shouldMoveFile, and remove the file yourself.",
            path: url.path
        )
    }
}
