/// Asks for the SHA-256 of the files that assets are known by: their originals.
package struct AssetDigestsRequest: Codable, Hashable, Sendable {
    package var assetUUIDs: [String]
    /// Whether assets in Recently Deleted count.
    package var includesDeleted: Bool
    package init(assetUUIDs: [String], includesDeleted: Bool = true) {
        self.assetUUIDs = assetUUIDs
        self.includesDeleted = includesDeleted
    }
}

/// An answer per asset, in the request's order.
package struct AssetDigestsReply: Codable, Hashable, Sendable {
    /// 64 lower-case hexadecimal digits each; nil where there is no such asset.
    package var digests: [String?]
    package init(digests: [String?]) { self.digests = digests }
}

/// The SHA-256 of each file whose descriptor was given, in their order.
package struct FileDigestsReply: Codable, Hashable, Sendable {
    /// 64 lower-case hexadecimal digits each.
    package var digests: [String]
    package init(digests: [String]) { self.digests = digests }
}
