public import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel

extension PhotoLibraryBundle {
    /// Returns the assets that have a file with the same bytes as the given file.
    ///
    /// Use it to avoid storing a file twice. The given file is read once, in full. File names and
    /// times are not compared. Sidecars in the library are not compared either.
    ///
    /// - Parameter fileURL: A file at any location; symbolic links are followed.
    /// - Returns: The assets, those outside Recently Deleted first, each group oldest first. Empty
    ///   when the content is new to the library.
    /// - Throws: `PHPhotosError` when the file or the library cannot be read.
    public func assets(withContentOf fileURL: URL) throws -> [KnownContent] {
        try assets(withContentOf: [fileURL]).first ?? []
    }

    /// Returns, for each of several files, the assets that have a file with the same bytes.
    ///
    /// - Parameter fileURLs: Files at any location; symbolic links are followed.
    /// - Returns: One array per file, in the order of the files.
    /// - Throws: `PHPhotosError` when a file or the library cannot be read.
    public func assets(withContentOf fileURLs: [URL]) throws -> [[KnownContent]] {
        try edge { () throws(LibraryError) in
            var digests: [String] = []
            for url in fileURLs {
                // One at a time, since the process may have few descriptors left.
                let file = try Self.open(SourcePath(url.path(percentEncoded: false)))
                digests += try service.fileDigests(of: [file]).digests
            }
            return try matches(digests)
        }
    }

    /// Returns, for each of several SHA-256 digests, the assets that have a file with that digest.
    ///
    /// - Parameter digests: 64 hexadecimal digits each, as `sha256sum` prints them.
    /// - Returns: One array per digest, in the order of the digests.
    /// - Throws: `PHPhotosError` when a string is not a SHA-256, and when the library cannot be
    ///   read.
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
    /// Never blocks, even when the path names a named pipe.
    private static func open(_ path: SourcePath) throws(LibraryError) -> Descriptor {
        let number = path.withCString {
            Glibc.open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        }
        guard number >= 0 else {
            throw FileAccessError().libraryError("\(path) cannot be opened.", path: path)
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
                recovery: "Choose a regular file.",
                path: path.description
            )
        }
        return file
    }
}
