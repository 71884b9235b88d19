package import FoundationEssentials
package import PhotoModel

/// A request for the images of several assets that are readily available.
package struct ReadyImagesRequest: Codable, Hashable, Sendable {
    /// The number of images that one call answers.
    package static let maximumCount = 256

    package var images: [ImageRequest]

    package init(_ images: [ImageRequest]) { self.images = images }
}

/// The answers to the first images of a request, in their order.
///
/// There is at least one unless the request is empty. The client asks again for the images without
/// an answer, which exceed the limits of a call.
package struct ReadyImagesReply: Codable, Hashable, Sendable {
    /// The length of all renditions after which no further image is answered.
    package static let lengthLimit = 4 << 20

    package var answers: [ReadyImage]

    package init(answers: [ReadyImage] = []) { self.answers = answers }
}

/// The answer to one of several images.
package enum ReadyImage: Codable, Hashable, Sendable {
    /// The rendition from which the client makes the image.
    case rendition(StoredImage)
    /// No rendition serves the request; `image` returns nil, unless the image has to be complete.
    case unready
    case failed(LibraryError)
}

/// A rendition that serves a request, as it is stored.
package struct StoredImage: Codable, Hashable, Sendable {
    package var jpeg: Data
    /// The alpha of a partly transparent image as a grayscale JPEG; the colors are premultiplied
    /// with it.
    package var alpha: Data?
    /// The size of the full-size image, which is the base of the request's shape.
    package var whole: PixelSize
    /// Indicates whether the image has fewer pixels than both the requested size and the original,
    /// or less range.
    package var isDegraded: Bool
    /// The version of the content shown; see `AssetRecord.contentVersion`.
    package var contentVersion: Int
    /// The absolute path of the file shown; nil for a client that does not own the library.
    package var path: String?

    package init(
        jpeg: Data,
        alpha: Data? = nil,
        whole: PixelSize,
        isDegraded: Bool,
        contentVersion: Int,
        path: String?
    ) {
        self.jpeg = jpeg
        self.alpha = alpha
        self.whole = whole
        self.isDegraded = isDegraded
        self.contentVersion = contentVersion
        self.path = path
    }

    /// The number of bytes of the rendition.
    package var length: Int { jpeg.count + (alpha?.count ?? 0) }
}

extension ImageRequest {
    /// Indicates whether a rendition can serve the request.
    ///
    /// Renditions have standard dynamic range, so for other ranges they are only a placeholder.
    package var takesRendition: Bool {
        shape.size != nil && (range == .standard || quality == .atHand)
    }
}

extension ImageReply {
    /// Creates the description of an image that was made from a rendition.
    package init(_ stored: StoredImage, _ pixels: PixelBufferDescription) {
        self.init(
            pixels: pixels,
            hasAlpha: pixels.layout == .rgba,
            isDegraded: stored.isDegraded,
            contentVersion: stored.contentVersion,
            path: stored.path
        )
    }
}
