package import FoundationEssentials
package import PhotoModel

/// A request for an image of an asset, upright, in sRGB.
///
/// Equal requests in progress share one piece of work.
package struct ImageRequest: CancellableRequest, Codable, Hashable {
    /// The version of an asset's image.
    package enum Version: String, Codable, Hashable, Sendable, CaseIterable {
        /// The image with edits.
        case current
        /// The image without edits; of a RAW and JPEG pair, the file that the user chose, by
        /// default the JPEG.
        case unadjusted
        /// The best original; of a RAW and JPEG pair, the RAW.
        case original
        /// The image that the edit's adjustments apply to: an earlier rendering if the edit started
        /// from one, otherwise the same as unadjusted.
        case adjustmentBase
        /// The image without edits; of a RAW and JPEG pair, always the JPEG.
        case compressed
    }

    /// The acceptable quality of the result.
    package enum Quality: String, Codable, Hashable, Sendable, CaseIterable {
        /// Any readily available image, possibly small, or none.
        case atHand
        /// The requested size, only if it is readily available.
        case ready
        /// The requested size.
        case full
    }

    /// The urgency of a request.
    package enum Priority: String, Codable, Hashable, Sendable, CaseIterable {
        /// The image is needed for a visible area.
        case visible
        /// The image may become visible soon.
        case prefetch
        /// No client is waiting for the image.
        case background
    }

    package var assetUUID: String
    package var version: Version
    package var shape: PixelShape
    package var range: PixelRange
    package var quality: Quality
    package var priority: Priority
    /// Indicates whether an image larger than requested is accepted if it takes less work.
    package var takesLarger: Bool
    package var ticket: CallTicket?

    package init(
        assetUUID: String,
        version: Version = .current,
        shape: PixelShape,
        range: PixelRange = .standard,
        quality: Quality = .full,
        priority: Priority = .visible,
        takesLarger: Bool = false,
        ticket: CallTicket? = nil
    ) {
        self.assetUUID = assetUUID
        self.version = version
        self.shape = shape
        self.range = range
        self.quality = quality
        self.priority = priority
        self.takesLarger = takesLarger
        self.ticket = ticket
    }
}

/// A description of an image, whose pixels are passed alongside.
package struct ImageReply: Codable, Hashable, Sendable {
    package var pixels: PixelBufferDescription
    /// Indicates whether the fourth byte of a pixel is alpha.
    package var hasAlpha: Bool
    /// Indicates whether the image has fewer pixels than both the requested size and the original.
    package var isDegraded: Bool
    /// The version of the content shown; see `AssetRecord.contentVersion`.
    package var contentVersion: Int
    /// The absolute path of the file shown; nil for a client that does not own the library.
    package var path: String?
    /// The reason why part of the image is missing; nil for an intact image.
    package var damage: LibraryError?
    /// Indicates whether the file shown is only in the cloud; nil instead of false.
    package var isInCloud: Bool?

    package init(
        pixels: PixelBufferDescription,
        hasAlpha: Bool,
        isDegraded: Bool,
        contentVersion: Int,
        path: String?,
        damage: LibraryError? = nil,
        isInCloud: Bool? = nil
    ) {
        self.pixels = pixels
        self.hasAlpha = hasAlpha
        self.isDegraded = isDegraded
        self.contentVersion = contentVersion
        self.path = path
        self.damage = damage
        self.isInCloud = isInCloud
    }
}

/// A request for the file behind an asset's image.
package struct ImageDataRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    package var version: ImageRequest.Version
    package init(assetUUID: String, version: ImageRequest.Version) {
        self.assetUUID = assetUUID
        self.version = version
    }
}

/// A description of an image file, whose descriptor is passed alongside, open for reading.
package struct ImageDataReply: Codable, Hashable, Sendable {
    package var resource: ResourceRecord
    /// The absolute path of the file; nil for a client that does not own the library.
    package var path: String?
    /// The orientation of the decoded pixels: that recorded in the file, or `up` if the decoder of
    /// its format applies it.
    package var orientation: Orientation
    package init(resource: ResourceRecord, path: String?, orientation: Orientation) {
        self.resource = resource
        self.path = path
        self.orientation = orientation
    }
}

/// A request for the file of an asset's movie: a video, or the movie of a Live Photo.
package struct MovieDataRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    /// The version of the movie; `original` is the same as `unadjusted`, since a movie has no
    /// better original.
    package var version: ImageRequest.Version
    package init(assetUUID: String, version: ImageRequest.Version) {
        self.assetUUID = assetUUID
        self.version = version
    }
}

/// The record and path of a movie file; a descriptor for reading it is passed with the reply.
package struct MovieDataReply: Codable, Hashable, Sendable {
    package var resource: ResourceRecord
    /// The absolute path of the file; nil for a client that does not own the library.
    package var path: String?
    package init(resource: ResourceRecord, path: String?) {
        self.resource = resource
        self.path = path
    }
}

// MARK: - Images that are ready

/// A request for images of several assets, answered only with readily available images.
package struct ReadyImagesRequest: Codable, Hashable, Sendable {
    /// The maximum number of images in one reply.
    package static let maximumCount = 256

    package var images: [ImageRequest]

    package init(_ images: [ImageRequest]) { self.images = images }
}

/// The answers for the first images of a request, in request order, up to the limits of a call.
///
/// There is at least one unless the request is empty. The client asks again for the images without
/// an answer, which exceed the limits of a call.
package struct ReadyImagesReply: Codable, Hashable, Sendable {
    /// The maximum total length in bytes of the renditions in a reply; the first answer is included
    /// even if it is longer.
    package static let lengthLimit = 4 << 20

    package var answers: [ReadyImage]

    package init(answers: [ReadyImage] = []) { self.answers = answers }
}

/// The answer for one image of a `ReadyImagesRequest`.
package enum ReadyImage: Codable, Hashable, Sendable {
    /// The rendition from which the client makes the image.
    case rendition(StoredImage)
    /// No stored rendition satisfies the request.
    ///
    /// For the same request, `image` returns nil unless the image has to be complete.
    case unready
    case failed(LibraryError)
}

/// A stored rendition that satisfies a request.
package struct StoredImage: Codable, Hashable, Sendable {
    package var jpeg: Data
    /// The alpha of a partly transparent image as a grayscale JPEG; the colors are premultiplied
    /// with it.
    package var alpha: Data?
    /// The pixel size of the full image, from which the requested part and size (`PixelShape`) are
    /// computed.
    package var whole: PixelSize
    /// Indicates whether the image has fewer pixels than both the requested size and the original,
    /// or less dynamic range than requested.
    package var isDegraded: Bool
    /// The version of the content shown; see `AssetRecord.contentVersion`.
    package var contentVersion: Int
    /// The absolute path of the file shown; nil for a client that does not own the library.
    package var path: String?
    /// Indicates whether the file shown is only in the cloud; nil instead of false.
    package var isInCloud: Bool?

    package init(
        jpeg: Data,
        alpha: Data? = nil,
        whole: PixelSize,
        isDegraded: Bool,
        contentVersion: Int,
        path: String?,
        isInCloud: Bool? = nil
    ) {
        self.jpeg = jpeg
        self.alpha = alpha
        self.whole = whole
        self.isDegraded = isDegraded
        self.contentVersion = contentVersion
        self.path = path
        self.isInCloud = isInCloud
    }

    /// The length in bytes of the rendition, including its alpha.
    package var length: Int { jpeg.count + (alpha?.count ?? 0) }
}

extension ImageRequest {
    /// Indicates whether a rendition can satisfy the request.
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
            path: stored.path,
            isInCloud: stored.isInCloud
        )
    }
}
