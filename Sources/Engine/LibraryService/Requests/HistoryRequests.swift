package import FoundationEssentials
package import PhotoModel

/// Asks what happened after a version, oldest first.
package struct HistoryRequest: Codable, Hashable, Sendable {
    package var since: Int64
    /// The stamp of that version, where it is known: a library that was put back to an older state, and
    /// has grown since, has another version of that number.
    package var stamp: HistoryStamp?
    /// How many versions at most.
    package var limit: Int
    package init(since: Int64, stamp: HistoryStamp? = nil, limit: Int) {
        self.since = since
        self.stamp = stamp
        self.limit = limit
    }
}

/// Versions after the one asked for; `historyExpired` is thrown when the journal does not reach back.
package struct HistoryReply: Codable, Hashable, Sendable {
    package var versions: [HistoryVersion]
    /// The present version.
    package var current: Int64
    /// The stamp of the version asked for; nil for version 0.
    package var stamp: HistoryStamp?
    package init(versions: [HistoryVersion], current: Int64, stamp: HistoryStamp? = nil) {
        self.versions = versions
        self.current = current
        self.stamp = stamp
    }
}

/// One transaction, as a client sees it.
package struct HistoryVersion: Codable, Hashable, Sendable {
    package var version: Int64
    package var time: Date
    package var author: String
    /// The version that this one took back; nil for all others.
    package var undoes: Int64?
    /// The stamp of the version before; nil for the first.
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

/// What a transaction did to one object, all in all.
///
/// Going to Recently Deleted is a deletion and coming back an insertion: that is what fetches show.
/// A change of an asset's files counts as one of the asset.
package struct HistoryChange: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case inserted, updated, deleted
    }

    /// `asset`, `album` or `folder`.
    package var object: ObjectKind
    package var uuid: String
    package var kind: Kind
    /// Whether what is seen or heard changed.
    package var contentChanged: Bool
    /// Names of the properties that changed, in alphabetic order; `members` for those of an album,
    /// `files` for those of an asset.
    ///
    /// Empty for insertions and deletions.
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

/// Asks how long history is kept, and changes that when a number is given.
package struct HistoryHorizonRequest: Codable, Hashable, Sendable {
    /// Days of history to keep from now on; nil to ask only.
    ///
    /// At least 1.
    package var days: Int?
    package init(days: Int? = nil) { self.days = days }
}

/// How long history is kept, and how far it reaches back.
package struct HistoryHorizonReply: Codable, Hashable, Sendable {
    package var days: Int
    /// The oldest version after which changes are known.
    package var start: Int64
    package init(days: Int, start: Int64) {
        self.days = days
        self.start = start
    }
}
