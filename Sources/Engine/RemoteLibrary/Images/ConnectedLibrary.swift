package import LibraryService
package import PhotoModel

/// A library at the other end of a connection, where each call takes time.
///
/// Several images that are readily available take one call. They arrive as renditions, a tenth of
/// the length of their pixels, and are decoded on this side.
package protocol ConnectedLibrary: CallingLibrary {}

extension ConnectedLibrary {
    /// Returns an image in one call if it can be made from a rendition.
    ///
    /// - Returns: Nil when there is no rendition for it.
    /// - Throws: The error of the image, or of the call.
    package func readyImage(
        _ request: ImageRequest
    ) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        guard request.takesRendition else { return nil }
        return try readyImages(ReadyImagesRequest([request])).answers.first?.image(for: request)
    }
}
