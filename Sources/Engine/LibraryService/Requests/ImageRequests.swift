package import PhotoModel

/// A request for an image of an asset, upright, in sRGB.
///
/// Equal requests in progress share one piece of work.
package struct ImageRequest: CancellableRequest, Codable, Hashable {
    /// The version of an asset's image.
    package enum Version: String, Codable, Hashable, Sendable, CaseIterable {
        /// The image with edits.
        case current
        /// The image without edits; of a RAW and JPEG pair, the chosen one, otherwise the JPEG.
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
        /// Any image that is readily available, possibly small; possibly none.
        case atHand
        /// The requested size, only if it is readily available.
        case ready
        /// The requested size.
        case full
    }

    /// The urgency of a request.
    package enum Priority: String, Codable, Hashable, Sendable, CaseIterable {
        /// The image belongs in a visible area.
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
    /// Accepts an image larger than requested when it takes less work.
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

    package init(
        pixels: PixelBufferDescription,
        hasAlpha: Bool,
        isDegraded: Bool,
        contentVersion: Int,
        path: String?,
        damage: LibraryError? = nil
    ) {
        self.pixels = pixels
        self.hasAlpha = hasAlpha
        self.isDegraded = isDegraded
        self.contentVersion = contentVersion
        self.path = path
        self.damage = damage
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
    /// The orientation of the pixels, as recorded in the file.
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
