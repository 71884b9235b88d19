internal import BinaryCoding

/// Lists the protocol versions that this software supports, and negotiates a version with the other
/// side.
package enum ProtocolVersions {
    /// The supported protocol versions: the current version and its predecessor, if any.
    package static let supported = 1...1

    /// Returns the highest protocol version that both sides support; nil if there is none.
    package static func highestCommon(
        _ own: ClosedRange<Int> = supported,
        with hello: DaemonHello
    ) -> Int? {
        let common = min(own.upperBound, hello.highestProtocol)
        let isSpoken =
            hello.lowestProtocol <= hello.highestProtocol && common >= hello.lowestProtocol
            && common >= own.lowerBound
        return isSpoken ? common : nil
    }

    /// Returns the encoding to use: the preferred one if the daemon supports it, otherwise any that
    /// the daemon supports; nil if there is none.
    package static func form(preferring preferred: WireForm, with hello: DaemonHello) -> WireForm? {
        ([preferred] + WireForm.allCases).first { hello.features.contains($0.rawValue) }
    }

    /// Indicates whether a daemon accepts the protocol version that a client chose.
    package static func accepts(
        _ hello: ClientHello,
        _ own: ClosedRange<Int> = supported
    ) -> Bool { own.contains(hello.chosenProtocol) }
}

extension Frame {
    /// The coder of the messages `hello` and `goodbye`.
    private static let handshakeCoder = JSONCoder()

    /// Returns the frame for a daemon's `hello` message.
    package static func hello(_ hello: DaemonHello) throws -> Frame {
        Frame(.hello, body: try handshakeCoder.encode(hello))
    }

    /// Returns the frame for a client's `hello` message.
    package static func hello(_ hello: ClientHello) throws -> Frame {
        Frame(.hello, body: try handshakeCoder.encode(hello))
    }

    /// Returns the frame for a `goodbye` message.
    package static func goodbye(_ goodbye: Goodbye) throws -> Frame {
        Frame(.goodbye, body: try handshakeCoder.encode(goodbye))
    }

    /// Decodes the body of a `hello` or `goodbye` message.
    ///
    /// - Throws: `malformed` for other frames and for bodies that are no such message.
    package func handshake<Message: Decodable>(
        _ type: Message.Type
    ) throws(TransportError) -> Message {
        guard kind == .hello || kind == .goodbye else {
            throw .malformed("A frame of the kind \(kind) arrived in place of a hello.")
        }
        do {
            return try Self.handshakeCoder.decode(type, from: body)
        } catch {
            throw .malformed("A \(kind) could not be decoded: \(error)")
        }
    }
}
