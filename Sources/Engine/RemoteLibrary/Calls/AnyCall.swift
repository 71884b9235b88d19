package import BinaryCoding
package import FoundationEssentials
package import LibraryService
package import PhotoModel

/// A type-erased `Call` that can be stored in tables.
package protocol AnyCall: Sendable {
    var name: String { get }
    var requestDescriptors: ClosedRange<Int> { get }
    var replyDescriptors: ClosedRange<Int> { get }
    var changesLibrary: Bool { get }
    /// The type of the request.
    var requestType: any (Codable & Sendable).Type { get }
    /// The type of the reply.
    var replyType: any (Codable & Sendable).Type { get }

    /// Decodes a request, performs the call and encodes the reply.
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - service: The library.
    ///   - coder: The coder of the connection.
    ///   - peer: The name and version of the client's software, for errors.
    /// - Returns: The reply.
    /// - Throws: The error of the call, and `invalidRequest` for a malformed request.
    func respond(
        to message: EncodedMessage,
        with service: any LibraryService,
        coder: any WireCoder,
        peer: String
    ) throws(LibraryError) -> EncodedMessage

    /// Converts an encoded reply to JSON for storage.
    ///
    /// - Parameters:
    ///   - message: The encoded reply.
    ///   - coder: The coder of the connection.
    /// - Returns: The JSON.
    /// - Throws: `internalError` if the reply has files or cannot be converted.
    func storedReply(
        _ message: EncodedMessage,
        coder: any WireCoder
    ) throws(LibraryError) -> [UInt8]

    /// Encodes a stored reply, so that it can be sent again.
    ///
    /// - Parameters:
    ///   - stored: The JSON of the reply.
    ///   - coder: The coder of the connection.
    /// - Returns: The reply.
    /// - Throws: `internalError` if the JSON is no reply of this call.
    func reply(
        fromStored stored: [UInt8],
        coder: any WireCoder
    ) throws(LibraryError) -> EncodedMessage
}

extension Call: AnyCall {
    package var requestType: any (Codable & Sendable).Type { Request.self }
    package var replyType: any (Codable & Sendable).Type { Reply.self }

    // MARK: - The client's side

    /// Encodes a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - change: The identifier of a change; nil for reads.
    ///   - descriptors: The files that belong to the request.
    ///   - coder: The coder of the connection.
    /// - Returns: The encoded request.
    /// - Throws: `invalidRequest` for too many files and for values that cannot be encoded.
    package func encode(
        _ request: Request,
        change: UUID? = nil,
        descriptors: [Descriptor],
        coder: any WireCoder
    ) throws(LibraryError) -> EncodedMessage {
        try check(descriptors, requestDescriptors, "request")
        let envelope = CallEnvelope(call: name, change: change, request: request)
        return EncodedMessage(
            body: try encoded(envelope, "request", coder),
            descriptors: descriptors
        )
    }

    /// Decodes a reply.
    ///
    /// - Parameters:
    ///   - message: The encoded reply.
    ///   - coder: The coder of the connection.
    ///   - peer: The name and version of the daemon's software, for errors.
    /// - Returns: The reply and its descriptors.
    /// - Throws: `invalidRequest` for a malformed reply.
    package func decodeReply(
        _ message: EncodedMessage,
        coder: any WireCoder,
        peer: String
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        try check(message.descriptors, replyDescriptors, "reply")
        let reply = try decoded(Reply.self, message.body, "reply", coder, peer)
        return (reply, message.descriptors)
    }

    // MARK: - The daemon's side

    /// Performs the call in this process, without encoding.
    ///
    /// - Parameters:
    ///   - service: The library.
    ///   - request: The request.
    ///   - descriptors: The files that belong to the request.
    /// - Returns: The reply and its files.
    /// - Throws: The error of the call.
    package func perform(
        with service: any LibraryService,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        try perform(service, request, descriptors)
    }

