/// What became of one file of an import.
public struct FileOutcome: Sendable, Hashable {
    /// The kinds of outcome.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A new asset.
        case imported
        /// The same bytes are in the library already.
        case duplicate
        /// It joined an asset: the movie of a Live Photo, the RAW beside a JPEG, a sidecar.
        case paired
        /// Not a medium that a library holds.
        case unsupported
        /// It should have worked and did not.
        case failed
    }

    /// The absolute path, links unresolved.
    public var path: SourcePath
    /// What became of it.
    public var kind: Kind
    /// The asset, for the first three kinds.
    public var localIdentifier: String?
    /// Why, for the last two kinds; for the others a remark, such as that the duplicate is in Recently
    /// Deleted.
    public var reason: String?

    /// An outcome.
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

/// What an import tells while it runs.
public enum ImportEvent: Sendable, Hashable {
    /// What became of a file. Where it says imported, duplicate or paired, that is durable.
    case outcome(FileOutcome)
    /// A folder that was not entered, and why: a linked folder, a library bundle.
    case notEntered(SourcePath, reason: String)
}

/// How far an import is.
public struct ImportProgress: Sendable, Hashable {
    /// Files that have an outcome.
    public var files = 0
    /// Their bytes.
    public var bytes: Int64 = 0
    /// Files that there are, as far as they were counted; 0 when nobody asked to count.
    public var totalFiles = 0
    /// Their bytes.
    public var totalBytes: Int64 = 0
    /// Whether the counting is complete.
    public var isTotalKnown = false

    /// Nothing done yet.
    public init() {}
}

/// What an import did, in numbers.
public struct ImportSummary: Sendable, Hashable {
    /// How many files had each kind of outcome; kinds with none are absent.
    public var counts: [FileOutcome.Kind: Int] = [:]
    /// Bytes of all files that had an outcome.
    public var bytes: Int64 = 0
    /// Whether it was stopped before everything had an outcome.
    public var wasStopped = false

    /// Nothing done yet.
    public init() {}

    /// How many files had an outcome.
    public var files: Int { counts.values.reduce(0, +) }
}
