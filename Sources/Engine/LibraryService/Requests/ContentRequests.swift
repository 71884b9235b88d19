package import PhotoModel

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

/// Asks what kind of file something is.
package struct IdentifyRequest: Codable, Hashable, Sendable {
    /// Its name, for words to people; never trusted for the kind.
    package var filename: String
    package init(filename: String) { self.filename = filename }
}

/// What kind of file something is.
package struct IdentifyReply: Codable, Hashable, Sendable {
    /// Nil for what no library holds, and for sidecars.
    package var mediaType: MediaType?
    package init(mediaType: MediaType?) { self.mediaType = mediaType }
}
