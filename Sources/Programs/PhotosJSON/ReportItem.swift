public import Foundation
public import PhotosManagement

/// A file with an outcome in a report of an import, or an item of a library without a file.
public struct ReportItem: Sendable, Hashable {
    /// The place of an item in the library of another program or in an export.
    public struct Source: Sendable, Hashable {
        /// The kind of library or export, such as `applePhotos`.
        public var kind: String
        /// The item's identifier or path there.
        public var item: String?
        /// The name of the volume that holds the file; nil if the library itself has it.
        public var volume: String?
        /// The path of the file below the folder of that volume.
        public var volumePath: String?

        /// Creates the place of an item whose file the library itself has.
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

    /// The path on this machine; nil if it is unknown.
    public var path: String?
    /// The bytes of a path that is not valid UTF-8.
    public var pathBytes: Data?
    /// The name of the outcome.
    public var outcome: String
    /// The local identifier of the asset, if there is one.
    public var localIdentifier: String?
    /// The reason, or what to do.
    public var reason: String?
    /// The item of another library or export; nil for a plain file.
    public var source: Source?
    /// Remarks.
    public var notes: [ReportNote] = []
    /// Indicates whether it is hidden at its source.
    public var isHidden = false

    /// Creates an item with a path and an outcome.
    public init(path: String?, outcome: String, reason: String? = nil) {
        self.path = path
        self.outcome = outcome
        self.reason = reason
    }

    /// Creates the item of a file.
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

    /// Creates the item of a library of another program that a migration reported.
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

    /// The line of an item that the reader must not know: its outcome alone.
    public var redactedObject: JSONObject {
        var object = JSONObject()
        object.add("path", nil as String?)
        object.add("outcome", outcome)
        object.add("localIdentifier", nil as String?)
        object.add("reason", nil as String?)
        object.add("isHidden", true)
        return object
    }

    /// Indicates whether the item has the form of a library's items, which always list remarks.
    private var isOfLibrary: Bool {
        source.map { $0.kind != FileOutcome.Source.Kind.takeout.rawValue } ?? false
    }
}
