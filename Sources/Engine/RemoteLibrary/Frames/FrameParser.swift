package import LibraryService

/// Divides received bytes into frames.
///
///     header ──16 bytes──▶ body ──length bytes──▶ frame, header
///        │                   │
///        └────── error ──────┴──▶ failed
///
/// 1. A read never crosses the end of a frame, because the kernel does not report to which byte of
///    a read descriptors were attached.
/// 2. All descriptors of a frame arrive with its first byte.
/// 3. Memory for a body is filled only as bytes arrive.
///
/// After a failure, the descriptors of the incomplete frame are closed.
package struct FrameParser: Sendable {
    private var headerBytes: [UInt8] = []
    private var header: FrameHeader?
    private var body: [UInt8] = []
    private var descriptors: [Descriptor] = []
    private var sender: Int32 = 0
    private var failure: TransportError?

    package init() { headerBytes.reserveCapacity(FrameHeader.length) }

    /// The maximum number of bytes to receive next.
    package var wantedCount: Int {
        if let header {
            header.bodyLength - body.count
        } else {
            FrameHeader.length - headerBytes.count
        }
    }

    /// Indicates whether the parser is at a frame boundary, at which the connection may end.
    package var isBetweenFrames: Bool { header == nil && headerBytes.isEmpty }

    /// Parses the bytes of one read, which must not exceed `wantedCount`.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, at least one.
    ///   - received: The descriptors that arrived with them.
    ///   - process: The process that sent them; 0 if unknown.
    /// - Returns: A frame that is complete; otherwise nil.
    /// - Throws: `TransportError`, also for all later bytes.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer,
        descriptors received: [Descriptor] = [],
        from process: Int32 = 0
    ) throws(TransportError) -> Frame? {
        if let failure { throw failure }
        precondition((1...wantedCount).contains(bytes.count))
        do throws(TransportError) {
            try take(received, from: process)
            return try take(bytes)
        } catch {
            failure = error
            descriptors = []
            throw error
        }
    }

    private mutating func take(
        _ received: [Descriptor],
        from process: Int32
    ) throws(TransportError) {
        if isBetweenFrames {
            descriptors = received
            sender = process
            return
        }
        guard received.isEmpty else {
            throw .malformed("Descriptors arrived in the middle of a frame.")
        }
        if process != sender { sender = 0 }
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> Frame? {
        if header != nil {
            body.append(contentsOf: bytes)
        } else {
            headerBytes.append(contentsOf: bytes)
            guard headerBytes.count == FrameHeader.length else { return nil }
            let header = try parsedHeader()
            self.header = header
            body.reserveCapacity(header.bodyLength)
        }
        guard let header, body.count == header.bodyLength else { return nil }
        let frame = Frame(
            header.kind,
            request: header.request,
            body: body,
            descriptors: descriptors,
            isContinued: header.isContinued,
            sender: sender
        )
        headerBytes.removeAll(keepingCapacity: true)
        self.header = nil
        body = []
        descriptors = []
        return frame
    }

    private func parsedHeader() throws(TransportError) -> FrameHeader {
        let result = headerBytes.withUnsafeBytes { bytes -> Result<FrameHeader, TransportError> in
            do throws(TransportError) {
                return .success(try FrameHeader(bytes))
            } catch {
                return .failure(error)
            }
        }
        let header = try result.get()
        guard header.descriptorCount == descriptors.count else {
            throw .malformed(
                "A frame states \(header.descriptorCount) descriptors and has \(descriptors.count)."
            )
        }
        return header
    }
}
