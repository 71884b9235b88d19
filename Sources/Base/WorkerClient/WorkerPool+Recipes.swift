internal import Glibc
package import PhotoModel
internal import WorkerProtocol

/// The result of rendering a recipe, which is a list of sources and operations that describes an
/// image.
package enum RenderAnswer: Sendable {
    /// The rendered pixels.
    ///
    /// `hasAlpha` is true if the last component is alpha and not 1 everywhere.
    case pixels(SealedPixels, hasAlpha: Bool)
    /// An encoded file.
    case file(SealedMemory)
    /// The rendering failed; `reason` is text for users.
    ///
    /// `source` is the index of the source that caused the failure, if one did.
    case failed(reason: String, source: Int?)
    case cancelled
}

extension WorkerPool {
    /// The factor by which HEVC encoding, the slowest kind of work, extends the time limit.
    private static let slowFactor = 4

    /// Renders a recipe in a worker.
    ///
    /// Blocks its thread until a worker is free and has answered. A rendering that crashes a worker
    /// is retried once in a new worker. Later requests try it again, since either the recipe or a
    /// file may have caused the crash.
    ///
    /// - Parameters:
    ///   - rendering: The recipe and the output format.
    ///   - descriptors: The bytes of the sources in order, which the caller keeps: files at any
    ///     offset, and sealed memory.
    ///   - cancellation: Cancels the rendering from another thread.
    ///   - priority: The priority without a `cancellation`.
    /// - Returns: The result; pixels have the requested size and format.
    /// - Throws: `WorkerError`, only when no worker is available.
    package func render(
        _ rendering: PictureRendering,
        descriptors: [Int32],
        cancellation: WorkCancellation? = nil,
        priority: WorkPriority = .visible
    ) throws(WorkerError) -> RenderAnswer {
        precondition(
            descriptors.count == rendering.sources.count,
            "Each source needs a descriptor."
        )
        var sources: [ReadOnlyDescriptor] = []
        for (index, descriptor) in descriptors.enumerated() {
            if let identity = FileIdentity(descriptor: descriptor),
                let reason = lossReason(of: identity)
            {
                return .failed(reason: reason, source: index)
            }
            guard let source = ReadOnlyDescriptor(descriptor) else {
                let reason =
                    "It cannot be opened for reading: \(String(cString: strerror(errno)))."
                return .failed(reason: reason, source: index)
            }
            sources.append(source)
        }
        var timeLimit = configuration.timeLimit
        if case .heif = rendering.output { timeLimit = timeLimit * Self.slowFactor }
        switch try run(
            .render(rendering),
            on: nil,
            sources: sources,
            timeLimit: timeLimit,
            cancellation: cancellation,
            priority: priority,
            isGivenUp: { _, loss in loss.blame == .forbiddenCall }
        ) {
        case .failed(let reason, _): return .failed(reason: reason, source: nil)
        case .cancelled: return .cancelled
        case .replied(let reply, let memory): return Self.answer(reply, memory, rendering)
        }
    }

    private static func answer(
        _ reply: WorkerReply,
        _ memory: Int32?,
        _ rendering: PictureRendering
    ) -> RenderAnswer {
        switch (reply, memory, rendering.output) {
        case (.rendered(let description, let hasAlpha), let memory?, .pixels(let layout, _)):
            let pixels = SealedPixels(description: description, owning: memory)
            let size = PixelSize(
                width: Int(rendering.region.width),
                height: Int(rendering.region.height)
            )
            // The reply is not trusted: the memory must be sealed and have the declared size.
            guard description.size == size, description.layout == layout,
                description.colors == rendering.colors, pixels.mapped() != nil
            else { break }
            return .pixels(pixels, hasAlpha: hasAlpha)
        case (.encoded(let length), let memory?, .jpeg), (.encoded(let length), let memory?, .png),
            (.encoded(let length), let memory?, .heif), (.encoded(let length), let memory?, .tiff):
            defer { close(memory) }
            guard let file = SealedMemory(descriptor: memory, length: length) else { break }
            return .file(file)
        case (_, let stray, _):
            if let stray { close(stray) }
            switch reply {
            case .failed(let reason), .unsupported(let reason):
                return .failed(reason: reason, source: nil)
            case .failedSource(let index, let reason):
                return .failed(reason: reason, source: index)
            default: break
            }
        }
        return .failed(reason: confusion, source: nil)
    }
}
