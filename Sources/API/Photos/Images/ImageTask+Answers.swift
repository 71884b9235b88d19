internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import RemoteLibrary

/// Image requests to the library, and the conversion of the replies to images.
extension ImageTask {
    func answer(
        _ request: ImageRequest
    ) throws(LibraryError) -> (UIImage, ImageReply)? {
        try Self.answer(request, specification)
    }

    /// Loads the image for a synchronous request, which skips the step that delivers an early
    /// result.
    ///
    /// If the library is reached through a connection, a stored rendition is tried first.
    func firstAnswer(
        _ request: ImageRequest
    ) throws(LibraryError) -> (UIImage, ImageReply)? {
        let service = try connection.service()
        if let library = service as? any ConnectedLibrary,
            let (reply, pixels) = try library.readyImage(request)
        {
            return (try Self.image(reply, pixels, specification), reply)
        }
        return try answer(request)
    }

    /// Requests an image from the library, and returns it with the library's reply.
    static func answer(
        _ request: ImageRequest,
        _ specification: ImageSpecification
    ) throws(LibraryError) -> (UIImage, ImageReply)? {
        let service = try specification.connection.service()
        guard let (reply, pixels) = try service.image(request) else { return nil }
        return (try image(reply, pixels, specification), reply)
    }

    /// Creates an image from the pixels of a library's reply.
    static func image(
        _ reply: ImageReply,
        _ pixels: ImagePixels,
        _ specification: ImageSpecification
    ) throws(LibraryError) -> UIImage {
        let image = CGImage(
            pixels: pixels,
            description: reply.pixels,
            hasAlpha: reply.hasAlpha
        )
        guard let image else {
            throw LibraryError(
                .inputOutput,
                "There is not enough memory for the pixels of an image.",
                recovery: "Request a smaller size, or release images that are not shown.",
                identifiers: [specification.record.localIdentifier]
            )
        }
        return UIImage(cgImage: image)
    }
}
