package import LibraryService
package import PhotoModel

/// A library that is used over a connection, so that each call takes time.
///
/// One call loads several images for which renditions exist. They are sent as JPEG renditions,
/// which have about a tenth of the bytes of their pixels, and are decoded on this side.
package protocol ConnectedLibrary: CallingLibrary {}

extension ConnectedLibrary {
    /// Returns an image with a single call if it can be made from an existing rendition.
    ///
    /// - Returns: The image; nil if there is no suitable rendition.
    /// - Throws: The error of the image, or of the call.
    package func readyImage(
        _ request: ImageRequest
    ) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        guard request.takesRendition else { return nil }
        return try readyImages(ReadyImagesRequest([request])).answers.first?.image(for: request)
    }
}
