internal import LibraryService

/// The sides of a connection.
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

/// Joins the frames of replies, which may interleave with those of other replies.
///
/// A reply's descriptors arrive with its first frame. An error drops the partial reply to the same
/// request.
package struct MessageAssembler: Sendable {
    /// The limits of what a peer can make the assembler retain.
    package struct Limits: Hashable, Sendable {
        /// The maximum number of replies that have begun and not ended.
        package var openReplies = 64
        /// The maximum length of one reply.
        package var messageLength = 256 << 20
        /// The maximum length of all replies that have begun and not ended.
        package var openLength = 512 << 20

        package init() {}
    }

    private struct OpenReply: Sendable {
        var body: [UInt8]
        var descriptors: [Descriptor]
    }

    private let side: ConnectionSide
    private let limits: Limits
    private var open: [UInt64: OpenReply] = [:]
    private var openLength = 0

    package init(side: ConnectionSide, limits: Limits = Limits()) {
        self.side = side
        self.limits = limits
    }

    /// The number of replies that have begun and not ended.
    package var openCount: Int { open.count }

    /// Takes a frame and returns the message that it completes; nil if more frames follow.
    package mutating func receive(_ frame: Frame) throws(TransportError) -> Frame? {
        guard side.receivedKinds.contains(frame.kind) else {
            throw .malformed("A frame of the kind \(frame.kind) arrived at the wrong side.")
        }
        switch frame.kind {
        case .reply: return try receive(reply: frame)
        case .failure: drop(frame.request)
        case .hello, .request, .cancel, .progress, .credit, .goodbye: break
        }
        return frame
    }

    private mutating func receive(reply frame: Frame) throws(TransportError) -> Frame? {
        guard var reply = open.removeValue(forKey: frame.request) else {
            guard frame.isContinued else { return frame }
            guard open.count < limits.openReplies else {
                throw .limit("More than \(limits.openReplies) replies have begun.")
            }
            try add(frame.body.count, to: 0)
            open[frame.request] = OpenReply(body: frame.body, descriptors: frame.descriptors)
            return nil
        }
        guard frame.descriptors.isEmpty else {
            throw .malformed("Descriptors arrived in the middle of a reply.")
        }
        guard !(frame.isContinued && frame.body.isEmpty) else {
            throw .malformed("A part of a reply is empty.")
        }
        try add(frame.body.count, to: reply.body.count)
        reply.body.append(contentsOf: frame.body)
        guard frame.isContinued else {
            openLength -= reply.body.count
            return Frame(
                .reply,
                request: frame.request,
                body: reply.body,
                descriptors: reply.descriptors,
                sender: frame.sender
            )
        }
        open[frame.request] = reply
        return nil
    }

    private mutating func add(_ length: Int, to former: Int) throws(TransportError) {
        guard former + length <= limits.messageLength else {
            throw .limit("A reply has more than \(limits.messageLength) bytes.")
        }
        guard openLength + length <= limits.openLength else {
            throw .limit("The unfinished replies have more than \(limits.openLength) bytes.")
        }
        openLength += length
    }

    /// Drops the part of a reply that has arrived.
    private mutating func drop(_ request: UInt64) {
        if let reply = open.removeValue(forKey: request) { openLength -= reply.body.count }
    }
}
