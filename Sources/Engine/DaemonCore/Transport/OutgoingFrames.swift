internal import LibraryService
internal import RemoteLibrary

/// The frames of a connection that have not been handed to its socket.
///
/// 1. Failures and progress pass replies; the progress of a call never follows its end.
/// 2. Reply frames are counted, and none is sent while the client has not acknowledged enough.
/// 3. Parts of long replies alternate with short replies and with one another. At most as many
///    long replies are begun as a client accepts.
/// 4. A call has at most one unsent progress frame, the latest.
struct OutgoingFrames {
    private struct Reply {
        var request: UInt64
        var body: [UInt8]
        var descriptors: [Descriptor]
        var offset = 0

        var isShort: Bool { body.count <= Frame.defaultPartLength }
    }

    /// The maximum number of long replies whose parts are interleaved; clients accept 64.
    private static let openLimit = 16
    /// The maximum total length in bytes of the long replies whose parts are interleaved; clients
    /// accept 512 MiB.
    private static let openLength = 384 << 20
    /// The maximum length in bytes of a reply that clients accept.
    static let longestReply = MessageAssembler.Limits().messageLength

    private(set) var credit = CreditWindow()
    private var urgent: [Frame] = []
    private var progress: [Frame] = []
    private var short: [Reply] = []
    private var waiting: [Reply] = []
    private var open: [Reply] = []
    private var isShortNext = true

    /// Indicates whether there is nothing to send.
    var isEmpty: Bool {
        urgent.isEmpty && progress.isEmpty && short.isEmpty && waiting.isEmpty && open.isEmpty
    }

    /// Indicates whether the connection must stop receiving from the client because too many
    /// failure frames are unsent.
    var isFull: Bool { urgent.count >= 1_024 }

    /// Adds the reply that ends a call.
    mutating func reply(to request: UInt64, _ message: EncodedMessage) {
        dropProgress(of: request)
        let reply = Reply(
            request: request,
            body: message.body,
            descriptors: message.descriptors
        )
        if reply.isShort { short.append(reply) } else { waiting.append(reply) }
    }

    /// Adds a frame that ends a call or the connection.
    mutating func add(_ frame: Frame) {
        dropProgress(of: frame.request)
        urgent.append(frame)
    }

    /// Adds a progress frame of a call, in place of an earlier one that is still unsent.
    mutating func report(_ frame: Frame) {
        dropProgress(of: frame.request)
        progress.append(frame)
    }

    private mutating func dropProgress(of request: UInt64) {
        progress.removeAll { $0.request == request }
    }

    /// Processes a client's acknowledgment of reply frames.
    mutating func acknowledge(
        _ credit: Credit,
        at now: SuspendingClock.Instant
    ) throws(TransportError) {
        try self.credit.acknowledge(credit, at: now)
    }

    /// Removes and returns the next frame that may be sent.
    ///
    /// - Returns: The frame, and the number of the call that it ends; nil if none may be sent.
    mutating func next(
        at now: SuspendingClock.Instant
    ) -> (frame: Frame, ended: UInt64?)? {
        if !urgent.isEmpty {
            let frame = urgent.removeFirst()
            return (frame, frame.kind == .failure ? frame.request : nil)
        }
        if !progress.isEmpty { return (progress.removeFirst(), nil) }
        guard credit.isOpen, let frame = nextReply() else { return nil }
        credit.send(frame.header, at: now)
        return (frame, frame.isContinued ? nil : frame.request)
    }

    private mutating func nextReply() -> Frame? {
        let openLength = open.reduce(0) { $0 + $1.body.count }
        if let next = waiting.first, open.count < Self.openLimit,
            open.isEmpty || openLength + next.body.count <= Self.openLength
        {
            open.append(waiting.removeFirst())
        }
        defer { isShortNext.toggle() }
        if !short.isEmpty, isShortNext || open.isEmpty {
            let reply = short.removeFirst()
            return Frame(
                .reply,
                request: reply.request,
                body: reply.body,
                descriptors: reply.descriptors
            )
        }
        guard !open.isEmpty else { return nil }
        var reply = open.removeFirst()
        let end = min(reply.offset + Frame.defaultPartLength, reply.body.count)
        let frame = Frame(
            .reply,
            request: reply.request,
            body: Array(reply.body[reply.offset..<end]),
            descriptors: reply.descriptors,
            isContinued: end < reply.body.count
        )
        reply.offset = end
        reply.descriptors = []
        if frame.isContinued { open.append(reply) }
        return frame
    }
}
