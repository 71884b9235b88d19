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
    /// The JPEG data of the rendition: upright, in sRGB and opaque.
    package var jpeg: Data
    /// The content version of the asset from which the rendition was made.
    package var contentVersion: Int
    /// Indicates whether the rendition was made from the original or edited file instead of an
    /// embedded preview, so that no better one will replace it.
    ///
    /// One from a camera's preview is replaced later.
    package var isFinal: Bool

    package init(jpeg: Data, contentVersion: Int, isFinal: Bool) {
        self.jpeg = jpeg
        self.contentVersion = contentVersion
        self.isFinal = isFinal
    }
}
