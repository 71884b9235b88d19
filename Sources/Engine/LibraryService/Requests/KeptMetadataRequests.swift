package import FoundationEssentials
package import PhotoModel

/// A request for the metadata that an asset's files contain but for which the library has no
/// fields.
package struct KeptMetadataRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    package init(assetUUID: String) { self.assetUUID = assetUUID }
}

/// The metadata of an asset's original and its sidecars.
package struct KeptMetadataReply: Codable, Hashable, Sendable {
    package var metadata: KeptMetadata
    /// The latest date at which another program wrote the metadata of the original or a sidecar.
    package var metadataDate: Date?
    /// The names of files that could not be read.
    package var unreadable: [String]

    package init(
        metadata: KeptMetadata = KeptMetadata(),
        metadataDate: Date? = nil,
        unreadable: [String] = []
    ) {
        self.metadata = metadata
        self.metadataDate = metadataDate
        self.unreadable = unreadable
    }
}
