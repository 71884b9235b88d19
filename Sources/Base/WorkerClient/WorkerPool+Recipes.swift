internal import Glibc
package import PhotoModel
internal import WorkerProtocol

/// What came of drawing a recipe.
package enum RenderAnswer: Sendable {
    /// Pixels, and whether the last component is alpha, not one throughout.
    case pixels(SealedPixels, hasAlpha: Bool)
    /// A file.
    case file(SealedMemory)
    /// Why, in words for people, and which source is to blame, if one is.
    case failed(reason: String, source: Int?)
    case cancelled
}

extension WorkerPool {
    /// Encoding HEVC takes longer than all else.
    private static let slowFactor = 4

    /// Draws a recipe.
    ///
    /// Blocks its thread until a worker is free and has answered. What ends a worker is tried once more
    /// in a fresh one, and whenever it is asked for again: the recipe may be to blame as well as a file.
    ///
    /// - Parameters:
    ///   - rendering: What is wanted.
    ///   - descriptors: The sources' bytes in their order, which stay the caller's: files at any offset,
    ///     and sealed memory.
    ///   - cancellation: Stops it from another thread.
    ///   - priority: How urgent it is where there is no `cancellation`.
    /// - Returns: What came of it; pixels are of the size and kind that were asked for.
    /// - Throws: `WorkerError`, only when no worker could be had.
    package func render(
        _ rendering: PictureRendering,
        descriptors: [Int32],
        cancellation: WorkCancellation? = nil,
        priority: WorkPriority = .visible
    ) throws(WorkerError) -> RenderAnswer {
        precondition(descriptors.count == rendering.sources.count, "Each source has its bytes.")
        var sources: [ReadOnlyDescriptor] = []
        for (index, descriptor) in descriptors.enumerated() {
            if let identity = FileIdentity(descriptor: descriptor),
                let reason = lossReason(of: identity)
            {
                return .failed(reason: reason, source: index)
            }
            guard let source = ReadOnlyDescriptor(descriptor) else {
                let reason =
                    "It could not be opened for reading: \(String(cString: strerror(errno)))."
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
        case .failed(let reason): return .failed(reason: reason, source: nil)
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
            // The worker's word is not believed: the memory must be sealed and of that size.
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
