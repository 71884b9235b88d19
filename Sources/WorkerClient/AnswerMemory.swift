internal import CLinuxShim
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// Memory that the bytes of a worker's answer go into.
///
/// It is this process's own: a worker can neither make memory nor pass a descriptor. It is sealed
/// before anything looks at it.
final class AnswerMemory {
    private(set) var descriptor: Int32

    /// Makes the memory for a request; a rendition's can't grow over the size that was asked for.
    init(for request: WorkerRequest) throws(ConnectionError) {
        var limit = 0
        if case .probe(let probe) = request {
            let side = min(probe.renditionSide, WorkerPool.maximumRenditionSide)
            limit = side * side * 3
        }
        descriptor = ph_memory_file("answer", limit)
        guard descriptor >= 0, limit == 0 || ph_seal_size(descriptor, 1) == 0 else {
            throw .system(errno)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
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
            ph_seal(descriptor) == 0
        else { throw .malformed("The memory of \(length) bytes was not written.") }
        defer { descriptor = -1 }
        return descriptor
    }

    private static func length(of reply: WorkerReply) -> Int? {
        switch reply {
        case .probed(_, let rendition): rendition?.length
        case .decoded(_, let pixels), .rendered(let pixels, _): pixels.length
        case .encoded(let length), .adjustments(_, _, let length): length
        default: nil
        }
    }
}
