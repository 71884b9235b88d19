internal import BinaryCoding
internal import CLinuxShim
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// One end of the socket between host and worker, which carries length-prefixed messages.
///
/// A message has at most one descriptor. Greetings are JSON, so that every version can read them. A
/// worker of the same version then uses the form of `BinaryCoder`, which the highest bit of the
/// length marks, and so does its host.
///
/// Used by one thread at a time. Does not own the socket.
package struct MessageConnection: Sendable {
    /// The maximum length of a message in bytes; receiving a longer one is an error.
    package static let maximumMessageLength = 4 << 20

    /// The maximum length in bytes of a message that is sent together with its header.
    private static let copiedLength = 16 << 10

    /// The bit of the length that marks a message in binary form.
    private static let binaryMark: UInt32 = 1 << 31

    /// The encoding with which this end sends messages: JSON or binary.
    private final class Form: Sendable {
        let isBinary = Atomic<Bool>(false)
    }

    /// The coder of both ends, which limits the memory of decoded values and requires finite
    /// numbers.
    private static let coder: BinaryCoder = {
        var limits = CodingLimits()
        // A record of another library has many properties, most of them nil.
        limits.memoryPerByte = 16
        limits.additionalMemory = 4 << 20
        limits.requiresFiniteNumbers = true
        return BinaryCoder(limits: limits)
    }()

    /// The socket.
    package let socket: Int32

    private let form = Form()

    package init(socket: Int32) {
        self.socket = socket
    }

    /// Sends all further messages in binary form; the other end also switches when it receives one
    /// of them.
    package func useBinaryForm() { form.isBinary.store(true, ordering: .relaxed) }

    // MARK: - Sending

    /// Sends one message with an optional `descriptor`, which the caller keeps and must close.
    package func send(_ message: some Encodable, descriptor: Int32? = nil)
        throws(ConnectionError)
    {
        let isBinary = form.isBinary.load(ordering: .relaxed)
        let body: [UInt8]
        do {
            body =
                isBinary
                ? try Self.coder.encode(message) : Array(try JSONEncoder().encode(message))
        } catch {
            throw .malformed("The message cannot be encoded: \(error)")
        }
        guard body.count <= Self.maximumMessageLength else { throw .tooLong(body.count) }
        let length = UInt32(body.count) | (isBinary ? Self.binaryMark : 0)
        let header = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        // One call for both costs a copy, which takes longer than a call for large messages.
        if body.count > Self.copiedLength {
            try send(header, beside: descriptor)
            try send(body, beside: nil)
        } else {
            try send(header + body, beside: descriptor)
        }
    }

    /// Sends bytes; a descriptor is sent with the first of them.
    private func send(_ bytes: [UInt8], beside descriptor: Int32?) throws(ConnectionError) {
        var sent = 0
        while sent < bytes.count {
            let beside = sent == 0 ? descriptor ?? -1 : -1
            let count = bytes.withUnsafeBytes { whole in
                let part = UnsafeRawBufferPointer(rebasing: whole[sent...])
                return part.baseAddress.map { cphotos_send(socket, $0, part.count, beside) } ?? 0
            }
            guard count > 0 else { throw Self.systemError() }
            sent += count
        }
    }

    // MARK: - Receiving

    /// Receives one message and its descriptor, which the caller must close.
    ///
    /// - Parameters:
    ///   - type: The expected type of the message.
    ///   - deadline: The time at which the call fails with `timedOut`; nil waits indefinitely.
    ///   - meanwhile: Called every 20 ms while no message has arrived; only with a deadline.
    /// - Returns: The message, and the descriptor or nil.
    /// - Throws: `ConnectionError`; no descriptor stays open then.
    package func receive<Message: Decodable>(
        _ type: Message.Type,
        before deadline: SuspendingClock.Instant? = nil,
        meanwhile: (() -> Void)? = nil
    ) throws(ConnectionError) -> (message: Message, descriptor: Int32?) {
        var descriptor: Int32 = -1
        do {
            let header = try read(
                4,
                before: deadline,
                meanwhile: meanwhile,
                descriptor: &descriptor
            )
            let mark = header.reduce(0) { $0 << 8 | UInt32($1) }
            let isBinary = mark & Self.binaryMark != 0
            let length = Int(mark & ~Self.binaryMark)
            guard length <= Self.maximumMessageLength else {
                throw ConnectionError.tooLong(length)
            }
            let body = try read(length, before: deadline, descriptor: &descriptor)
            do {
                let message =
                    isBinary
                    ? try Self.coder.decode(Message.self, from: body)
                    : try JSONDecoder().decode(Message.self, from: Data(body))
                if isBinary { useBinaryForm() }
                return (message, descriptor < 0 ? nil : descriptor)
            } catch {
                throw ConnectionError.malformed("\(error)")
            }
        } catch {
            if descriptor >= 0 { _ = close(descriptor) }
            throw error as? ConnectionError ?? .malformed("\(error)")
        }
    }

    private func read(
        _ length: Int,
        before deadline: SuspendingClock.Instant?,
        meanwhile: (() -> Void)? = nil,
        descriptor: inout Int32
    ) throws(ConnectionError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        var received = 0
        while received < length {
            if let deadline { try wait(before: deadline, meanwhile: meanwhile) }
            var passed: Int32 = -1
            let count = bytes.withUnsafeMutableBytes { whole -> Int in
                let rest = UnsafeMutableRawBufferPointer(rebasing: whole[received...])
                return rest.baseAddress.map {
                    cphotos_receive(socket, $0, rest.count, deadline == nil ? 1 : 0, &passed)
                } ?? 0
            }
            if passed >= 0 {
                // A message has one descriptor; a second one is closed.
                if descriptor < 0 { descriptor = passed } else { _ = close(passed) }
            }
            if count == 0 { throw .closed }
            if count < 0 {
                if deadline != nil, errno == EAGAIN || errno == EWOULDBLOCK { continue }
                throw Self.systemError()
            }
            received += count
        }
        return bytes
    }

    private func wait(
        before deadline: SuspendingClock.Instant,
        meanwhile: (() -> Void)?
    ) throws(ConnectionError) {
        while true {
            meanwhile?()
            let left = deadline - .now
            guard left > .zero else { throw .timedOut }
            let milliseconds =
                left.components.seconds * 1000
                + left.components.attoseconds / 1_000_000_000_000_000
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let limit = meanwhile == nil ? milliseconds + 1 : min(20, milliseconds + 1)
            let count = poll(&entry, 1, Int32(clamping: limit))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw Self.systemError() }
        }
    }

    private static func systemError() -> ConnectionError {
        let number = errno
        return number == EPIPE || number == ECONNRESET ? .closed : .system(number)
    }
}

/// The failure of a message exchange.
package enum ConnectionError: Error, Hashable, Sendable {
    /// The peer closed the connection.
    case closed
    case timedOut
    /// A message exceeds the length limit; the value is the message's number of bytes.
    case tooLong(Int)
    /// A message is unexpected or malformed; the value describes it.
    case malformed(String)
    /// A system call failed; the value is the errno.
    case system(Int32)
}
