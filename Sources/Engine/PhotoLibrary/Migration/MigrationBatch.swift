internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// A batch of staged assets that waits for its commit.
///
/// The commit of a batch runs on a thread of its own while the next batch is staged: syncs wait for
/// the disk, and a transaction uses one core. The decisions about a batch are made before the
/// preceding batch is committed. What depends on the rows of that batch is therefore checked again
/// in the transaction.
struct MigrationBatch: Sendable {
    /// The result of a commit.
    struct Outcome: Sendable {
        var lines: [MigrationLine]
        var checks: [StagedMigration.Check]
        /// The number of files that were placed in the library; `bytes` is their total size.
        var files: Int
        var bytes: Int64
    }

    let store: LibraryStore
    let configuration: ImportConfiguration
    let renditions: (any FirstRenditionSink)?
    let staging: StagingSession
    let kind: MigrationSourceKind
    let counts: ForeignCounts
    let joined: JoinedAssets
    let author: String
    let batchIdentifier: String
    let staged: [StagedMigration]

    /// Removes the staged files that were not placed in the library.
    func discard() { for one in staged { one.discard() } }

    /// Makes the files durable, and writes the rows in one transaction.
    ///
    /// - Throws: The reason why nothing was committed.
    func commit() throws(LibraryError) -> Outcome {
        // Placed files have left the staging folder; this removes the others.
        defer { discard() }
        try configuration.files.makeDurable(staged.flatMap(\.files).map(\.staged))
        let commit: MigrationCommit
        do { commit = try store.write(author: author, batch: batchIdentifier, write) } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
        renditions?.store(commit.renditions)
        var lines = commit.lines
        lines.markHidden(Set(staged.lazy.map(\.asset).filter(\.isHidden).map(\.item)))
        return Outcome(
            lines: lines,
            checks: commit.checks,
            files: commit.moves.count,
            bytes: commit.moves.reduce(0) { $0.addingSaturated($1.file.size) }
        )
    }

    private func write(_ transaction: LibraryTransaction) throws -> MigrationCommit {
        var commit = try MigrationCommit(
            transaction: transaction,
            kind: kind,
            counts: counts,
            timeZone: configuration.timeZone,
            duplicates: DuplicateFiles(
                bundle: store.bundle,
                verifies: false,
                files: configuration.files
            ),
            joined: joined
        )
        for one in staged { try commit.add(one) }
        try commit.finish()
        let refused = try FilePlacement.place(
            commit.moves,
            root: store.bundle.root,
            session: staging,
            in: transaction
        )
        commit.recordRefused(refused)
        return commit
    }
}

extension ForeignAsset {
    /// Indicates whether an asset is hidden at its source.
    var isHidden: Bool { facts.isHidden || exact?.isHidden == true }
}

extension [MigrationLine] {
    /// Marks the report lines of items that are hidden at the source.
    mutating func markHidden(_ items: Set<String>) {
        for index in indices where self[index].item.map(items.contains) ?? false {
            self[index].isHidden = true
        }
    }
}
