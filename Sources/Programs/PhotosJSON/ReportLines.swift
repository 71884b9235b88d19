internal import Foundation
public import PhotosManagement

/// The first and the last line of an import report: the sources of the import, and the number of
/// files with each outcome.
public enum ReportLines {
    /// A source of an import.
    public struct Source: Sendable, Hashable {
        /// The kind of source: `files`, `takeout`, `device`, or a kind of library.
        public var kind: String
        /// The path of the source; nil for a device, and for files that a browser uploaded.
        public var path: SourcePath?
        /// The device; nil for other sources.
        public var device: CameraDevice?

        /// Creates a source.
        public init(kind: String, path: SourcePath? = nil, device: CameraDevice? = nil) {
            self.kind = kind
            self.path = path
            self.device = device
        }

        /// Creates the sources for the paths of an import: files and folders first, then exports of
        /// Google Takeout.
        public static func all(among paths: [SourcePath]) -> [Source] {
            let files = LibraryImport.filesAndFolders(among: paths)
            let takeouts = LibraryImport.takeouts(among: paths)
            return files.map { Source(kind: ImportSourceKind.files.rawValue, path: $0) }
                + takeouts.map { Source(kind: FileOutcome.Source.Kind.takeout.rawValue, path: $0) }
        }

        fileprivate var object: JSONObject {
            var object = JSONObject()
            object.add("kind", kind)
            object.add("path", path?.description)
            if let path, !path.isUTF8 {
                object.add("pathBase64", Data(path.bytes).base64EncodedString())
            }
            if let device {
                object.add("model", device.model)
                object.add("port", device.port)
            }
            return object
        }
    }

    /// Returns the first line of a report, which names its sources.
    public static func header(
        _ sources: [Source],
        isDryRun: Bool,
        start: MigrationStart? = nil
    ) -> JSONObject {
        var header = JSONObject()
        header.add("sources", sources.map(\.object))
        header.add("dryRun", isDryRun)
        if let start {
            header.add("generation", start.generation)
            header.add("model", start.model)
            header.add("logSize", start.logSize)
            header.add("assets", start.assets)
            header.add("originalsMissing", start.missing)
            header.add("notes", start.notes.map { ReportNote($0).object })
        }
        return header
    }

    /// Returns the totals line that ends the report of an import from files, folders, Google
    /// Takeout exports or a device.
    ///
    /// - Parameters:
    ///   - summary: The numbers.
    ///   - notes: Remarks that the summary does not have.
    ///   - unlisted: The number of items that have no line.
    /// - Returns: The line.
    public static func totals(_ summary: ImportSummary, notes: [ReportNote], unlisted: Int = 0)
        -> JSONObject
    {
        var totals = JSONObject()
        totals.add("files", summary.foundFiles)
        for kind in FileOutcome.Kind.allCases {
            totals.add(kind.rawValue, summary.counts[kind] ?? 0)
        }
        totals.add("addsUp", summary.addsUp)
        totals.add("bytes", summary.bytes)
        if unlisted > 0 { totals.add("unlisted", unlisted) }
        totals.add("notes", (notes + summary.notes).map(\.object))
        var line = JSONObject()
        line.add("totals", totals)
        return line
    }

    /// Returns the totals line that ends the report of an import of another program's library.
    ///
    /// `unlisted` is the number of items that have no line in the report.
    public static func totals(_ summary: MigrationSummary, unlisted: Int = 0) -> JSONObject {
        var totals = JSONObject()
        totals.add("assets", summary.assets)
        totals.add("imported", summary.imported)
        totals.add("alreadyThere", summary.alreadyThere)
        totals.add("damaged", summary.damaged)
        totals.add("missing", summary.missing)
        totals.add("sharedSkipped", summary.sharedSkipped)
        totals.add("unsupported", summary.unsupported)
        totals.add("failed", summary.failed)
        totals.add("addsUp", summary.addsUp)
        totals.add("albums", summary.albums)
        totals.add("folders", summary.folders)
        totals.add("orphanFiles", summary.orphanFiles)
        totals.add("verified", summary.verified)
        totals.add("notVerifiable", summary.notVerifiable)
        totals.add("files", summary.files)
        totals.add("bytes", summary.bytes)
        var skipped = JSONObject()
        for (kind, count) in summary.collectionsSkipped.sorted(by: { $0.key < $1.key }) {
            skipped.add(kind, count)
        }
        totals.add("collectionsSkipped", skipped)
        if unlisted > 0 { totals.add("unlisted", unlisted) }
        totals.add("notes", summary.notes.map { ReportNote($0).object })
        var line = JSONObject()
        line.add("totals", totals)
        return line
    }

    /// Returns the totals line, without numbers, that ends the report of an unreadable library.
    ///
    /// The number of assets is null.
    public static func totalsOfUnreadableLibrary() -> JSONObject {
        var totals = JSONObject()
        totals.add("assets", nil as Int?)
        totals.add("addsUp", false)
        var line = JSONObject()
        line.add("totals", totals)
        return line
    }
}
