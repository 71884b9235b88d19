package import LibraryService
package import PhotoModel

/// A library whose methods are performed as calls over a connection.
///
/// A conforming type provides `perform`, `openSession` and `close`. The other methods of
/// `LibraryService` come from an extension.
package protocol CallingLibrary: LibraryService {
    /// Sends the request of a call and waits for the reply.
    ///
    /// - Throws: The error of the call, or of the connection.
    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor])
}

extension CallingLibrary {
    var table: CallTable { .shared }

    func send<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        files: [Descriptor] = []
    ) throws(LibraryError) -> Reply {
        try perform(call, request, descriptors: files).reply
    }

    func send<Reply>(
        _ call: Call<NoValue, Reply>,
        files: [Descriptor] = []
    ) throws(LibraryError) -> Reply {
        try send(call, NoValue(), files: files)
    }

    func send<Request>(_ call: Call<Request, NoValue>, _ request: Request) throws(LibraryError) {
        _ = try perform(call, request, descriptors: [])
    }

    func send(_ call: Call<NoValue, NoValue>) throws(LibraryError) {
        try send(call, NoValue())
    }

    /// Sends a request and waits for a reply that has a file descriptor.
    func open<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request
    ) throws(LibraryError) -> (Reply, Descriptor) {
        let (reply, descriptors) = try perform(call, request, descriptors: [])
        guard let descriptor = descriptors.first else { throw Self.missingFile(call.name) }
        return (reply, descriptor)
    }

    /// Sends a request for an image and waits for the reply.
    func load<Request, Image>(
        _ call: Call<Request, Image?>,
        _ request: Request
    ) throws(LibraryError) -> (Image, ImagePixels)? {
        let (reply, descriptors) = try perform(call, request, descriptors: [])
        guard let reply else { return nil }
        guard let memory = descriptors.first else { throw Self.missingFile(call.name) }
        return (reply, .sealed(memory))
    }

    private static func missingFile(_ call: String) -> LibraryError {
        LibraryError(.internalError, "The reply to “\(call)” has no file.")
    }
}