    package func respond(
        to message: EncodedMessage,
        with service: any LibraryService,
        coder: any WireCoder,
        peer: String
    ) throws(LibraryError) -> EncodedMessage {
        try check(message.descriptors, requestDescriptors, "request")
        let envelope = try decoded(
            CallEnvelope<Request>.self,
            message.body,
            "request",
            coder,
            peer
        )
        let (reply, descriptors) = try perform(service, envelope.request, message.descriptors)
        try check(descriptors, replyDescriptors, "reply")
        return EncodedMessage(
            body: try encoded(reply, "reply", coder),
            descriptors: descriptors
        )
    }

    /// Decodes a request that the daemon handles itself instead of passing it to a library.
    ///
    /// - Parameters:
    ///   - message: The request.
    ///   - coder: The coder of the connection.
    ///   - peer: The name and version of the client's software, for errors.
    /// - Returns: The request.
    /// - Throws: `invalidRequest` for a malformed request.
    package func request(
        in message: EncodedMessage,
        coder: any WireCoder,
        peer: String
    ) throws(LibraryError) -> Request {
        try check(message.descriptors, requestDescriptors, "request")
        return try decoded(CallEnvelope<Request>.self, message.body, "request", coder, peer)
            .request
    }

    package func storedReply(
        _ message: EncodedMessage,
        coder: any WireCoder
    ) throws(LibraryError) -> [UInt8] {
        do {
            guard message.descriptors.isEmpty else { throw StoredReplyError() }
            return try JSONCoder().encode(coder.decode(Reply.self, from: message.body))
        } catch {
            throw LibraryError(
                .internalError,
                "The reply to “\(name)” cannot be stored.",
                reason: CodingFailure.reason(error)
            )
        }
    }

    package func reply(
        fromStored stored: [UInt8],
        coder: any WireCoder
    ) throws(LibraryError) -> EncodedMessage {
        let reply: Reply
        do {
            reply = try JSONCoder().decode(Reply.self, from: stored)
        } catch {
            throw LibraryError(
                .internalError,
                "The stored reply to “\(name)” could not be read.",
                reason: CodingFailure.reason(error)
            )
        }
        return EncodedMessage(body: try encoded(reply, "reply", coder), descriptors: [])
    }

    // MARK: - Errors

    private func check(
        _ descriptors: [Descriptor],
        _ permitted: ClosedRange<Int>,
        _ part: String
    ) throws(LibraryError) {
        guard !permitted.contains(descriptors.count) else { return }
        throw LibraryError(
            .invalidRequest,
            "A \(part) of “\(name)” has \(descriptors.count) files.",
            reason: "It may have \(permitted.lowerBound) to \(permitted.upperBound)."
        )
    }

    private func encoded(
        _ value: some Encodable,
        _ part: String,
        _ coder: any WireCoder
    ) throws(LibraryError) -> [UInt8] {
        do {
            return try coder.encode(value)
        } catch {
            throw LibraryError(
                .invalidRequest,
                "The \(part) of “\(name)” cannot be sent.",
                reason: CodingFailure.reason(error)
            )
        }
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type,
        _ body: [UInt8],
        _ part: String,
        _ coder: any WireCoder,
        _ peer: String
    ) throws(LibraryError) -> Value {
        do {
            return try coder.decode(type, from: body)
        } catch {
            throw LibraryError(
                .invalidRequest,
                "The \(part) of “\(name)” from \(peer) could not be read.",
                reason: CodingFailure.reason(error),
                recovery: "Use the same version of both programs."
            )
        }
    }
}

/// The error for a reply with file descriptors, which cannot be stored.
private struct StoredReplyError: Error {}

/// Describes why a value could not be encoded or decoded.
enum CodingFailure {
    /// Returns a description of a coding error, preceded by the coding path.
    static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            reason(context.codingPath, context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            reason(context.codingPath, context.debugDescription)
        default: "\(error)"
        }
    }

    private static func reason(_ path: [any CodingKey], _ text: String) -> String {
        guard !path.isEmpty else { return text }
        return path.map(\.stringValue).joined(separator: ".") + ": " + text
    }
}
