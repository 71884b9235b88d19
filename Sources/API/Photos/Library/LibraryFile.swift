internal import Foundation
internal import Glibc
internal import LibraryService
internal import RemoteLibrary

/// An open file of a library, and a URL for reading it.
///
/// A program that uses the daemon without owning the library does not learn where the file is. Its
/// URL names the open file instead, and is valid as long as this value exists. A program of another
/// user than the library's may read the open file, but not open it by a name, so it gets a copy of
/// its own.
struct LibraryFile: Sendable {
    let url: URL
    /// The open file that `url` refers to through `/proc`, or nil if `url` is the file's path.
    let descriptor: Descriptor?

    /// Indicates whether the URL is valid only as long as this value exists.
    var isTemporary: Bool { descriptor != nil }

    /// Creates a library file from an open file, with or without its path.
    ///
    /// - Parameters:
    ///   - path: The absolute path; nil for a program that does not learn it.
    ///   - descriptor: The file, open for reading.
    init(path: String?, _ descriptor: Descriptor) {
        let descriptor = path == nil ? Self.openable(descriptor) : descriptor
        self.descriptor = path == nil ? descriptor : nil
        url = URL(
            fileURLWithPath: path ?? "\(Self.process)/fd/\(descriptor.number)",
            isDirectory: false
        )
    }

    /// Returns the file if this process can reopen it through `/proc`, otherwise an open copy of
    /// the file.
    private static func openable(_ file: Descriptor) -> Descriptor {
        var status = stat()
        guard fstat(file.number, &status) == 0, status.st_uid != geteuid(),
            access("/proc/self/fd/\(file.number)", R_OK) != 0
        else { return file }
        // Without a copy, opening the URL fails.
        return (try? file.copy(near: NSTemporaryDirectory())) ?? file
    }

    /// The folder of this process in `/proc`.
    ///
    /// Its name is the process's number instead of `self`, so that child processes can read the
    /// file too.
    private static let process: String = {
        let number = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self")
        return "/proc/\(number ?? "self")"
    }()
}
