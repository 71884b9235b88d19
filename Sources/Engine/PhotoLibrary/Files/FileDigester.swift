internal import CLinuxShim
internal import Glibc
package import LibraryService
package import PhotoModel

/// Computes the SHA-256 of an open file.
package struct FileDigester {
    private let files: FileOperations

    package init(files: FileOperations = FileOperations()) {
        self.files = files
    }

    private static let message = "The file cannot be read."

    /// Hashes a file from its beginning to its end, regardless of the descriptor's position.
    ///
    /// The file may be of a program that wants it to have no end. So it must be a regular file, no
    /// more than its size is read, and a cancellation of the current `CallContext` ends the call.
    ///
    /// - Throws: `invalidRequest` if it is not a regular file; `inputOutput` if it cannot be read
    ///   or becomes longer meanwhile; `cancelled`.
    package func digest(of file: Descriptor) throws(LibraryError) -> SHA256Digest {
        defer { withExtendedLifetime(file) {} }
        let context = CallContext.current
        let status: FileStatus
        var digest: SHA256Digest?
        do throws(SystemError) {
            status = try files.status(of: file.number)
            if status.isRegularFile {
                digest = try files.digest(of: file.number, limit: Self.limit(of: file, status)) {
                    context?.isCancelled != true
                }
            }
        } catch {
            throw error.libraryError(Self.message)
        }
        if let digest { return digest }
        guard status.isRegularFile else {
            throw LibraryError(
                .invalidRequest,
                Self.message,
                reason: "It is \(status.kind).",
                recovery: "Choose a regular file."
            )
        }
        try CallContext.current?.checkCancellation()
        throw LibraryError(
            .inputOutput,
            Self.message,
            reason: "It became longer while it was read.",
            recovery: "Try again when no program writes to it."
        )
    }

    /// Returns the number of bytes that a file may have.
    private static func limit(of file: Descriptor, _ status: FileStatus) -> Int64 {
        // Programs that mount devices report sizes that are too small.
        let isServed = cphotos_is_served_by_program(file.number) != 0
        return status.size.addingSaturated(isServed ? FileStager.maximumExcess : 0)
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
    ///   - limit: The number of bytes that the file may have; it stops after them.
    ///   - mayContinue: Called between parts of the file; false stops reading it.
    /// - Returns: The digest; nil if it was stopped.
    /// - Throws: The error of reading.
    func digest(
        of descriptor: Int32,
        path: String? = nil,
        limit: Int64 = .max,
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
            guard Int64(count) <= limit - offset, mayContinue() else { return nil }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += Int64(count)
        }
        guard let digest = hasher.finish() else {
            throw SystemError(call: "EVP_DigestFinal_ex", number: ENOMEM, path: path)
        }
        return digest
    }
}
