package import LibraryService
package import PhotoModel
internal import RenditionCodec

extension ReadyImage {
    /// Makes the image from its rendition.
    ///
    /// - Parameter request: The request to which this is the answer.
    /// - Returns: Nil when there is no rendition, or a damaged one, which `image` replaces.
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
