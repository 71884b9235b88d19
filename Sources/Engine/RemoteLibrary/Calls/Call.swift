package import FoundationEssentials
package import LibraryService
internal import PhotoModel

/// The request or the reply of a call that has none.
package struct NoValue: Codable, Hashable, Sendable {
    package init() {}
}

/// A method of `LibraryService` as it crosses a connection.
///
/// Both sides use the same value: the client to encode the request and to decode the reply, the
/// daemon to decode the request, to perform it and to encode the reply.
package struct Call<Request, Reply>: Sendable
where Request: Codable & Sendable, Reply: Codable & Sendable {
    /// The name on the wire, which is that of the method and never changes its meaning.
    package let name: String
    /// The numbers of descriptors that a request may have.
    package let requestDescriptors: ClosedRange<Int>
    /// The numbers of descriptors that a reply may have.
    package let replyDescriptors: ClosedRange<Int>
    /// Indicates whether the call changes the library, so that it must not be repeated after a lost
    /// reply.
    package let changesLibrary: Bool
    /// Performs the call in this process.
    let perform:
        @Sendable (any LibraryService, Request, [Descriptor]) throws(LibraryError) ->
            (reply: Reply, descriptors: [Descriptor])

    init(
        _ name: String,
        requestDescriptors: ClosedRange<Int> = 0...0,
        replyDescriptors: ClosedRange<Int> = 0...0,
        changesLibrary: Bool = false,
        perform:
            @escaping @Sendable (any LibraryService, Request, [Descriptor]) throws(LibraryError) ->
            (reply: Reply, descriptors: [Descriptor])
    ) {
        self.name = name
        self.requestDescriptors = requestDescriptors
        self.replyDescriptors = replyDescriptors
        self.changesLibrary = changesLibrary
        self.perform = perform
    }
}

/// The body of a request.
struct CallEnvelope<Request: Codable>: Codable {
    var call: String
    /// The identifier of a change, which stays the same when the request is sent again; nil for
    /// reads.
    var change: UUID?
    var request: Request
}

/// The part of a request's body that tells how to decode and how to perform it.
package struct CallHeading: Codable, Hashable, Sendable {
    /// The name of the call.
    package var call: String
    /// The identifier of a change; nil for reads.
    package var change: UUID?
}

/// An encoded request or reply with the descriptors that belong to it.
package struct EncodedMessage: Sendable {
    package var body: [UInt8]
    package var descriptors: [Descriptor]

    package init(body: [UInt8], descriptors: [Descriptor]) {
        self.body = body
        self.descriptors = descriptors
    }
}
