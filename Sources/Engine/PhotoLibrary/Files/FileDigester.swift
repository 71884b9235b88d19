internal import Glibc
package import LibraryService
package import PhotoModel

/// Computes the SHA-256 of an open file.
package struct FileDigester {
    private let files: FileOperations

    package init(files: FileOperations = FileOperations()) {
        self.files = files
    }

    /// Hashes a file from its beginning to its end, regardless of the descriptor's position.
    ///
    /// - Throws: `inputOutput` if it cannot be read.
    package func digest(of file: Descriptor) throws(LibraryError) -> SHA256Digest {
        do throws(SystemError) {
            return try withExtendedLifetime(file) { () throws(SystemError) in
                try files.digest(of: file.number)
            }
        } catch {
            throw error.libraryError("The file cannot be read.")
        }
    }
}

extension FileOperations {
    /// Computes the SHA-256 of an open file from its beginning to its end, regardless of the
    /// descriptor's position.
    func digest(of descriptor: Int32, path: String? = nil) throws(SystemError) -> SHA256Digest {
        guard let digest = try digest(of: descriptor, path: path, while: { true }) else {
            throw SystemError(call: "pread", number: ECANCELED, path: path)
        }
        return digest
    }

    /// Computes the SHA-256 of an open file; `mayContinue` can stop the computation.
    ///
    /// - Parameters:
    ///   - descriptor: The file.
    ///   - path: Its path, for the error.
    ///   - mayContinue: Called between parts of the file; false stops reading it.
    /// - Returns: The digest; nil if it was stopped.
    /// - Throws: The error of reading.
    func digest(
        of descriptor: Int32,
        path: String? = nil,
        while mayContinue: () -> Bool
    ) throws(SystemError) -> SHA256Digest? {
        let hasher = SHA256Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: FileCopier.chunkSize,
            alignment: 4096
        )
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try read(descriptor, at: offset, into: buffer)
            guard count > 0 else { break }
            guard mayContinue() else { return nil }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        guard let digest = hasher.finish() else {
            throw SystemError(call: "EVP_DigestFinal_ex", number: ENOMEM, path: path)
        }
        return digest
    }
}
