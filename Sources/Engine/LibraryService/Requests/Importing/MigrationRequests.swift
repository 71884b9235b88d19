/// A request to open a library of another program for migration.
///
/// The descriptors are those of the source's folder, then one per volume. The source is only read.
package struct MigrationBeginRequest: Codable, Hashable, Sendable {
    /// The path of the source, for messages and the report.
    package var path: String
    /// The names of the volumes that contain referenced originals, in the order in which the
    /// volumes' descriptors are passed.
    package var volumes: [String]
    package var options: MigrationOptions

    package init(path: String, volumes: [String], options: MigrationOptions) {
        self.path = path
        self.volumes = volumes
        self.options = options
    }
}

/// The options of a migration.
package struct MigrationOptions: Codable, Hashable, Sendable {
    /// Indicates whether the migration is only planned and reported, without copying or committing
    /// anything.
    package var isDryRun = false
    /// Indicates whether the assets of shared albums are imported.
    package var includesShared = false
    /// Indicates whether an asset whose original is missing at the source is imported from its
    /// largest reduced-size version.
    package var includesProxies = false

    package init() {}
}

/// The identity and the size of an opened source.
package struct MigrationBeginReply: Codable, Hashable, Sendable {
    package var migration: Int64
    /// The program and its generation, such as “Photos 5”.
    package var generation: String
    /// The version number of the source database's data model.
    package var model: Int
    /// The size of the copied write-ahead log in bytes.
    package var logSize: Int64
    /// The number of assets.
    package var assets: Int
    /// The number of originals that are missing at the source.
    package var missing: Int
    /// The number of bytes to copy, including files that may be left out because the library
    /// already has them.
    package var bytes: Int64
    /// Remarks about the source as a whole.
    package var notes: [MigrationNote]

    package init(
        migration: Int64,
        generation: String,
        model: Int,
        logSize: Int64,
        assets: Int,
        missing: Int,
        bytes: Int64,
        notes: [MigrationNote]
    ) {
        self.migration = migration
        self.generation = generation
        self.model = model
        self.logSize = logSize
        self.assets = assets
        self.missing = missing
        self.bytes = bytes
        self.notes = notes
    }
}

/// A request to migrate the next group of items.
package struct MigrationStepRequest: Codable, Hashable, Sendable {
    package var migration: Int64
    package init(migration: Int64) { self.migration = migration }
}

/// The outcomes of a group of items; the changes that the group made to the library are already
/// durable.
package struct MigrationStepReply: Codable, Hashable, Sendable {
    package var lines: [MigrationLine]
    /// The totals of all steps so far.
    package var totals: MigrationTotals
    package var isOver: Bool

    package init(lines: [MigrationLine], totals: MigrationTotals, isOver: Bool) {
        self.lines = lines
        self.totals = totals
        self.isOver = isOver
    }
}

/// A request to end a migration and to remove its staging folder.
package struct MigrationEndRequest: Codable, Hashable, Sendable {
    package var migration: Int64
    package init(migration: Int64) { self.migration = migration }
}

/// The kind of a migration's source.
package enum MigrationSourceKind: String, Codable, Hashable, Sendable, CaseIterable {
    case applePhotos, takeout, photosExport
}

/// A remark about an item or a source.
package struct MigrationNote: Codable, Hashable, Sendable {
    package enum Level: String, Codable, Hashable, Sendable, CaseIterable {
        case note, error
    }

    package var code: String
    package var level: Level
    package var text: String

    package init(_ code: String, _ level: Level, _ text: String) {
        self.code = code
        self.level = level
        self.text = text
    }

    /// Creates a remark with the level `note`, which is not an error.
    package init(_ code: String, _ text: String) { self.init(code, .note, text) }
}

/// A line of a migration's report: the outcome of one file or one item.
package struct MigrationLine: Codable, Hashable, Sendable {
    package enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        case imported, paired, duplicate, missing, skipped, unsupported, failed
    }

    package var kind: MigrationSourceKind
    /// The identifier of the item at the source; nil for a file that belongs to no item.
    package var item: String?
    /// The path of the file relative to the folder of the source or of its volume; nil if it is
    /// unknown.
    package var path: String?
    /// The name of the volume that holds the file; nil for a file in the source's folder.
    package var volume: String?
    package var outcome: Outcome
    package var localIdentifier: String?
    package var reason: String?
    package var notes: [MigrationNote]
    /// Indicates whether the line is for an asset's main file; only these lines count as assets in
    /// the totals.
    package var isLeading: Bool
    /// Indicates whether the item is hidden at the source.
    package var isHidden = false

    package init(
        kind: MigrationSourceKind,
        item: String?,
        path: String?,
        volume: String? = nil,
        outcome: Outcome,
        localIdentifier: String? = nil,
        reason: String? = nil,
        notes: [MigrationNote] = [],
        isLeading: Bool = true
    ) {
        self.kind = kind
        self.item = item
        self.path = path
        self.volume = volume
        self.outcome = outcome
        self.localIdentifier = localIdentifier
        self.reason = reason
        self.notes = notes
        self.isLeading = isLeading
    }
}

/// The totals of a migration; the counts of outcomes add up to the number of assets.
package struct MigrationTotals: Codable, Hashable, Sendable {
    /// The number of assets at the source.
    package var assets = 0
    package var imported = 0
    package var alreadyThere = 0
    /// The number of assets whose original has the recorded size but not the recorded fingerprint.
    package var damaged = 0
    package var missing = 0
    package var sharedSkipped = 0
    package var unsupported = 0
    package var failed = 0
    package var albums = 0
    package var folders = 0
    /// The number of collections that are not imported, by kind.
    package var collectionsSkipped: [String: Int] = [:]
    /// The number of originals whose content matches the recorded fingerprint.
    package var verified = 0
    /// The number of originals without a recorded fingerprint.
    package var notVerifiable = 0
    package var orphanFiles = 0
    package var files = 0
    package var bytes: Int64 = 0
    package var notes: [MigrationNote] = []

    package init() {}

    /// Indicates whether the counts of outcomes add up to the number of assets.
    package var addsUp: Bool {
        assets
            == imported + alreadyThere + damaged + missing + sharedSkipped + unsupported + failed
    }
}
