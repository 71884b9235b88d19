internal import LibraryService

/// The two sides of a connection.
package enum ConnectionSide: Hashable, Sendable, CaseIterable {
    case client, daemon

    /// The kinds of frames that the side may receive.
    package var receivedKinds: Set<FrameKind> {
        switch self {
        case .client: [.hello, .reply, .failure, .progress, .goodbye]
        case .daemon: [.hello, .request, .cancel, .credit, .goodbye]
        }
    }
}

/// Assembles messages from frames; the frames of different messages may be interleaved.
///
/// A daemon receives requests, and a client receives replies. The descriptors of a message arrive
/// with its first frame. If the error of a call arrives, the partial reply to the same request is
/// dropped.
package struct MessageAssembler: Sendable {
    /// The limits of the data that a peer can make the assembler retain.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of incomplete messages.
        package var openMessages = 64
        /// The maximum length of one message.
        package var messageLength = 256 << 20
        /// The maximum length of all incomplete messages together.
        package var openLength = 512 << 20

        package init() {}

        /// The limits for requests that a daemon receives.
        ///
        /// Clients stay below them, since they send no more than `CallLimits.requestBytes`.
        package static let requests: Limits = {
            var limits = Limits()
            limits.openMessages = 4
            limits.messageLength = FrameLimits.maximumRequestLength
            limits.openLength = FrameLimits.maximumRequestLength
            return limits
        }()
    }

    private struct OpenMessage: Sendable {
        /// The bodies of the frames.
        // Joined at the end: an array that grows by parts is moved to new memory again and again,
        // whose pages the kernel has to provide and to clear.
        var parts: [[UInt8]]
        var length: Int
        var descriptors: [Descriptor]

        var body: [UInt8] {
            var body: [UInt8] = []
            body.reserveCapacity(length)
            for part in parts { body.append(contentsOf: part) }
            return body
        }
    }

    private let side: ConnectionSide
    private let limits: Limits
    private var open: [UInt64: OpenMessage] = [:]
    private var openLength = 0

    package init(side: ConnectionSide, limits: Limits? = nil) {
        self.side = side
        self.limits = limits ?? (side == .daemon ? .requests : Limits())
    }

    /// The number of incomplete messages.
    package var openCount: Int { open.count }

    /// Receives a frame, and returns the message that it completes; nil if more frames follow.
    package mutating func receive(_ frame: Frame) throws(TransportError) -> Frame? {
        guard side.receivedKinds.contains(frame.kind) else {
            throw .malformed("A frame of the kind \(frame.kind) arrived at the wrong side.")
        }
        switch frame.kind {
        case .request, .reply: return try receive(part: frame)
        case .failure: drop(frame.request)
        case .hello, .cancel, .progress, .credit, .goodbye: break
        }
        return frame
    }

    private mutating func receive(part frame: Frame) throws(TransportError) -> Frame? {
        guard var message = open.removeValue(forKey: frame.request) else {
            guard frame.isContinued else { return frame }
            guard open.count < limits.openMessages else {
                throw .limit("More than \(limits.openMessages) messages have begun.")
            }
            try add(frame.body.count, to: 0)
            open[frame.request] = OpenMessage(
                parts: [frame.body],
                length: frame.body.count,
                descriptors: frame.descriptors
            )
            return nil
        }
        guard frame.descriptors.isEmpty else {
            throw .malformed("Descriptors arrived in the middle of a message.")
        }
        guard !(frame.isContinued && frame.body.isEmpty) else {
            throw .malformed("A part of a message is empty.")
        }
        try add(frame.body.count, to: message.length)
        message.parts.append(frame.body)
        message.length += frame.body.count
        guard frame.isContinued else {
            openLength -= message.length
            return Frame(
                frame.kind,
                request: frame.request,
                body: message.body,
                descriptors: message.descriptors,
                sender: frame.sender
            )
        }
        open[frame.request] = message
        return nil
    }

    private mutating func add(_ length: Int, to former: Int) throws(TransportError) {
        guard former + length <= limits.messageLength else {
            throw .limit("A message has more than \(limits.messageLength) bytes.")
        }
        guard openLength + length <= limits.openLength else {
            throw .limit("The unfinished messages have more than \(limits.openLength) bytes.")
        }
        openLength += length
    }

    /// Drops the received part of a reply.
    private mutating func drop(_ request: UInt64) {
        if let reply = open.removeValue(forKey: request) { openLength -= reply.length }
    }
}
