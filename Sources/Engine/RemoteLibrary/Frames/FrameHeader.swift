/// The kinds of frames.
package enum FrameKind: UInt8, Hashable, Sendable, CaseIterable {
    /// The first message of each side, in JSON.
    case hello = 1
    /// A request of the client to perform a call.
    case request = 2
    /// The result of a call, or a part of it.
    case reply = 3
    /// The error of a call that failed.
    case failure = 4
    /// A request of the client to cancel a call.
    case cancel = 5
    /// The progress of a call.
    case progress = 6
    /// A client's acknowledgment of received reply bytes.
    case credit = 7
    /// The last message of a side, in JSON.
    case goodbye = 8

    /// The maximum length of a frame's body.
    package var maximumBodyLength: Int {
        switch self {
        // An error may name many identifiers.
        case .request, .reply, .failure: FrameLimits.maximumBodyLength
        case .hello, .goodbye, .progress: 64 << 10
        case .credit: 8
        case .cancel: 0
        }
    }

    /// Indicates whether frames may carry descriptors.
    package var mayHaveDescriptors: Bool { self == .request || self == .reply }

    /// Indicates whether a message may consist of several frames.
    package var mayBeContinued: Bool { self == .request || self == .reply }
}

/// The limits of frames, which both sides check.
package enum FrameLimits {
    package static let maximumBodyLength = 16 << 20
    package static let maximumDescriptorCount = 64
    /// The maximum length of a request, which may consist of several frames.
    package static let maximumRequestLength = 256 << 20
}

/// The header of a frame: its first 16 bytes.
///
///     length u32 · kind u8 · flags u8 · descriptorCount u16 · request u64
///
/// All numbers are little-endian. `length` is the length of the body.
package struct FrameHeader: Hashable, Sendable {
    package static let length = 16

    private static let moreFollows: UInt8 = 1 << 0

    package var bodyLength: Int
    package var kind: FrameKind
    /// Indicates whether more frames of the same message follow.
    package var isContinued: Bool
    package var descriptorCount: Int
    /// The number of the call to which the frame belongs; 0 for frames that concern the whole
    /// connection.
    package var request: UInt64

    package init(
        _ kind: FrameKind,
        request: UInt64,
        bodyLength: Int,
        descriptorCount: Int = 0,
        isContinued: Bool = false
    ) {
        self.kind = kind
        self.request = request
        self.bodyLength = bodyLength
        self.descriptorCount = descriptorCount
        self.isContinued = isContinued
    }

    /// Parses a header and checks it against the limits; the buffer must have exactly `length`
    /// bytes.
    init(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        precondition(bytes.count == Self.length)
        let number = bytes[4]
        guard let kind = FrameKind(rawValue: number) else {
            throw .malformed("A frame has the unknown kind \(number).")
        }
        let flags = bytes[5]
        guard flags & ~Self.moreFollows == 0 else {
            throw .malformed("A frame has the unknown flags \(flags).")
        }
        self.kind = kind
        isContinued = flags & Self.moreFollows != 0
        bodyLength = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        descriptorCount = Int(
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        )
        request = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        try check()
    }

    /// Throws an error if the header exceeds the limits of frames.
    package func check() throws(TransportError) {
        guard bodyLength <= kind.maximumBodyLength else {
            throw .limit("A frame of the kind \(kind) has \(bodyLength) bytes.")
        }
        guard descriptorCount <= FrameLimits.maximumDescriptorCount else {
            throw .limit("A frame has \(descriptorCount) descriptors.")
        }
        guard kind.mayHaveDescriptors || descriptorCount == 0 else {
            throw .malformed("A frame of the kind \(kind) has descriptors.")
        }
        guard kind.mayBeContinued || !isContinued else {
            throw .malformed("A frame of the kind \(kind) is not the last one of its message.")
        }
    }

    /// Appends the encoded header.
    package func append(to bytes: inout [UInt8]) {
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(UInt32(bodyLength))
        append(kind.rawValue)
        append(isContinued ? Self.moreFollows : 0)
        append(UInt16(descriptorCount))
        append(request)
    }
}
