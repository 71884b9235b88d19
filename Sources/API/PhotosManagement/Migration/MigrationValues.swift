internal import LibraryService

/// The facts about a source that are known before anything is copied.
public struct MigrationStart: Sendable, Hashable {
    /// The program and its generation, such as “Photos 10 (macOS 15)”.
    public let generation: String
    /// The version number of the database's data model.
    public let model: Int
    /// The size in bytes of the write-ahead log that was copied with the database.
    public let logSize: Int64
    /// The number of assets.
    public let assets: Int
    /// The number of missing originals, for example because they are only in iCloud.
    public let missing: Int
    /// The total size, in bytes, of the files to copy, including files that the library already
    /// has.
    public let bytes: Int64
    /// Remarks about the source as a whole.
    public let notes: [MigrationRemark]

    init(_ reply: MigrationBeginReply) {
        generation = reply.generation
        model = reply.model
        logSize = reply.logSize
        assets = reply.assets
        missing = reply.missing
        bytes = reply.bytes
        notes = reply.notes.map(MigrationRemark.init)
    }
}

/// A remark about an item or a source.
public struct MigrationRemark: Sendable, Hashable {
    /// The code, such as `changedSinceImport`.
    public let code: String
    /// Indicates whether the remark reports a loss or damage.
    public let isError: Bool
    /// The remark as text.
    public let text: String

    init(_ note: MigrationNote) {
        code = note.code
        isError = note.level == .error
        text = note.text
    }
}

/// The outcome of a file of a migrated library, or of an item without a file.
public struct MigratedItem: Sendable, Hashable {
    /// The kinds of outcome.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The file became a new asset.
        case imported
        /// The file became part of an asset: as its movie, RAW, edited version or adjustments.
        case paired
        /// The asset was imported before, or the library has the same bytes.
        case duplicate
        /// The file is missing; `reason` states what to do.
        case missing
        /// The item or file was left out intentionally, not because of an error.
        ///
        /// The options exclude the item, no item names the file, or the library's own file was kept
        /// instead.
        case skipped
        /// The file is not of a supported media type.
        case unsupported
        /// The import of a supported file failed.
        case failed
    }

    /// The kind of the source, such as `applePhotos`.
    public let source: String
    /// The identifier of the item at the source; nil for a file that no item refers to.
    public let item: String?
    /// The path of the file, relative to the folder of `volume` or, if that is nil, to the source's
    /// folder; nil if unknown.
    ///
    /// ``LibraryMigration/path(of:)`` returns the whole path.
    public let path: String?
    /// The name of the volume that holds the file; nil for a file in the source's folder.
    public let volume: String?
    /// The outcome.
    public let outcome: Outcome
    /// The local identifier of the asset, if there is one.
    public let localIdentifier: String?
    /// The reason for the outcome, or advice on what to do.
    public let reason: String?
    /// Remarks about the item.
    public let notes: [MigrationRemark]
    /// Indicates whether this is the outcome of an asset's primary file.
    ///
    /// The counts of outcomes in ``MigrationSummary`` include only these.
    public let isLeading: Bool
    /// Indicates whether the item is hidden at the source, so its name should not be shown.
    public let isHidden: Bool

    init(_ line: MigrationLine) {
        source = line.kind.rawValue
        item = line.item
        path = line.path
        volume = line.volume
        outcome =
            switch line.outcome {
            case .imported: .imported
            case .paired: .paired
            case .duplicate: .duplicate
            case .missing: .missing
            case .skipped: .skipped
            case .unsupported: .unsupported
            case .failed: .failed
            }
        localIdentifier = line.localIdentifier
        reason = line.reason
        notes = line.notes.map(MigrationRemark.init)
        isLeading = line.isLeading
        isHidden = line.isHidden
    }
}

/// The result of a migration in numbers.
public struct MigrationSummary: Sendable, Hashable {
    /// The number of assets at the source.
    public private(set) var assets = 0
    /// The number of imported assets.
    public private(set) var imported = 0
    /// The number of assets that the library had already.
    public private(set) var alreadyThere = 0
    /// The number of assets that were imported although their original seems to be damaged.
    public private(set) var damaged = 0
    /// The number of assets whose original is missing.
    public private(set) var missing = 0
    /// The number of assets of shared albums that were left out.
    public private(set) var sharedSkipped = 0
    /// The number of assets of unsupported types.
    public private(set) var unsupported = 0
    /// The number of assets that could not be imported.
    public private(set) var failed = 0
    /// The number of new albums.
    public private(set) var albums = 0
    /// The number of new folders.
    public private(set) var folders = 0
    /// The number of collections that were left out, by kind.
    public private(set) var collectionsSkipped: [String: Int] = [:]
    /// The number of originals whose content matches the fingerprint that Apple's library recorded
    /// for them.
    ///
    /// For an export, the number of copied files, each of which matches its SHA-256.
    public private(set) var verified = 0
    /// The number of originals that could not be verified, since the source has no fingerprint for
    /// them.
    public private(set) var notVerifiable = 0
    /// The number of files that are not listed in the source's database.
    public private(set) var orphanFiles = 0
    /// The number of copied files.
    public private(set) var files = 0
    /// The number of copied bytes.
    public private(set) var bytes: Int64 = 0
    /// Remarks about the source as a whole.
    public private(set) var notes: [MigrationRemark] = []
    /// Indicates whether the migration was stopped before every item had an outcome.
    public internal(set) var wasStopped = false

    /// Indicates whether every asset has exactly one outcome.
    public var addsUp: Bool { assets == settled }

    /// The number of assets that have an outcome.
    public var settled: Int {
        imported + alreadyThere + damaged + missing + sharedSkipped + unsupported + failed
    }

    /// Indicates whether the library has all assets undamaged, apart from those that the options
    /// exclude.
    public var isComplete: Bool {
        missing == 0 && failed == 0 && damaged == 0 && unsupported == 0 && addsUp
            && !notes.contains(where: \.isError)
    }

    init() {}

    init(_ totals: MigrationTotals) {
        assets = totals.assets
        imported = totals.imported
        alreadyThere = totals.alreadyThere
        damaged = totals.damaged
        missing = totals.missing
        sharedSkipped = totals.sharedSkipped
        unsupported = totals.unsupported
        failed = totals.failed
        albums = totals.albums
        folders = totals.folders
        collectionsSkipped = totals.collectionsSkipped
        verified = totals.verified
        notVerifiable = totals.notVerifiable
        orphanFiles = totals.orphanFiles
        files = totals.files
        bytes = totals.bytes
        notes = totals.notes.map(MigrationRemark.init)
    }
}
