internal import Glibc
package import PhotoModel
package import WorkerProtocol

/// What came of decoding a file.
package enum DecodeAnswer: Sendable {
    /// The pixels, in sealed memory whose descriptor `SealedPixels` owns.
    case pixels(DecodedFacts, SealedPixels)
    /// Not a medium that is known; why, in words for people.
    case unsupported(reason: String)
    /// The file is damaged or over a limit; why, in words for people.
    case failed(reason: String)
    case cancelled
}

/// What came of encoding pixels.
package enum EncodeAnswer: Sendable {
    case file(SealedMemory)
    /// Why, in words for people.
    case failed(reason: String)
}

/// Pixels in sealed memory that is not mapped yet: on their way to whoever wants them.
///
/// Owns the descriptor.
package final class SealedPixels: Sendable {
    package let description: PixelBufferDescription
    /// Valid as long as this object is.
    package let descriptor: Int32

    /// Takes over a descriptor.
    package init(description: PixelBufferDescription, owning descriptor: Int32) {
        self.description = description
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// One more descriptor of the memory, which is the caller's.
    package func duplicated() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

    /// The pixels, mapped.
    package func mapped() -> PixelMemory? {
        PixelMemory(
            description: description,
            descriptor: descriptor,
            maximumSide: WorkerPool.maximumDecodedSide
        )
    }
}

extension WorkerPool {
    /// No picture has a side longer than this, whatever a worker says.
    package static let maximumDecodedSide = 1 << 20

    /// Decodes the picture in the file behind `descriptor`, which stays the caller's and may be at any
    /// offset; of a movie, the first frame that shows something.
    ///
    /// - Throws: `WorkerError`, only when no worker could be had. A file that crashes or hangs a worker
    ///   is an answer (`failed`), and is not tried again with this pool.
    package func decode(
        _ request: DecodeRequest,
        descriptor: Int32,
        cancellation: WorkCancellation? = nil
    ) throws(WorkerError) -> DecodeAnswer {
        switch try run(.decode(request), on: descriptor, cancellation: cancellation) {
        case .failed(let reason): return .failed(reason: reason)
        case .cancelled: return .cancelled
        case .replied(.decoded(let facts, let description), let memory):
            guard let memory else { return .failed(reason: Self.confusion) }
            let pixels = SealedPixels(description: description, owning: memory)
            // The worker's word is not believed: the memory must be sealed and of that size.
            guard description.layout == request.layout, description.colors == request.colors,
                pixels.mapped() != nil
            else { return .failed(reason: Self.confusion) }
            return .pixels(facts, pixels)
        case .replied(let reply, let memory):
            if let memory { close(memory) }
            return switch reply {
            case .unsupported(let reason): .unsupported(reason: reason)
            case .failed(let reason): .failed(reason: reason)
            default: .failed(reason: Self.confusion)
            }
        }
    }

    /// Encodes pixels in the sealed memory behind `descriptor`, which stays the caller's.
    ///
    /// - Throws: `WorkerError`, only when no worker could be had.
    package func encode(
        _ request: EncodeRequest,
        descriptor: Int32
    ) throws(WorkerError) -> EncodeAnswer {
        switch try run(.encode(request), on: descriptor, cancellation: nil) {
        case .failed(let reason): return .failed(reason: reason)
        case .cancelled: return .failed(reason: Self.confusion)
        case .replied(let reply, let memory):
            defer { if let memory { close(memory) } }
            switch reply {
            case .encoded(let length):
                guard let memory, let file = SealedMemory(descriptor: memory, length: length)
                else { return .failed(reason: Self.confusion) }
                return .file(file)
            case .failed(let reason): return .failed(reason: reason)
            default: return .failed(reason: Self.confusion)
            }
        }
    }
}
