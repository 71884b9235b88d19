internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel

extension ImagePixels {
    /// Returns a descriptor of sealed memory that contains the pixels.
    ///
    /// Pixels in this process's memory are copied.
    func sealedMemory() throws(LibraryError) -> Descriptor {
        switch self {
        case .sealed(let descriptor): return descriptor
        case .block(let block): return try Self.sealedCopy(of: block)
        }
    }

    /// Copies pixels into a memory file that is sealed against writing and resizing.
    private static func sealedCopy(of block: PixelBlock) throws(LibraryError) -> Descriptor {
        let number = cphotos_memory_file("photos-pixels", block.count)
        guard number >= 0 else { throw failure("memfd_create") }
        let memory = Descriptor(owning: number)
        var written = 0
        while written < block.count {
            let count = pwrite(
                memory.number,
                block.start + written,
                block.count - written,
                off_t(written)
            )
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("pwrite") }
            written += count
        }
        guard cphotos_seal(memory.number) == 0 else { throw failure("fcntl") }
        return memory
    }

    private static func failure(_ call: String) -> LibraryError {
        SystemError.last(call).libraryError("The memory for an image could not be created.")
    }
}
