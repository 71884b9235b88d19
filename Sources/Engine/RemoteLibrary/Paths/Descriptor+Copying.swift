internal import CLinuxShim
internal import Glibc
package import LibraryService
package import PhotoModel

extension Descriptor {
    /// The maximum size, in bytes, of a copy in memory; larger copies are unnamed temporary files.
    private static let memoryLimit = 64 << 20
    private static let chunkSize = 1 << 20

    /// Returns a read-only copy of the file, so that the recipient cannot modify the original.
    ///
    /// The copy is sealed memory, or an unnamed temporary file that is opened for reading. It is
    /// deleted when its last descriptor is closed. A process can open it again by its name in
    /// `/proc/self/fd`.
    ///
    /// - Parameter folder: A folder on the file system of the file, which may share the bytes.
    /// - Returns: The copy.
    /// - Throws: `noSpace` or `inputOutput` if it cannot be made.
    package func copy(near folder: String) throws(LibraryError) -> Descriptor {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw Self.failure("fstat") }
        let size = Int(status.st_size)
        guard size > Self.memoryLimit else {
            let memory = try Self.owning(cphotos_memory_file("photos-copy", size), "memfd_create")
            try copy(to: memory)
            guard cphotos_seal(memory.number) == 0 else { throw Self.failure("fcntl") }
            return memory
        }
        let copy = try Self.namelessFile(near: folder)
        try self.copy(to: copy)
        return try Self.owning(open("/proc/self/fd/\(copy.number)", O_RDONLY | O_CLOEXEC), "open")
    }

    private static func owning(
        _ number: Int32,
        _ call: String
    ) throws(LibraryError) -> Descriptor {
        guard number >= 0 else { throw failure(call) }
        return Descriptor(owning: number)
    }

    private static func namelessFile(near folder: String) throws(LibraryError) -> Descriptor {
        for folder in [folder, "/var/tmp", "/tmp"] {
            let number = cphotos_nameless_file(folder)
            if number >= 0 { return Descriptor(owning: number) }
        }
        throw failure("open")
    }

    private func copy(to copy: Descriptor) throws(LibraryError) {
        // Shares the bytes where the file system can.
        if cphotos_clone_file(copy.number, number) == 0 { return }
        var position = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.chunkSize,
            alignment: 16
        )
        defer { buffer.deallocate() }
        while true {
            let count = pread(number, buffer.baseAddress, buffer.count, off_t(position))
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("pread") }
            var bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            while !bytes.isEmpty {
                let written = pwrite(copy.number, bytes.baseAddress, bytes.count, off_t(position))
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw Self.failure("pwrite") }
                bytes = UnsafeRawBufferPointer(rebasing: bytes[written...])
                position += written
            }
        }
    }

    private static func failure(_ call: String) -> LibraryError {
        SystemError.last(call).libraryError("A file for a program could not be copied.")
    }
}
