package import LibraryService
package import PhotoModel

/// Computes the SHA-256 of an open file.
package struct FileDigester {
    private let files: FileOperations

    package init(files: FileOperations = FileOperations()) {
        self.files = files
    }

    /// Reads a file from its beginning to its end, wherever its descriptor stands.
    ///
    /// - Throws: `inputOutput` when it cannot be read.
    package func digest(of file: Descriptor) throws(LibraryError) -> SHA256Digest {
        let hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: FileCopier.chunkSize,
            alignment: 4096
        )
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count: Int
            do throws(SystemError) {
                count = try withExtendedLifetime(file) { () throws(SystemError) in
                    try files.read(file.number, at: offset, into: buffer)
                }
            } catch {
                throw error.libraryError("The file could not be read.")
            }
            guard count > 0 else { break }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        guard let digest = hasher.finish() else {
            throw LibraryError(
                .internalError,
                "The SHA-256 of the file could not be computed.",
                reason: "OpenSSL has no memory."
            )
        }
        return digest
    }
}
