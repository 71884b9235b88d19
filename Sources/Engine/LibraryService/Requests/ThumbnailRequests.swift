package import Foundation

/// A request for the stored JPEG of an asset's smallest rendition.
package struct ThumbnailRequest: Codable, Hashable, Sendable {
    package var assetUUID: String

    package init(assetUUID: String) {
        self.assetUUID = assetUUID
    }
}

/// The JPEG of a rendition, as it is stored.
package struct ThumbnailReply: Codable, Hashable, Sendable {
    /// Upright, in sRGB and opaque.
    package var jpeg: Data
    /// The content version of the asset that the rendition shows.
    package var contentVersion: Int
    /// Indicates that no better rendition of this size will replace it, unlike a camera's preview.
    package var isFinal: Bool

    package init(jpeg: Data, contentVersion: Int, isFinal: Bool) {
        self.jpeg = jpeg
        self.contentVersion = contentVersion
        self.isFinal = isFinal
    }
}
