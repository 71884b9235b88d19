internal import Glibc
internal import Media
internal import PhotoModel
internal import WorkerProtocol

/// The exchange of movie frames with the host, which may replace them before they are encoded.
///
/// Only one frame is in transit at a time, so the memory use does not depend on the movie's length.
final class FrameExchange {
    /// A replacement frame, which stays mapped until the next frame is sent.
    private final class Picture {
        let file: MappedFile

        init(_ file: consuming MappedFile) { self.file = file }
    }

    private let connection: MessageConnection
    private var picture: Picture?

    init(connection: MessageConnection) { self.connection = connection }

    /// Sends a frame to the host and waits for the host's answer without a time limit.
    func draw(_ frame: MovieConverter.Frame) -> MovieConverter.Drawing {
        picture = nil
        do {
            try connection.send(WorkerReply.frame(frame.facts))
            guard let memory = try answer({ $0 == .frameMemory }).descriptor else {
                return .stopped
            }
            let isWritten = Self.write(frame.pixels, to: memory)
            close(memory)
            guard isWritten else { return .failed }
            try connection.send(WorkerReply.frameWritten)
            let (reply, file) = try answer {
                if case .drawnFrame = $0 { true } else { false }
            }
            defer { if let file { close(file) } }
            guard case .drawnFrame(let size) = reply else { return .stopped }
            guard let size else { return .unchanged }
            guard let file, let mapped = MappedFile.map(file) else { return .failed }
            let description = PixelBufferDescription(size: size, layout: .rgba)
            let kept = Picture(mapped)
            guard let length = description.length, kept.file.bytes.bytes.count >= length,
                let start = kept.file.bytes.bytes.baseAddress
            else { return .failed }
            picture = kept
            return .picture(size, start)
        } catch {
            return .stopped
        }
    }

    /// Receives the host's next message; any message other than the expected one counts as a
    /// cancellation.
    private func answer(
        _ isExpected: (WorkerRequest) -> Bool
    ) throws(ConnectionError) -> (message: WorkerRequest, descriptor: Int32?) {
        let (message, descriptor) = try connection.receive(WorkerRequest.self)
        guard isExpected(message) else {
            if let descriptor { close(descriptor) }
            return (.cancel, nil)
        }
        return (message, descriptor)
    }

    private static func write(_ pixels: UnsafeRawBufferPointer, to memory: Int32) -> Bool {
        var written = 0
        while written < pixels.count, let start = pixels.baseAddress {
            let count = Glibc.write(memory, start + written, pixels.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}
