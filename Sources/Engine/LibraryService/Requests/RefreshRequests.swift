package import FoundationEssentials
package import PhotoModel

/// Asks to read the originals of assets again with the present reader.
///
/// Each call is one transaction at most, and so one change to undo; `next` continues.
package struct RefreshRequest: Codable, Hashable, Sendable {
    /// The number of assets that one call reads at most.
    package static let largestBatch = 500

    /// The assets, `largestBatch` of them at most; nil for those that an earlier reader read.
    package var uuids: [String]?
    /// Where the last call ended; nil to begin, and where assets are named.
    package var cursor: Int64?
    /// Whether nothing is to be changed.
    package var isDryRun: Bool

    package init(uuids: [String]? = nil, cursor: Int64? = nil, isDryRun: Bool = false) {
        self.uuids = uuids
        self.cursor = cursor
        self.isDryRun = isDryRun
    }
}

/// An outcome per asset, and where to go on.
package struct RefreshReply: Codable, Hashable, Sendable {
    package var outcomes: [RefreshOutcome]
    /// Nil when there are no more, and where assets were named.
    package var next: Int64?
    package init(outcomes: [RefreshOutcome], next: Int64? = nil) {
        self.outcomes = outcomes
        self.next = next
    }
}

/// What became of one asset whose originals were to be read again.
package struct RefreshOutcome: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// Values of it were updated, or a file of it became an asset of its own.
        case refreshed
        /// It has the values that the present reader gives, or that people set.
        case unchanged
        /// One of its files could not be read, or is not the one that was imported.
        case failed
        /// One of its files, or the asset itself, is not there.
        case missing
    }

    package var kind: Kind
    package var localIdentifier: String
    /// The name of the asset's original; nil when there is no such asset.
    package var filename: String?
    /// Why, for the last two kinds; for the others a remark.
    package var reason: String?
    /// What differs, by property in alphabetic order.
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
    /// As history names it; `files` for the files of the asset.
    package var property: String
    /// Nil for none.
    package var old: RefreshValue?
    /// Nil for none.
    package var new: RefreshValue?

    package init(_ property: String, _ old: RefreshValue?, _ new: RefreshValue?) {
        self.property = property
        self.old = old
        self.new = new
    }
}

/// A property's value.
package enum RefreshValue: Codable, Hashable, Sendable {
    case text(String)
    case number(Double)
    case date(Date)
    case location(Location)
    case texts([String])
}

/// How many assets were read by an earlier reader.
package struct ReaderStatusReply: Codable, Hashable, Sendable {
    /// Assets, those in Recently Deleted too, that `refresh` would read again.
    package var earlierAssets: Int
    /// The version of the present reader.
    package var readerVersion: Int
    package init(earlierAssets: Int, readerVersion: Int) {
        self.earlierAssets = earlierAssets
        self.readerVersion = readerVersion
    }
}
