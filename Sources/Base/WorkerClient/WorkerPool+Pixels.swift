internal import Glibc
package import PhotoModel
package import WorkerProtocol

/// The result of decoding a file.
package enum DecodeAnswer: Sendable {
    /// The pixels, in sealed memory whose descriptor `SealedPixels` owns.
    case pixels(DecodedFacts, SealedPixels)
    /// The file is not a supported medium; `reason` is text for users.
    case unsupported(reason: String)
    /// The file is damaged or over a limit; `reason` is text for users.
    case failed(reason: String)
    case cancelled
}

/// The result of encoding pixels.
package enum EncodeAnswer: Sendable {
    case file(SealedMemory)
    /// The encoding failed; `reason` is text for users.
    case failed(reason: String)
}

/// Pixels in sealed memory that is not mapped yet, so that it can be passed to another process.
///
/// The object owns the descriptor of the memory.
package final class SealedPixels: Sendable {
    package let description: PixelBufferDescription
    /// The descriptor of the memory, valid while this object is retained.
    package let descriptor: Int32

    /// Takes ownership of a descriptor.
    package init(description: PixelBufferDescription, owning descriptor: Int32) {
        self.description = description
        self.descriptor = descriptor
    }

    deinit { _ = close(descriptor) }

    /// Returns a duplicate descriptor, which the caller must close.
    package func duplicated() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

    /// Maps the pixels; returns nil if the memory is invalid.
    package func mapped() -> PixelMemory? {
        PixelMemory(
            description: description,
            descriptor: descriptor,
            maximumSide: WorkerPool.maximumDecodedSide
        )
    }
}

extension WorkerPool {
    /// The maximum side of a decoded image in pixels; workers' replies are checked against it.
    package static let maximumDecodedSide = 1 << 20

    /// Decodes the image in a file, or a frame of a movie.
    ///
    /// Of a movie, the requested frame is decoded, or else the first one that is not dark. The
    /// caller keeps `descriptor`, which may be at any offset.
    ///
    /// - Throws: `WorkerError`, only when no worker is available. A file that crashes or hangs
    ///   workers is an answer (`failed`), and this pool does not try it again.
    package func decode(
        _ request: DecodeRequest,
        descriptor: Int32,
        cancellation: WorkCancellation? = nil
    ) throws(WorkerError) -> DecodeAnswer {
        switch try run(.decode(request), on: descriptor, cancellation: cancellation) {
        case .failed(let reason, _): return .failed(reason: reason)
        case .cancelled: return .cancelled
        case .replied(.decoded(let facts, let description), let memory):
            guard let memory else { return .failed(reason: Self.confusion) }
            let pixels = SealedPixels(description: description, owning: memory)
            // The reply is not trusted: the memory must be sealed and have the declared size.
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

    /// Encodes the pixels in the sealed memory behind `descriptor`.
    ///
    /// The caller keeps the descriptor and must close it.
    ///
    /// - Throws: `WorkerError`, only when no worker is available.
    package func encode(
        _ request: EncodeRequest,
        descriptor: Int32
    ) throws(WorkerError) -> EncodeAnswer {
        switch try run(.encode(request), on: descriptor, cancellation: nil) {
        case .failed(let reason, _): return .failed(reason: reason)
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
