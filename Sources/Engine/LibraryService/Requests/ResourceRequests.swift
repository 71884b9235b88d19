package import PhotoModel

/// Asks for the files of an asset.
package struct ResourceListRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    package init(assetUUID: String) { self.assetUUID = assetUUID }
}

/// The files of an asset: the original first, then its partners, then what edits made, adjustment
/// data and sidecars last.
///
/// Stable.
package struct ResourceListReply: Codable, Hashable, Sendable {
    package var resources: [ResourceRecord]
    package init(resources: [ResourceRecord]) { self.resources = resources }
}

/// Asks for the bytes of a resource.
///
/// They come as a descriptor, open for reading.
package struct ResourceOpenRequest: Codable, Hashable, Sendable {
    package var resourceUUID: String
    package init(resourceUUID: String) { self.resourceUUID = resourceUUID }
}

/// What was opened; the descriptor comes beside it.
package struct ResourceOpenReply: Codable, Hashable, Sendable {
    package var resource: ResourceRecord
    package init(resource: ResourceRecord) { self.resource = resource }
}
