package import LibraryService
package import PhotoModel
internal import RenditionCodec

extension ReadyImage {
    /// Decodes the rendition into the requested image.
    ///
    /// - Parameter request: The request to which this is the answer.
    /// - Returns: The image; nil if there is no rendition or it is damaged. A call of `image` then
    ///   replaces it.
    /// - Throws: The error of the image.
    package func image(
        for request: ImageRequest
    ) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        switch self {
        case .unready: return nil
        case .failed(let error): throw error
        case .rendition(let stored):
            let made = RenditionPixels.make(
                jpeg: stored.jpeg,
                alpha: stored.alpha,
                shape: request.shape,
                of: stored.whole,
                takesLarger: request.takesLarger
            )
            return made.map { (ImageReply(stored, $0.description), .block($0.block)) }
        }
    }
}
