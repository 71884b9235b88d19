public import Foundation
public import PhotosManagement

/// An entry in the report of an import: a file and its outcome.
///
/// An item of another program's library also has an entry if no file of the item was found.
public struct ReportItem: Sendable, Hashable {
    /// The location of an item in another program's library or in an export.
    public struct Source: Sendable, Hashable {
        /// The kind of library or export, such as `applePhotos`.
        public var kind: String
        /// The item's identifier or path in the library or export.
        public var item: String?
        /// The name of the volume that holds the file; nil for a file inside the library or export.
        public var volume: String?
        /// The path of the file relative to its volume; nil for a file inside the library or
        /// export.
        public var volumePath: String?

        /// Creates the location of an item whose file is inside the library or export.
        public init(kind: String, item: String?) {
            self.kind = kind
            self.item = item
        }

        fileprivate var object: JSONObject {
            var object = JSONObject()
            object.add("kind", kind)
            object.add("item", item)
            if let volume {
                var place = JSONObject()
                place.add("name", volume)
                place.add("path", volumePath)
                object.add("volume", place)
            }
            return object
        }
    }

    /// The path of the file on this machine; nil if it is unknown.
    public var path: String?
    /// The bytes of a path that is not valid UTF-8.
    public var pathBytes: Data?
    /// The name of the outcome.
    public var outcome: String
    /// The local identifier of the asset to which the file belongs; nil if there is no such asset.
    public var localIdentifier: String?
    /// The reason for the outcome, or advice for the user.
    public var reason: String?
    /// The item's location in another program's library or in an export; nil for a plain file.
    public var source: Source?
    /// Remarks about the item.
    public var notes: [ReportNote] = []
    /// Indicates whether the item is hidden in the library from which it comes.
    public var isHidden = false

    /// Creates an item with a path and an outcome.
    public init(path: String?, outcome: String, reason: String? = nil) {
        self.path = path
        self.outcome = outcome
        self.reason = reason
    }

    /// Creates the report item for the outcome of a file.
    public init(_ outcome: FileOutcome) {
        self.init(
            path: outcome.path.description,
            outcome: outcome.kind.rawValue,
            reason: outcome.reason
        )
        if !outcome.path.isUTF8 { pathBytes = Data(outcome.path.bytes) }
        localIdentifier = outcome.localIdentifier
        source = outcome.source.map { Source(kind: $0.kind.rawValue, item: $0.item) }
        notes = outcome.notes
    }

    /// Creates the report item for an item that the migration of another program's library
    /// reported.
    public init(_ item: MigratedItem, of migration: LibraryMigration) {
        self.init(
            path: migration.path(of: item),
            outcome: item.outcome.rawValue,
            reason: item.reason
        )
        localIdentifier = item.localIdentifier
        source = Source(kind: item.source, item: item.item)
        source?.volume = item.volume
        source?.volumePath = item.volume == nil ? nil : item.path
        notes = item.notes.map(ReportNote.init)
        isHidden = item.isHidden
    }

    /// The item's line in a report.
    public var object: JSONObject {
        var object = JSONObject()
        object.add("path", path)
        if let pathBytes { object.add("pathBase64", pathBytes.base64EncodedString()) }
        object.add("outcome", outcome)
        object.add("localIdentifier", localIdentifier)
        object.add("reason", reason)
        if let source { object.add("source", source.object) }
        if !notes.isEmpty || isOfLibrary { object.add("notes", notes.map(\.object)) }
        return object
    }

    /// The item's line for a reader who may not see hidden assets: only the outcome, and that the
    /// item is hidden.
    public var redactedObject: JSONObject {
        var object = JSONObject()
        object.add("path", nil as String?)
        object.add("outcome", outcome)
        object.add("localIdentifier", nil as String?)
        object.add("reason", nil as String?)
        object.add("isHidden", true)
        return object
    }

    /// Indicates whether the item comes from another program's library or from an export other than
    /// Google Takeout.
    ///
    /// The lines of such items have `notes` even if there are no remarks.
    private var isOfLibrary: Bool {
        source.map { $0.kind != FileOutcome.Source.Kind.takeout.rawValue } ?? false
    }
}
