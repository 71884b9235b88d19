/// The outcome of one file of an import.
public struct FileOutcome: Sendable, Hashable {
    /// The kinds of outcome.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The file became a new asset.
        case imported
        /// The library already contains the same bytes.
        case duplicate
        /// The file joined an asset: the movie of a Live Photo, the RAW beside a JPEG, a sidecar.
        case paired
        /// The file is not of a supported media type.
        case unsupported
        /// The import of a supported file failed.
        case failed
    }

    /// The absolute path, with symbolic links unresolved.
    public var path: SourcePath
    /// The kind of the outcome.
    public var kind: Kind
    /// The local identifier of the asset, for `imported`, `duplicate` and `paired`.
    public var localIdentifier: String?
    /// The reason for `unsupported` and `failed`; for the other kinds a remark, for example that
    /// the duplicate is in Recently Deleted.
    public var reason: String?

    /// Creates an outcome.
    public init(
        path: SourcePath,
        kind: Kind,
        localIdentifier: String? = nil,
        reason: String? = nil
    ) {
        self.path = path
        self.kind = kind
        self.localIdentifier = localIdentifier
        self.reason = reason
    }
}

/// An event of a running import.
public enum ImportEvent: Sendable, Hashable {
    /// The outcome of a file; `imported`, `duplicate` and `paired` are durable.
    case outcome(FileOutcome)
    /// A folder that was skipped, and why: a linked folder, a library bundle.
    case notEntered(SourcePath, reason: String)
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of files that have an outcome.
    public var files = 0
    /// The number of bytes of these files.
    public var bytes: Int64 = 0
    /// The total number of files, as far as they are counted; 0 when counting was not requested.
    public var totalFiles = 0
    /// The number of bytes of these files.
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
    /// Indicates whether the import was stopped before every file had an outcome.
    public var wasStopped = false

    /// Creates an empty summary.
    public init() {}

    /// The number of files that had an outcome.
    public var files: Int { counts.values.reduce(0, +) }
}
