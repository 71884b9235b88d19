/// Asks which assets have files with certain bytes: before those are written once more.
package struct FindContentRequest: Codable, Hashable, Sendable {
    /// 64 lower-case hexadecimal digits each.
    package var digests: [String]
    package init(digests: [String]) { self.digests = digests }
}

/// For each digest, in the request's order, the assets that have such a file: none when the bytes
/// are new.
package struct FindContentReply: Codable, Hashable, Sendable {
    package var matches: [[ContentMatch]]
    package init(matches: [[ContentMatch]]) { self.matches = matches }
}

/// An asset of which a file has the bytes asked for; those outside Recently Deleted come first, the
/// oldest of them ahead.
package struct ContentMatch: Codable, Hashable, Sendable {
    package var localIdentifier: String
    /// Whether it is in Recently Deleted.
    package var isTrashed: Bool
    package init(localIdentifier: String, isTrashed: Bool) {
        self.localIdentifier = localIdentifier
        self.isTrashed = isTrashed
    }
}
