public import Foundation
internal import LibraryService
internal import PhotoModel

/// A transaction of a library: its changes, time and author.
public struct HistoryEntry: Sendable, Hashable, Identifiable {
    /// The token of the state that includes this transaction.
    public var token: HistoryToken
    /// The token of the state before this transaction.
    public var previousToken: HistoryToken
    /// The time of the commit.
    public var date: Date
    /// The program that requested the change.
    public var author: String
    /// The version that this transaction undid; nil for a transaction that is not an undo.
    public var undoneVersion: Int64?
    /// The net effect of the transaction on each changed object.
    public var changes: [Change]

    /// The version number; versions have no gaps.
    public var version: Int64 { token.version }
    /// The version number.
    public var id: Int64 { version }

    /// The effect of a transaction on one object.
    ///
    /// A move to Recently Deleted counts as a deletion, and a restore counts as an insertion.
    public struct Change: Sendable, Hashable {
        /// The kind of a change.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The object appeared.
            case inserted
            /// Properties, files or members of the object changed.
            case updated
            /// The object disappeared.
            case deleted
        }

        /// The kinds of objects in the history.
        public enum Object: String, Sendable, Hashable, CaseIterable {
            /// A `PHAsset`.
            case asset
            /// An album: a `PHAssetCollection`.
            case album
            /// A folder: a `PHCollectionList`.
            case folder
        }

        /// The kind of the change.
        public var kind: Kind
        /// The kind of the changed object.
        public var object: Object
        /// The local identifier of the changed object.
        public var localIdentifier: String
        /// Indicates whether the visible or audible content of the object changed.
        public var contentChanged: Bool
        /// The names of the changed properties, sorted alphabetically.
        ///
        /// `members` stands for the members of an album, `files` for the files of an asset. Empty
        /// for insertions and deletions.
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
    /// Creates a change; returns nil for a kind of object that is not public.
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

/// The period for which a library keeps its history.
public struct HistoryHorizon: Sendable, Hashable {
    /// The period in days; older history is pruned from time to time.
    public var days: Int
    /// The token of the oldest state for which all later changes are still in the history.
    public var start: HistoryToken
}
