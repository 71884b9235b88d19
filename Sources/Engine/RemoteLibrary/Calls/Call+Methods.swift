internal import LibraryService
internal import PhotoModel

/// Initializers for the calls of `CallTable`, one for each form of method in `LibraryService`.
///
/// Each initializer takes a closure that returns the method, such as `{ $0.fetch }`.
extension Call {
    private static var anyFiles: ClosedRange<Int> { 0...FrameLimits.maximumDescriptorCount }

    /// Creates the call of a method with a request and a reply.
    init(
        _ name: String,
        changesLibrary: Bool = false,
        _ method:
            @escaping @Sendable (any LibraryService) -> (Request) throws(LibraryError) -> Reply
    ) {
        self.init(name, changesLibrary: changesLibrary) {
            (service, request, _) throws(LibraryError) in
            (try method(service)(request), [])
        }
    }

    /// Creates the call of a method with a reply but no request.
    init(
        _ name: String,
        changesLibrary: Bool = false,
        _ method: @escaping @Sendable (any LibraryService) -> () throws(LibraryError) -> Reply
    ) where Request == NoValue {
        self.init(name, changesLibrary: changesLibrary) { (service, _, _) throws(LibraryError) in
            (try method(service)(), [])
        }
    }

    /// Creates the call of a method with a request but no reply.
    init(
        _ name: String,
        changesLibrary: Bool = false,
        _ method:
            @escaping @Sendable (any LibraryService) -> (Request) throws(LibraryError) -> Void
    ) where Reply == NoValue {
        self.init(name, changesLibrary: changesLibrary) {
            (service, request, _) throws(LibraryError) in
            try method(service)(request)
            return (NoValue(), [])
        }
    }

    /// Creates the call for a method without a request or a reply.
    init(
        _ name: String,
        changesLibrary: Bool = false,
        _ method: @escaping @Sendable (any LibraryService) -> () throws(LibraryError) -> Void
    ) where Request == NoValue, Reply == NoValue {
        self.init(name, changesLibrary: changesLibrary) { (service, _, _) throws(LibraryError) in
            try method(service)()
            return (NoValue(), [])
        }
    }

    // MARK: - Files of the client

    /// Creates the call of a method that takes a request and files.
    init(
        _ name: String,
        changesLibrary: Bool = false,
        _ method:
            @escaping @Sendable (any LibraryService) -> (Request, [Descriptor])
            throws(LibraryError) -> Reply
    ) {
        self.init(name, requestDescriptors: Self.anyFiles, changesLibrary: changesLibrary) {
            (service, request, files) throws(LibraryError) in
            (try method(service)(request, files), [])
        }
    }

    /// Creates the call of a method that takes files but no request.
    init(
        _ name: String,
        changesLibrary: Bool = false,
        _ method:
            @escaping @Sendable (any LibraryService) -> ([Descriptor]) throws(LibraryError) -> Reply
    ) where Request == NoValue {
        self.init(name, requestDescriptors: Self.anyFiles, changesLibrary: changesLibrary) {
            (service, _, files) throws(LibraryError) in
            (try method(service)(files), [])
        }
    }

    /// Creates the call of a method that takes a request and one file.
    init(
        _ name: String,
        changesLibrary: Bool = false,
        _ method:
            @escaping @Sendable (any LibraryService) -> (Request, Descriptor)
            throws(LibraryError) -> Reply
    ) {
        self.init(name, requestDescriptors: 1...1, changesLibrary: changesLibrary) {
            (service, request, files) throws(LibraryError) in
            (try method(service)(request, files[0]), [])
        }
    }

    // MARK: - Files of the library

    /// Creates the call of a method that returns a reply and an open file.
    init(
        _ name: String,
        _ method:
            @escaping @Sendable (any LibraryService) -> (Request) throws(LibraryError) ->
            (Reply, Descriptor)
    ) {
        self.init(name, replyDescriptors: 1...1) { (service, request, _) throws(LibraryError) in
            let (reply, file) = try method(service)(request)
            return (reply, [file])
        }
    }

    /// Creates the call of a method that returns only a descriptor.
    init(
        _ name: String,
        _ method: @escaping @Sendable (any LibraryService) -> () throws(LibraryError) -> Descriptor
    ) where Request == NoValue, Reply == NoValue {
        self.init(name, replyDescriptors: 1...1) { (service, _, _) throws(LibraryError) in
            (NoValue(), [try method(service)()])
        }
    }

    /// Creates the call of a method that returns an image, whose pixels are passed in sealed
    /// memory.
    init<Image>(
        _ name: String,
        _ method:
            @escaping @Sendable (any LibraryService) -> (Request) throws(LibraryError) ->
            (Image, ImagePixels)?
    ) where Reply == Image? {
        self.init(name, replyDescriptors: 0...1) { (service, request, _) throws(LibraryError) in
            guard let (image, pixels) = try method(service)(request) else { return (nil, []) }
            return (image, [try pixels.sealedMemory()])
        }
    }
}
