package import FoundationEssentials
package import LibraryService
internal import PhotoModel

/// A placeholder type for calls that have no request or no reply.
package struct NoValue: Codable, Hashable, Sendable {
    package init() {}
}

/// A method of `LibraryService` that can be called over a connection.
///
/// Both sides use the same value. The client encodes requests and decodes replies with it; the
/// daemon decodes requests, performs them and encodes replies.
package struct Call<Request, Reply>: Sendable
where Request: Codable & Sendable, Reply: Codable & Sendable {
    /// The method name, which identifies the call in requests.
    ///
    /// Its meaning never changes.
    package let name: String
    /// The permitted number of descriptors in a request.
    package let requestDescriptors: ClosedRange<Int>
    /// The permitted number of descriptors in a reply.
    package let replyDescriptors: ClosedRange<Int>
    /// Indicates whether the call changes the library.
    ///
    /// Such a call must not be performed twice if its reply is lost.
    package let changesLibrary: Bool
    /// Performs the call with a library in this process.
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
    /// The identifier of a request that changes the library; nil for reads.
    ///
    /// It stays the same when the request is sent again.
    var change: UUID?
    var request: Request
}

/// The part of a request's body that is decoded first, to find the call.
package struct CallHeading: Codable, Hashable, Sendable {
    /// The name of the call.
    package var call: String
    /// The identifier of a request that changes the library; nil for reads.
    package var change: UUID?
}

/// An encoded request or reply, with its file descriptors.
package struct EncodedMessage: Sendable {
    package var body: [UInt8]
    package var descriptors: [Descriptor]

    package init(body: [UInt8], descriptors: [Descriptor]) {
        self.body = body
        self.descriptors = descriptors
    }
}
