package import PhotoModel

/// A request for the files of an asset.
package struct ResourceListRequest: Codable, Hashable, Sendable {
    package var assetUUID: String
    package init(assetUUID: String) { self.assetUUID = assetUUID }
}

/// The files of an asset, in a stable order.
///
/// The original comes first, then its partners, then the files of edits. Adjustment data and
/// sidecars come last.
package struct ResourceListReply: Codable, Hashable, Sendable {
    package var resources: [ResourceRecord]
    package init(resources: [ResourceRecord]) { self.resources = resources }
}

/// A request to open a resource.
///
/// The content is passed as a descriptor, open for reading.
package struct ResourceOpenRequest: Codable, Hashable, Sendable {
    package var resourceUUID: String
    package init(resourceUUID: String) { self.resourceUUID = resourceUUID }
}

/// The opened resource, whose descriptor is passed alongside.
package struct ResourceOpenReply: Codable, Hashable, Sendable {
    package var resource: ResourceRecord
    package init(resource: ResourceRecord) { self.resource = resource }
}
