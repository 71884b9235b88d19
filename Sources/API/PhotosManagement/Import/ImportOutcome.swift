/// The outcome of one file of an import.
public struct FileOutcome: Sendable, Hashable {
    /// The kinds of outcome.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The file became a new asset.
        case imported
        /// The library already contains the same bytes.
        case duplicate
        /// The file became part of the asset of another file.
        ///
        /// Examples are the movie of a Live Photo, the RAW beside a JPEG, and a sidecar.
        case paired
        /// The file is not of a supported media type.
        case unsupported
        /// The import of a supported file failed.
        case failed
        /// The imported library or export describes a file that does not exist.
        case missing
    }

    /// The origin of a file: the kind of the imported library or export, and the file's path in it.
    public struct Source: Sendable, Hashable {
        /// The kinds of libraries and exports.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// An export of Google Photos by Google Takeout.
            case takeout
        }

        /// The kind of the library or export.
        public var kind: Kind
        /// The path of the file in the export.
        public var item: String?

        /// Creates the source of a file.
        public init(kind: Kind, item: String?) {
            self.kind = kind
            self.item = item
        }
    }

    /// A remark about a file or an import.
    public struct Note: Sendable, Hashable {
        /// The kind of the remark, as a code that is the same in all languages and versions.
        public var code: String
        /// Indicates whether the remark states that the import was incomplete.
        public var isError: Bool
        /// The text of the remark, for users.
        public var text: String

        /// Creates a remark.
        public init(code: String, isError: Bool, text: String) {
            self.code = code
            self.isError = isError
            self.text = text
        }
    }

    /// The absolute path, without symbolic links resolved; for a file in an archive, the path of
    /// the archive.
    public var path: SourcePath
    /// The kind of the outcome.
    public var kind: Kind
    /// The local identifier of the asset, for `imported`, `duplicate` and `paired`.
    public var localIdentifier: String?
    /// The reason for `unsupported`, `failed` and `missing`; for other outcomes, an optional
    /// remark.
    ///
    /// An example of a remark is that the duplicate is in Recently Deleted.
    public var reason: String?
    /// The origin of the file in the imported library or export; nil for a plain file.
    public var source: Source?
    /// Additional remarks about the file.
    public var notes: [Note]

    /// Creates an outcome.
    public init(
        path: SourcePath,
        kind: Kind,
        localIdentifier: String? = nil,
        reason: String? = nil,
        source: Source? = nil,
        notes: [Note] = []
    ) {
        self.path = path
        self.kind = kind
        self.localIdentifier = localIdentifier
        self.reason = reason
        self.source = source
        self.notes = notes
    }
}

/// An event of a running import.
public enum ImportEvent: Sendable, Hashable {
    /// The outcome of a file; `imported`, `duplicate` and `paired` are durable.
    case outcome(FileOutcome)
    /// A skipped folder and the reason, for example that the folder is a link or a photo library.
    case notEntered(SourcePath, reason: String)
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of files that have an outcome.
    public var files = 0
    /// The number of bytes of the files that have an outcome.
    public var bytes: Int64 = 0
    /// The number of files counted so far, which is the total once ``isTotalKnown`` is true; 0 when
    /// counting was not requested.
    public var totalFiles = 0
    /// The size in bytes of the files counted so far, which is the total once ``isTotalKnown`` is
    /// true.
    public var totalBytes: Int64 = 0
    /// Indicates whether the totals are complete.
    public var isTotalKnown = false

    /// Creates the progress of an import that has not begun.
    public init() {}
}

/// The result of an import in numbers.
public struct ImportSummary: Sendable, Hashable {
    /// The number of files per kind of outcome; kinds without files are absent.
    public var counts: [FileOutcome.Kind: Int] = [:]
    /// The number of bytes of all files that had an outcome.
    public var bytes: Int64 = 0
    /// The number of files that the walk found, whether or not they have an outcome yet.
    public var foundFiles = 0
    /// Remarks about the import as a whole.
    public var notes: [FileOutcome.Note] = []
    /// Indicates whether the import was stopped before every file had an outcome.
    public var wasStopped = false
    /// The folders that disappeared during the import, such as the folder of a disconnected device.
    ///
    /// Their remaining files failed.
    public var vanishedFolders: [SourcePath] = []

    /// Creates an empty summary.
    public init() {}

    /// The number of files that had an outcome.
    public var files: Int { counts.values.reduce(0, +) }

    /// Indicates whether each file that was found has exactly one outcome.
    public var addsUp: Bool { files == foundFiles }
}
