internal import CLinuxShim
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

extension WorkerProcess {
    /// No frame that is encoded has longer sides.
    private static let maximumFrameSide = 16_384

    /// Lets the worker write a frame, and sends what is drawn of it.
    ///
    /// The memory is this process's own, so a worker can't use up more than a frame of it; it is sealed
    /// once it is written.
    ///
    /// - Returns: An answer that came instead, and whether the movie is still wanted.
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
            throw .malformed("A frame that is still written to.")
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
