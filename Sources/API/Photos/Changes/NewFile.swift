internal import CLinuxShim
internal import Foundation
internal import LibraryService
internal import PhotoModel

/// The content of a new resource, as supplied by a client.
enum NewFile {
    case data(Data)
    case url(URL, isMoved: Bool)

    var isMoved: Bool {
        if case .url(_, let isMoved) = self { isMoved } else { false }
    }

    /// Opens the content for the library to read.
    ///
    /// - Parameter library: The path of the library's folder; nil if it is unknown.
    /// - Returns: A descriptor, and the file to remove after the commit.
    /// - Throws: The reason that the content cannot be read, or that the file cannot be moved.
    func open(library: String?) throws(LibraryError) -> (Descriptor, MovedFile?) {
        switch self {
        case .data(let data):
            return (try Self.memory(with: data), nil)
        case .url(let url, let isMoved):
            let descriptor = try Self.open(url)
            return (
                descriptor,
                isMoved ? try MovedFile(url, descriptor, library: library) : nil
            )
        }
    }

    /// Opens a file without blocking, even if the path names a pipe or a device.
    static func open(_ url: URL) throws(LibraryError) -> Descriptor {
        let number = retryingWithMoreFiles {
            url.withUnsafeFileSystemRepresentation { path in
                path.map { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) } ?? -1
            }
        }
        guard number >= 0 else {
            let failure = SystemError.last("open", path: url.path)
            let message = "\(url.lastPathComponent) cannot be opened."
            guard failure.number == ENOENT || failure.number == ENOTDIR else {
                throw failure.libraryError(message)
            }
            throw LibraryError(
                .missingResource,
                "\(url.lastPathComponent) does not exist.",
                reason: failure.reason,
                recovery: "A file must exist until the change is complete.",
                path: url.path
            )
        }
        return Descriptor(owning: number)
    }

    private static func memory(with data: Data) throws(LibraryError) -> Descriptor {
        let number = retryingWithMoreFiles { cphotos_memory_file("photos-resource", data.count) }
        guard number >= 0 else {
            throw SystemError.last("memfd_create").libraryError(
                "There is not enough memory for \(data.count) bytes of a resource."
            )
        }
        let descriptor = Descriptor(owning: number)
        let failure = withExtendedLifetime(descriptor) {
            data.withUnsafeBytes { bytes -> SystemError? in
                var written = 0
                while written < bytes.count {
                    let count = pwrite(
                        descriptor.number,
                        bytes.baseAddress?.advanced(by: written),
                        bytes.count - written,
                        off_t(written)
                    )
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return SystemError.last("write") }
                    written += count
                }
                return nil
            }
        }
        if let failure {
            throw failure.libraryError("The data of a resource cannot be passed to the library.")
        }
        return descriptor
    }

    /// Raises the process's limit on open files to the maximum if a block adds many files.
    ///
    /// The library opens each of the files once more.
    static func makeRoom(for count: Int) {
        if count > 200 { _ = cphotos_allow_more_files() }
    }

    /// Runs a closure that opens a file, and retries it with a higher limit on open files if the
    /// limit was reached.
    ///
    /// A block with thousands of files needs more descriptors than the default limit allows.
    private static func retryingWithMoreFiles(_ body: () -> Int32) -> Int32 {
        let number = body()
        guard number < 0, errno == EMFILE, cphotos_allow_more_files() == 0 else { return number }
        return body()
    }
}
