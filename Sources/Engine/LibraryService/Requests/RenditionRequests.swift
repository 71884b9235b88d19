package import PhotoModel

/// What small pictures a library has.
package struct RenditionStatusReply: Codable, Hashable, Sendable {
    /// One size.
    package struct SizeClass: Codable, Hashable, Sendable {
        /// The longer side in pixels at most.
        package var side: Int
        /// Of the library's assets, those that have a picture of this size, or a good enough one; those
        /// that are no larger than the smallest themselves need none, and count.
        package var current: Int
        /// Pictures of assets that are gone, or have another content now.
        package var outdated: Int

        package init(side: Int, current: Int, outdated: Int) {
            self.side = side
            self.current = current
            self.outdated = outdated
        }
    }

    /// The file that holds them, absolute.
    package var path: String
    /// What they take on disk.
    package var bytes: Int64
    /// The library's assets, those in Recently Deleted left out.
    package var assets: Int
    package var sizeClasses: [SizeClass]

    package init(path: String, bytes: Int64, assets: Int, sizeClasses: [SizeClass]) {
        self.path = path
        self.bytes = bytes
        self.assets = assets
        self.sizeClasses = sizeClasses
    }
}

/// Asks for small pictures that are missing: a slice of the library, so that calls are short.
package struct RenditionBuildRequest: Codable, Hashable, Sendable {
    /// The longer side in pixels; one that `RenditionStatusReply` names.
    package var side: Int
    /// Where the last slice ended; nil to begin.
    package var cursor: Int64?
    /// How many pictures to make at most.
    package var limit: Int
    /// What it is cancelled by, as requests for images are.
    package var ticket: String?

    package init(side: Int, cursor: Int64? = nil, limit: Int = 16, ticket: String? = nil) {
        self.side = side
        self.cursor = cursor
        self.limit = limit
        self.ticket = ticket
    }
}

/// What came of a slice.
package struct RenditionBuildReply: Codable, Hashable, Sendable {
    /// An asset whose picture could not be made.
    package struct Failure: Codable, Hashable, Sendable {
        package var localIdentifier: String
        package var error: LibraryError

        package init(localIdentifier: String, error: LibraryError) {
            self.localIdentifier = localIdentifier
            self.error = error
        }
    }

    /// Assets of the slice.
    package var assets: Int
    /// Local identifiers of those whose picture was made now.
    package var made: [String]
    package var failures: [Failure]
    /// Nil when the library has no more.
    package var next: Int64?

    package init(assets: Int, made: [String], failures: [Failure], next: Int64?) {
        self.assets = assets
        self.made = made
        self.failures = failures
        self.next = next
    }
}
