internal import CLinuxShim
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// The memory for the bytes of a worker's answer.
///
/// This process creates the memory, because a worker can neither create memory nor pass a
/// descriptor, and seals it before the content is read. A compromised worker may keep its
/// descriptor, but the memory then contains only the bytes of the answer.
final class AnswerMemory {
    private(set) var descriptor: Int32
    /// Indicates whether the maximum length of the answer is unknown.
    ///
    /// Only the worker's file size limit applies then.
    let isUnbounded: Bool

    /// Creates the memory for the answer to a request.
    ///
    /// If the maximum length of the answer is known, the memory has that size and cannot grow.
    init(for request: WorkerRequest) throws(ConnectionError) {
        let bound = Self.bound(of: request)
        isUnbounded = bound == nil
        descriptor = cphotos_memory_file("answer", bound ?? 0)
        guard descriptor >= 0, bound == nil || cphotos_seal_size(descriptor, 1) == 0 else {
            throw .system(errno)
        }
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Nobody takes the memory. Truncating and sealing it leaves no bytes to a worker that keeps
        // the descriptor.
        _ = ftruncate(descriptor, 0)
        _ = cphotos_seal_size(descriptor, 1)
        close(descriptor)
    }

    /// Returns the maximum length of a request's answer in bytes; nil if it depends on the file.
    private static func bound(of request: WorkerRequest) -> Int? {
        switch request {
        case .probe(let probe):
            let side = min(probe.renditionSide, WorkerPool.maximumRenditionSide)
            return side * side * 3
        case .decode(let decode):
            // With `.fill` the result may exceed the size by an amount that depends on the aspect
            // ratio.
            guard decode.part == .picture, decode.shape.fitting != .fill,
                let size = decode.shape.size, size.width > 0, size.height > 0,
                size.width < 1 << 20, size.height < 1 << 20
            else { return nil }
            // Scaling rounds up.
            return (size.width + 1) * (size.height + 1) * decode.layout.bytesPerPixel
        case .encode(let encode):
            // Incompressible data become slightly longer.
            guard let length = encode.pixels.length, length < 1 << 40 else { return nil }
            return length + length / 4 + (1 << 20)
        default: return nil
        }
    }

    /// Truncates the memory to the length stated in a reply, and seals it.
    ///
    /// - Returns: A descriptor, which the caller must close; nil for a reply without bytes.
    /// - Throws: `malformed` when the worker can still write, or wrote fewer bytes.
    func take(for reply: WorkerReply) throws(ConnectionError) -> Int32? {
        guard let length = Self.length(of: reply), length > 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_size >= length, ftruncate(descriptor, length) == 0,
            cphotos_seal(descriptor) == 0
        else { throw .malformed("The memory of \(length) bytes was not written.") }
        defer { descriptor = -1 }
        return descriptor
    }

    static func length(of reply: WorkerReply) -> Int? {
        switch reply {
        case .probed(_, let rendition): rendition?.length
        case .decoded(_, let pixels), .rendered(let pixels, _): pixels.length
        case .encoded(let length), .adjustments(_, _, let length): length
        default: nil
        }
    }
}
