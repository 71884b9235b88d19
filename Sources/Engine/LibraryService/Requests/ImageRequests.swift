package import PhotoModel

/// Asks for a picture of an asset: upright, in sRGB.
///
/// Equal requests that are under way are one piece of work.
package struct ImageRequest: Codable, Hashable, Sendable {
    /// Which of an asset's pictures.
    package enum Version: String, Codable, Hashable, Sendable, CaseIterable {
        /// As edited.
        case current
        /// Without edits: of a RAW and JPEG pair the one that was chosen to count, else the JPEG.
        case unadjusted
        /// The best original: of a RAW and JPEG pair the RAW.
        case original
        /// What the edit's adjustments apply to: an earlier rendering where the edit began with one,
        /// else the same as unadjusted.
        case adjustmentBase
        /// Without edits, of a RAW and JPEG pair the JPEG, whichever of the two was chosen to count.
        case compressed
    }

    /// What may be answered.
    package enum Quality: String, Codable, Hashable, Sendable, CaseIterable {
        /// What is at hand: maybe small, maybe nothing.
        case atHand
        /// All pixels that the shape asks for, where they are at hand.
        case ready
        /// All pixels that the shape asks for.
        case full
    }

    /// How urgent it is.
    package enum Priority: String, Codable, Hashable, Sendable, CaseIterable {
        /// Somebody looks at where it will be.
        case visible
        /// Somebody may look there soon.
        case prefetch
        /// Nobody waits for it.
        case background
    }

    package var assetUUID: String
    package var version: Version
    package var shape: PixelShape
    package var range: PixelRange
    package var quality: Quality
    package var priority: Priority
    /// Whether more pixels than the shape asks for will do, where that is less work.
    package var takesLarger: Bool
    /// What the client cancels the request by: unique among those under way.
    package var ticket: String?

    package init(
        assetUUID: String,
        version: Version = .current,
        shape: PixelShape,
        range: PixelRange = .standard,
        quality: Quality = .full,
        priority: Priority = .visible,
        takesLarger: Bool = false,
        ticket: String? = nil
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

/// A picture; its pixels come beside it.
package struct ImageReply: Codable, Hashable, Sendable {
    package var pixels: PixelBufferDescription
    /// Whether the fourth byte of a pixel is alpha.
    package var hasAlpha: Bool
    /// Whether it has fewer pixels than the shape asks for and the original has.
    package var isDegraded: Bool
    /// The content that it shows; see `AssetRecord.contentVersion`.
    package var contentVersion: Int
    /// The file that it shows, absolute.
    package var path: String
    /// Why a part of the picture is missing; nil for one that is whole.
    package var damage: LibraryError?

    package init(
        pixels: PixelBufferDescription,
        hasAlpha: Bool,
        isDegraded: Bool,
        contentVersion: Int,
        path: String,
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

/// Says that requests under way are not wanted any more.
package struct ImageCancelRequest: Codable, Hashable, Sendable {
    /// Those of the requests; unknown ones are harmless.
    package var tickets: [String]
    package init(tickets: [String]) { self.tickets = tickets }
}

/// Asks for the file of an asset's picture.
package struct ImageDataRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    package var version: ImageRequest.Version
    package init(assetUUID: String, version: ImageRequest.Version) {
        self.assetUUID = assetUUID
        self.version = version
    }
}

/// The file of a picture, which comes beside it, open for reading.
package struct ImageDataReply: Codable, Hashable, Sendable {
    package var resource: ResourceRecord
    /// Where the file is, absolute.
    package var path: String
    /// How the file says that its pixels are turned.
    package var orientation: Orientation
    package init(resource: ResourceRecord, path: String, orientation: Orientation) {
        self.resource = resource
        self.path = path
        self.orientation = orientation
    }
}

/// Asks for the file of an asset's movie: of a video, or beside a Live Photo's still.
package struct MovieDataRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    /// Of movies there is no better original: it means the same as unadjusted.
    package var version: ImageRequest.Version
    package init(assetUUID: String, version: ImageRequest.Version) {
        self.assetUUID = assetUUID
        self.version = version
    }
}

/// The file of a movie, which comes beside it, open for reading.
package struct MovieDataReply: Codable, Hashable, Sendable {
    package var resource: ResourceRecord
    /// Where the file is, absolute.
    package var path: String
    package init(resource: ResourceRecord, path: String) {
        self.resource = resource
        self.path = path
    }
}
