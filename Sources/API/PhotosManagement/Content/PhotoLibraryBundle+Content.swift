public import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

extension PhotoLibraryBundle {
    /// The assets that have a file with the same bytes as this one: so that nothing is written twice.
    ///
    /// The file is read once, as a whole. Its name and times do not count, and sidecars of the library
    /// do not either.
    ///
    /// - Parameter fileURL: A file anywhere; links are followed.
    /// - Returns: Empty when the bytes are new to the library. Assets outside Recently Deleted come
    ///   first, the oldest ahead.
    /// - Throws: `PHPhotosError` when the file or the library cannot be read.
    public func assets(withContentOf fileURL: URL) throws -> [KnownContent] {
        try assets(withContentOf: [fileURL]).first ?? []
    }

    /// For each of many files, the assets that have a file with the same bytes.
    ///
    /// - Parameter fileURLs: Files anywhere; links are followed.
    /// - Returns: An answer per file, in their order.
    /// - Throws: `PHPhotosError` when a file or the library cannot be read.
    public func assets(withContentOf fileURLs: [URL]) throws -> [[KnownContent]] {
        try edge { () throws(LibraryError) in
            var digests: [String] = []
            for url in fileURLs {
                // One at a time: programs may have few descriptors.
                let file = try Self.open(SourcePath(url.path(percentEncoded: false)))
                digests += try service.fileDigests(of: [file]).digests
            }
            return try matches(digests)
        }
    }

    /// For each of many SHA-256, the assets that have a file with it.
    ///
    /// - Parameter digests: 64 hexadecimal digits each, as `sha256sum` prints them.
    /// - Returns: An answer per digest, in their order.
    /// - Throws: `PHPhotosError` for what is no SHA-256, and when the library cannot be read.
    public func assets(withSHA256 digests: [String]) throws -> [[KnownContent]] {
        try edge { () throws(LibraryError) in try matches(digests.map { $0.lowercased() }) }
    }

    private func matches(_ digests: [String]) throws(LibraryError) -> [[KnownContent]] {
        guard !digests.isEmpty else { return [] }
        return try service.findContent(FindContentRequest(digests: digests)).matches.map {
            $0.map(KnownContent.init)
        }
    }

    /// Opens a regular file for reading.
    ///
    /// Never blocks: it may be a named pipe.
    private static func open(_ path: SourcePath) throws(LibraryError) -> Descriptor {
        let number = path.withCString {
            Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        }
        guard number >= 0 else {
            throw FileAccessError().libraryError("\(path) could not be opened.", path: path)
        }
        let file = Descriptor(owning: number)
        var status = stat()
        let isRegular = withExtendedLifetime(file) {
            fstat(file.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
        guard isRegular else {
            throw LibraryError(
                .invalidRequest,
                "\(path) is not a file.",
                recovery: "Name a regular file.",
                path: path.description
            )
        }
        return file
    }
}
