internal import CLinuxShim
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// Memory that the bytes of a worker's answer go into.
///
/// It is this process's own: a worker can neither make memory nor pass a descriptor. It is sealed
/// before anything looks at it. A worker that was taken over can keep its descriptor: it then holds what
/// was answered and nothing else.
final class AnswerMemory {
    private(set) var descriptor: Int32
    /// Whether nothing but the worker's limit on files says how long the answer may be.
    let isUnbounded: Bool

    /// Makes the memory for a request; it can't grow over what the request can lead to, where that is known.
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
        // Nobody takes it: a worker that keeps it keeps no bytes, and can't write any.
        _ = ftruncate(descriptor, 0)
        _ = cphotos_seal_size(descriptor, 1)
        close(descriptor)
    }

    /// The most bytes that a request can lead to; nil where its file says how many.
    private static func bound(of request: WorkerRequest) -> Int? {
        switch request {
        case .probe(let probe):
            let side = min(probe.renditionSide, WorkerPool.maximumRenditionSide)
            return side * side * 3
        case .decode(let decode):
            // Covering a size without cutting off what reaches beyond it takes as much as the aspect says.
            guard decode.part == .picture, decode.shape.fitting != .fill,
                let size = decode.shape.size, size.width > 0, size.height > 0,
                size.width < 1 << 20, size.height < 1 << 20
            else { return nil }
            // Scaling rounds up.
            return (size.width + 1) * (size.height + 1) * decode.layout.bytesPerPixel
        case .encode(let encode):
            // What can't be compressed gets a little longer.
            guard let length = encode.pixels.length, length < 1 << 40 else { return nil }
            return length + length / 4 + (1 << 20)
        default: return nil
        }
    }

    /// Seals the bytes that a reply says were written.
    ///
    /// - Returns: A descriptor, which is the caller's; nil for a reply without bytes.
    /// - Throws: `malformed` when the worker can still write, or wrote less.
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
