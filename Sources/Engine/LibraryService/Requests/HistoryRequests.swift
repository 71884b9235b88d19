package import FoundationEssentials
package import PhotoModel

/// A request for the transactions after a version, oldest first.
package struct HistoryRequest: Codable, Hashable, Sendable {
    package var since: Int64
    /// The stamp of the version after which transactions are requested, if known.
    ///
    /// After a restore to an older state, the library can have a different version with the same
    /// number.
    package var stamp: HistoryStamp?
    /// The maximum number of versions.
    package var limit: Int
    package init(since: Int64, stamp: HistoryStamp? = nil, limit: Int) {
        self.since = since
        self.stamp = stamp
        self.limit = limit
    }
}

/// The versions of the library after the requested version.
package struct HistoryReply: Codable, Hashable, Sendable {
    package var versions: [HistoryVersion]
    /// The current version.
    package var current: Int64
    /// The stamp of the requested version; nil for version 0.
    package var stamp: HistoryStamp?
    package init(versions: [HistoryVersion], current: Int64, stamp: HistoryStamp? = nil) {
        self.versions = versions
        self.current = current
        self.stamp = stamp
    }
}

/// A transaction, as a client sees it.
package struct HistoryVersion: Codable, Hashable, Sendable {
    package var version: Int64
    package var time: Date
    package var author: String
    /// The version that this transaction undid; nil if it undid none.
    package var undoes: Int64?
    /// The stamp of the preceding version; nil for the first.
    package var previous: HistoryStamp?
    package var changes: [HistoryChange]
    package init(
        version: Int64,
        time: Date,
        author: String,
        undoes: Int64? = nil,
        previous: HistoryStamp? = nil,
        changes: [HistoryChange]
    ) {
        self.version = version
        self.time = time
        self.author = author
        self.undoes = undoes
        self.previous = previous
        self.changes = changes
    }

    package var stamp: HistoryStamp { HistoryStamp(time) }
}

/// The net effect of a transaction on one object.
///
/// A move to Recently Deleted counts as a deletion and a restore as an insertion, consistent with
/// fetches. A change of an asset's files counts as a change of the asset.
package struct HistoryChange: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case inserted, updated, deleted
    }

    /// The kind of the object: `asset`, `album` or `folder`.
    package var object: ObjectKind
    package var uuid: String
    package var kind: Kind
    /// Indicates whether visible or audible content changed.
    package var contentChanged: Bool
    /// The names of the changed properties, sorted alphabetically.
    ///
    /// `members` stands for the members of an album, `files` for the files of an asset. Empty for
    /// insertions and deletions.
    package var properties: [String]

    package init(
        object: ObjectKind,
        uuid: String,
        kind: Kind,
        contentChanged: Bool,
        properties: [String]
    ) {
        self.object = object
        self.uuid = uuid
        self.kind = kind
        self.contentChanged = contentChanged
        self.properties = properties
    }

    package var localIdentifier: String { uuid + object.identifierSuffix }
}

/// A request to read, and optionally to change, the retention period of the history.
package struct HistoryHorizonRequest: Codable, Hashable, Sendable {
    /// The new retention period in days, at least 1; nil to only read it.
    package var days: Int?
    package init(days: Int? = nil) { self.days = days }
}

/// The retention period of the history, and the oldest version that it reaches back to.
package struct HistoryHorizonReply: Codable, Hashable, Sendable {
    package var days: Int
    /// The oldest version since which all changes are known.
    package var start: Int64
    package init(days: Int, start: Int64) {
        self.days = days
        self.start = start
    }
}
