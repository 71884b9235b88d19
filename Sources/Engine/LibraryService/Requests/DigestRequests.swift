/// A request for the SHA-256 digests of assets' originals.
package struct AssetDigestsRequest: Codable, Hashable, Sendable {
    package var assetUUIDs: [String]
    /// Indicates whether assets in Recently Deleted are included.
    package var includesDeleted: Bool
    package init(assetUUIDs: [String], includesDeleted: Bool = true) {
        self.assetUUIDs = assetUUIDs
        self.includesDeleted = includesDeleted
    }
}

/// The digests of assets, in the order of the request.
package struct AssetDigestsReply: Codable, Hashable, Sendable {
    /// The digests, each 64 lowercase hexadecimal digits; nil for an asset that does not exist.
    package var digests: [String?]
    /// The UUIDs that denote this library in `PHCloudIdentifier` values; empty for a client without
    /// permission.
    ///
    /// The first one is used in new identifiers: the cloud library's UUID if there is a cloud
    /// library. The others are in identifiers that were issued earlier.
    package var libraries: [String]
    package init(digests: [String?], libraries: [String] = []) {
        self.digests = digests
        self.libraries = libraries
    }
}

/// The SHA-256 of files, in the order of their descriptors.
package struct FileDigestsReply: Codable, Hashable, Sendable {
    /// The digests, each 64 lowercase hexadecimal digits.
    package var digests: [String]
    package init(digests: [String]) { self.digests = digests }
}
