internal import CLinuxShim
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

extension WorkerProcess {
    /// The maximum side of a movie frame in pixels.
    private static let maximumFrameSide = 16_384

    /// Receives a movie frame from the worker and sends its replacement.
    ///
    /// This process creates the memory for each frame, which limits a worker's use of memory to one
    /// frame. The memory is sealed after the worker has written it.
    ///
    /// - Returns: A reply that arrived instead of the frame, and whether the conversion continues.
    func show(
        _ facts: MovieFrameFacts,
        before deadline: SuspendingClock.Instant,
        cancellation: WorkCancellation?,
        cancelled: inout SuspendingClock.Instant?,
        draw: FrameDrawing
    ) throws(ConnectionError) -> (end: Outcome?, isWanted: Bool) {
        let sides = 1...Self.maximumFrameSide
        guard sides.contains(facts.size.width), sides.contains(facts.size.height),
            let length = facts.pixels.length, length / 4 <= limits.maximumPixels
        else { throw .malformed("A frame of \(facts.size.width)x\(facts.size.height) pixels.") }
        let memory = cphotos_memory_file("frame", length)
        guard memory >= 0 else { throw .system(errno) }
        let pixels = SealedPixels(description: facts.pixels, owning: memory)
        guard cphotos_seal_size(memory, 0) == 0 else { throw .system(errno) }
        try connection.send(WorkerRequest.frameMemory, descriptor: memory)
        let reply = try receive(
            before: deadline,
            cancellation: cancellation,
            cancelled: &cancelled
        )
        if case .ended(let clause) = reply {
            return (.lost(WorkerLoss(clause: clause, doing: "Converting")), false)
        }
        guard case .frameWritten = reply else { return (.answered(reply, memory: nil), false) }
        if cancelled != nil { return (nil, false) }
        guard cphotos_seal(memory) == 0 else {
            throw .malformed("The frame is not sealed.")
        }
        switch draw(ShownFrame(facts: facts, pixels: pixels)) {
        case .stopped: return (nil, false)
        case _ where cancellation?.isCancelled == true: return (nil, false)
        case .unchanged: try connection.send(WorkerRequest.drawnFrame(nil))
        case .picture(let picture):
            try connection.send(
                WorkerRequest.drawnFrame(picture.description.size),
                descriptor: picture.descriptor
            )
        }
        return (nil, true)
    }
}
