public import Foundation
internal import LibraryService
internal import PhotoModel

/// One transaction of a library: what was changed at once, when and by whom.
public struct HistoryEntry: Sendable, Hashable, Identifiable {
    /// Stands for everything up to and including this transaction.
    public var token: HistoryToken
    /// Stands for everything before this transaction.
    public var previousToken: HistoryToken
    /// When it was committed.
    public var date: Date
    /// The program that asked for it.
    public var author: String
    /// The version that this transaction took back; nil for all others.
    public var undoneVersion: Int64?
    /// What became of each object, all in all.
    public var changes: [Change]

    /// Its number; they have no gaps.
    public var version: Int64 { token.version }
    /// The version.
    public var id: Int64 { version }

    /// What a transaction did to one object.
    ///
    /// Going to Recently Deleted is a deletion, and coming back is an insertion.
    public struct Change: Sendable, Hashable {
        /// What can happen to an object.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// It appeared.
            case inserted
            /// It has other properties, files or members.
            case updated
            /// It went.
            case deleted
        }

        /// The kinds of object that history tells of.
        public enum Object: String, Sendable, Hashable, CaseIterable {
            /// A `PHAsset`.
            case asset
            /// An album: a `PHAssetCollection`.
            case album
            /// A folder: a `PHCollectionList`.
            case folder
        }

        /// What happened.
        public var kind: Kind
        /// To which kind of object.
        public var object: Object
        /// To which one.
        public var localIdentifier: String
        /// Whether what is seen or heard changed.
        public var contentChanged: Bool
        /// Names of the properties that were changed, in alphabetic order: `members` for those of
        /// an album, `files` for those of an asset.
        ///
        /// Empty for insertions and deletions.
        public var properties: [String]
    }
}

extension HistoryEntry {
    init(_ version: HistoryVersion, libraryIdentifier: String) {
        token = HistoryToken(
            libraryIdentifier: libraryIdentifier,
            version: version.version,
            stamp: version.stamp
        )
        previousToken = HistoryToken(
            libraryIdentifier: libraryIdentifier,
            version: max(0, version.version - 1),
            stamp: version.previous
        )
        date = version.time
        author = version.author
        undoneVersion = version.undoes
        changes = version.changes.compactMap(Change.init)
    }
}

extension HistoryEntry.Change {
    /// Nil for what is no object of its own.
    fileprivate init?(_ change: HistoryChange) {
        switch change.object {
        case .asset: object = .asset
        case .album: object = .album
        case .folder: object = .folder
        case .resource, .moment, .momentList: return nil
        }
        kind =
            switch change.kind {
            case .inserted: .inserted
            case .updated: .updated
            case .deleted: .deleted
            }
        localIdentifier = change.localIdentifier
        contentChanged = change.contentChanged
        properties = change.properties
    }
}

/// How long a library keeps its history.
public struct HistoryHorizon: Sendable, Hashable {
    /// Days; what is older is pruned now and then.
    public var days: Int
    /// Stands for the oldest state after which all changes are known.
    public var start: HistoryToken
}
