package import PhotoModel

/// A request to find assets that already have files with the given content.
package struct FindContentRequest: Codable, Hashable, Sendable {
    /// The digests, each 64 lowercase hexadecimal digits.
    package var digests: [String]
    package init(digests: [String]) { self.digests = digests }
}

/// The assets that have files with the requested contents, as one list for each digest in request
/// order.
///
/// A list is empty if no asset has a file with the content.
package struct FindContentReply: Codable, Hashable, Sendable {
    package var matches: [[ContentMatch]]
    package init(matches: [[ContentMatch]]) { self.matches = matches }
}

/// An asset that has a file with the requested content.
///
/// Assets outside Recently Deleted come first, the oldest of them at the front.
package struct ContentMatch: Codable, Hashable, Sendable {
    package var localIdentifier: String
    /// Indicates whether the asset is in Recently Deleted.
    package var isTrashed: Bool
    package init(localIdentifier: String, isTrashed: Bool) {
        self.localIdentifier = localIdentifier
        self.isTrashed = isTrashed
    }
}

/// A request to identify the kind of a file.
package struct IdentifyRequest: Codable, Hashable, Sendable {
    /// The file name, for messages only; it never determines the kind.
    package var filename: String
    package init(filename: String) { self.filename = filename }
}

/// The identified kind of a file.
package struct IdentifyReply: Codable, Hashable, Sendable {
    /// The media type; nil for an unsupported file, and for a sidecar.
    package var mediaType: MediaType?
    package init(mediaType: MediaType?) { self.mediaType = mediaType }
}
