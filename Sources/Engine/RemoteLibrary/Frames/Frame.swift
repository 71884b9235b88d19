package import LibraryService

/// A frame of the connection's protocol, with its body and its file descriptors.
package struct Frame: Sendable {
    package var kind: FrameKind
    package var request: UInt64
    /// Indicates whether more frames of the same message follow.
    package var isContinued: Bool
    package var body: [UInt8]
    package var descriptors: [Descriptor]
    /// The process identifier of the sender of a received frame.
    ///
    /// It is 0 unless the kernel attached the same identifier to all bytes of the frame.
    package var sender: Int32

    package init(
        _ kind: FrameKind,
        request: UInt64 = 0,
        body: [UInt8] = [],
        descriptors: [Descriptor] = [],
        isContinued: Bool = false,
        sender: Int32 = 0
    ) {
        self.kind = kind
        self.request = request
        self.body = body
        self.descriptors = descriptors
        self.isContinued = isContinued
        self.sender = sender
    }

    package var header: FrameHeader {
        FrameHeader(
            kind,
            request: request,
            bodyLength: body.count,
            descriptorCount: descriptors.count,
            isContinued: isContinued
        )
    }

    /// The default length of the parts into which a long reply is divided.
    ///
    /// It is short enough for the frames of other replies to be sent in between.
    package static let defaultPartLength = 1 << 20

    /// Divides the reply to a request into frames; the first frame carries the descriptors.
    package static func frames(
        replyingTo request: UInt64,
        body: [UInt8],
        descriptors: [Descriptor] = [],
        partLength: Int = defaultPartLength
    ) -> [Frame] {
        frames(.reply, request, body, descriptors, partLength)
    }

    /// Divides a request into frames; the first frame carries the descriptors.
    ///
    /// There are several frames only if the body exceeds the length of one.
    package static func frames(
        requesting request: UInt64,
        body: [UInt8],
        descriptors: [Descriptor] = [],
        partLength: Int = FrameLimits.maximumBodyLength
    ) -> [Frame] {
        frames(.request, request, body, descriptors, partLength)
    }

    private static func frames(
        _ kind: FrameKind,
        _ request: UInt64,
        _ body: [UInt8],
        _ descriptors: [Descriptor],
        _ partLength: Int
    ) -> [Frame] {
        precondition((1...FrameLimits.maximumBodyLength).contains(partLength))
        guard body.count > partLength else {
            return [Frame(kind, request: request, body: body, descriptors: descriptors)]
        }
        return stride(from: 0, to: body.count, by: partLength).map { start in
            let end = min(start + partLength, body.count)
            return Frame(
                kind,
                request: request,
                body: Array(body[start..<end]),
                descriptors: start == 0 ? descriptors : [],
                isContinued: end < body.count
            )
        }
    }
}
