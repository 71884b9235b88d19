package import FoundationEssentials
package import PhotoModel

/// A request to read the metadata of assets' originals again, with the current metadata reader.
///
/// Each call commits at most one transaction, which can be undone as one change; `next` continues.
package struct RefreshRequest: Codable, Hashable, Sendable {
    /// The maximum number of assets that one call reads.
    package static let largestBatch = 500

    /// The UUIDs of at most `largestBatch` assets; nil for all assets with metadata from an earlier
    /// version of the reader.
    package var uuids: [String]?
    /// The position where the last call ended; nil to begin, or if `uuids` is given.
    package var cursor: Int64?
    /// Indicates whether changes are only reported, not made.
    package var isDryRun: Bool

    package init(uuids: [String]? = nil, cursor: Int64? = nil, isDryRun: Bool = false) {
        self.uuids = uuids
        self.cursor = cursor
        self.isDryRun = isDryRun
    }
}

/// The outcome of each asset, and the position to continue from.
package struct RefreshReply: Codable, Hashable, Sendable {
    package var outcomes: [RefreshOutcome]
    /// The position to continue from; nil at the end, or if the request contains UUIDs.
    package var next: Int64?
    package init(outcomes: [RefreshOutcome], next: Int64? = nil) {
        self.outcomes = outcomes
        self.next = next
    }
}

/// The outcome of rereading the originals of one asset.
package struct RefreshOutcome: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Some values of the asset were updated, or one of its files became a separate asset.
        case refreshed
        /// All values already match those that the current metadata reader reads, or were set by a
        /// person or program.
        case unchanged
        /// A file of the asset could not be read, or differs from the imported file.
        case failed
        /// A file of the asset, or the asset itself, is missing.
        case missing
    }

    package var kind: Kind
    package var localIdentifier: String
    /// The name of the asset's original; nil when the asset does not exist.
    package var filename: String?
    /// The reason for `failed` and `missing`; for the other kinds a remark.
    package var reason: String?
    /// The differences, sorted alphabetically by property.
    package var changes: [RefreshChange]

    package init(
        _ kind: Kind,
        localIdentifier: String,
        filename: String? = nil,
        reason: String? = nil,
        changes: [RefreshChange] = []
    ) {
        self.kind = kind
        self.localIdentifier = localIdentifier
        self.filename = filename
        self.reason = reason
        self.changes = changes
    }
}

/// The old and the new value of one property.
package struct RefreshChange: Codable, Hashable, Sendable {
    /// The name of the property, as in the history; `files` for the files of the asset.
    package var property: String
    /// The old value; nil for none.
    package var old: RefreshValue?
    /// The new value; nil for none.
    package var new: RefreshValue?

    package init(_ property: String, _ old: RefreshValue?, _ new: RefreshValue?) {
        self.property = property
        self.old = old
        self.new = new
    }
}

/// The value of a property.
package enum RefreshValue: Codable, Hashable, Sendable {
    case text(String)
    case number(Double)
    case date(Date)
    case location(Location)
    case texts([String])
}

/// The number of assets with metadata from an earlier version of the metadata reader.
package struct ReaderStatusReply: Codable, Hashable, Sendable {
    /// The number of assets that `refresh` would read again, including those in Recently Deleted.
    package var earlierAssets: Int
    /// The version of the current metadata reader.
    package var readerVersion: Int
    package init(earlierAssets: Int, readerVersion: Int) {
        self.earlierAssets = earlierAssets
        self.readerVersion = readerVersion
    }
}
