internal import Foundation
internal import GRDB
package import LibraryService
package import PhotoModel

/// Rereads the originals in the library with the current reader, and updates values that no person
/// has set.
///
///     rows ──read──▶ reading ──plan──▶ nothing differs ──────────────▶ version noted
///      ▲                        └────▶ something differs ──verify──▶ committed
///      └──────── the files of the asset changed meanwhile ◀────────────┘
///
/// 1. Files are read outside of the transaction. Inside it, each asset is compared again with its
///    current rows, so that concurrent changes by other writers stay.
/// 2. Values are replaced only after the SHA-256 of the asset's files was found to match its rows:
///    a damaged original changes nothing.
/// 3. One call is one transaction, and therefore one change to undo, which is committed entirely or
///    not at all. No file is moved.
/// 4. An asset that could not be read keeps its reader version, so that the next run tries again.
///
/// Thread-safe; calls block their thread.
package final class Refresher: Sendable {
    /// The journal author of the changes that a refresh makes.
    package static let author = "refresh"
    /// The maximum number of attempts to refresh an asset whose files change during an attempt.
    private static let rounds = 3

    private let store: LibraryStore
    private let reader: AssetReader
    private let width: Int

    package init(
        store: LibraryStore,
        prober: any MediaProber,
        configuration: ImportConfiguration = ImportConfiguration()
    ) {
        self.store = store
        reader = AssetReader(
            root: store.bundle.root,
            prober: prober,
            draft: AssetDraft(
                capturePolicy: CaptureTimePolicy(machineTimeZone: configuration.timeZone)
            ),
            files: configuration.files
        )
        width = configuration.workerCount
    }

    /// Returns the number of assets whose files were read by an earlier reader version.
    package func status() throws(LibraryError) -> ReaderStatusReply {
        do {
            let count = try store.read { database in
                try Int.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM asset WHERE readerVersion < ?",
                    arguments: [ReaderVersion.current]
                )
            }
            return ReaderStatusReply(
                earlierAssets: count ?? 0,
                readerVersion: ReaderVersion.current
            )
        } catch { throw LibraryError(error, library: store.bundle.root) }
    }

    /// Rereads a batch of assets.
    ///
    /// - Returns: One outcome per asset; the reported changes are durable.
    /// - Throws: An error if nothing was changed: `readOnly`, `busy`, `noSpace`,
    ///   `workerUnavailable`, or `invalidRequest` for more assets than a batch may have.
    package func refresh(_ request: RefreshRequest) throws(LibraryError) -> RefreshReply {
        if !request.isDryRun, let missing = store.missingChanges { throw missing }
        if !request.isDryRun, let reason = store.readOnlyReason {
            throw LibraryError(
                .readOnly,
                "Assets cannot be refreshed in the library at \(store.bundle.root).",
                reason: reason,
                recovery: "Open it from a writable volume, or use --dry-run.",
                path: store.bundle.root
            )
        }
        guard request.uuids?.count ?? 0 <= RefreshRequest.largestBatch else {
            throw LibraryError(
                .invalidRequest,
                "\(request.uuids?.count ?? 0) assets are too many for one request.",
                recovery: "Request at most \(RefreshRequest.largestBatch)."
            )
        }
        do {
            let (ids, unknown) = try store.read { try Self.ids(request, in: $0) }
            var outcomes = try refresh(ids, isDryRun: request.isDryRun)
            outcomes += unknown.map { uuid in
                RefreshOutcome(
                    .missing,
                    localIdentifier: uuid + ObjectKind.asset.identifierSuffix,
                    reason: "The library has no such asset."
                )
            }
            let isFull = ids.count == RefreshRequest.largestBatch
            return RefreshReply(
                outcomes: outcomes,
                next: request.uuids == nil && isFull ? ids.last : nil
            )
        } catch { throw LibraryError(error, library: store.bundle.root) }
    }

    // MARK: - Steps

    private static func ids(_ request: RefreshRequest, in database: Database) throws -> (
        known: [Int64], unknown: [String]
    ) {
        guard let uuids = request.uuids else {
            // The plus sign prevents SQLite from using the index, which has another order.
            let ids = try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM asset WHERE +readerVersion < ? AND id > ? ORDER BY id
                    LIMIT \(RefreshRequest.largestBatch)
                    """,
                arguments: [ReaderVersion.current, request.cursor ?? 0]
            )
            return (ids, [])
        }
        let statement = try database.cachedStatement(sql: "SELECT id FROM asset WHERE uuid = ?")
        var (known, unknown): ([Int64], [String]) = ([], [])
        for uuid in uuids {
            if let id = try Int64.fetchOne(statement, arguments: [uuid]) {
                if !known.contains(id) { known.append(id) }
            } else {
                unknown.append(uuid)
            }
        }
        return (known, unknown)
    }

    private func refresh(_ ids: [Int64], isDryRun: Bool) throws -> [RefreshOutcome] {
        var outcomes: [Int64: RefreshOutcome] = [:]
        var waiting = ids
        for round in 1...Self.rounds where !waiting.isEmpty {
            let subjects = try store.read { database in
                try waiting.compactMap { id in
                    try Self.asset(id, in: database).map {
                        try AssetReader.Subject($0, in: database)
                    }
                }
            }
            var readings: [AssetReading] = []
            // In later rounds it is known that something differs.
            for (subject, result) in zip(subjects, try read(subjects, verifies: round > 1)) {
                switch result {
                case .success(let reading): readings.append(reading)
                case .failure(let failure):
                    // Assets that another writer removed or restored are not failures.
                    guard try store.read({ try Self.isPresent(subject, in: $0) }) else { continue }
                    outcomes[subject.asset.id] = Self.outcome(of: failure, subject.asset)
                }
            }
            for (id, outcome) in try commit(readings, isDryRun: isDryRun) { outcomes[id] = outcome }
            waiting.removeAll { outcomes[$0] != nil }
        }
        for id in waiting {
            guard let asset = try store.read({ try Self.asset(id, in: $0) }) else { continue }
            let failure = AssetReader.Failure(
                kind: .failed,
                reason: "Its files changed while they were being read. Refresh the asset again."
            )
            outcomes[id] = Self.outcome(of: failure, asset)
        }
        return ids.compactMap { outcomes[$0] }
    }

    private func read(_ subjects: [AssetReader.Subject], verifies: Bool) throws(LibraryError)
        -> [Result<AssetReading, AssetReader.Failure>]
    {
        try Parallel.map(count: subjects.count, width: width) { position throws(LibraryError) in
            try reader.read(subjects[position], verifies: verifies)
        } discarding: { _ in
        }
    }

    /// Writes the differences between readings and rows, except in a dry run.
    ///
    /// - Returns: The outcomes of completed assets, without those whose files must be read again
    ///   and verified.
    private func commit(_ readings: [AssetReading], isDryRun: Bool) throws
        -> [(Int64, RefreshOutcome)]
    {
        let plans = try store.read { try Self.plans(of: readings, in: $0) }
        let verified = Set(readings.filter(\.isVerified).map(\.assetID))
        // Assets that differ and whose SHA-256 was not compared are read once more.
        let settled = plans.filter { !$0.changesAnything || verified.contains($0.present.id) }
        guard !isDryRun, settled.contains(where: \.writesAnything) else {
            return settled.map { ($0.present.id, $0.outcome) }
        }
        let ids = Set(settled.map(\.present.id))
        return try store.write(author: Self.author) { transaction in
            var commit = RefreshCommit(transaction: transaction)
            for reading in readings where ids.contains(reading.assetID) {
                try commit.apply(reading)
            }
            try commit.finish()
            return commit.outcomes
        }
    }

    private static func plans(of readings: [AssetReading], in database: Database) throws
        -> [RefreshPlan]
    {
        try readings.compactMap { reading in
            guard let asset = try asset(reading.assetID, in: database) else { return nil }
            return try RefreshPlan(asset, reading) { try isKnown($0, in: database) }
        }
    }

    /// Returns whether a different resource that is not a sidecar has the same content as the given
    /// resource.
    static func isKnown(_ resource: ResourceRecord, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM resource WHERE sha256 = ? AND id <> ?
                        AND type NOT IN (\(PartnerQueries.sidecarTypes)))
                    """
            ),
            arguments: [Hexadecimal.bytes(resource.sha256), resource.id]
        ) ?? false
    }

    private static func asset(_ id: Int64, in database: Database) throws -> AssetRecord? {
        let statement = try database.cachedStatement(
            sql: AssetRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(AssetRecord.init(row:))
    }

    /// Returns whether an asset exists and its files are unchanged since they were read.
    private static func isPresent(_ subject: AssetReader.Subject, in database: Database) throws
        -> Bool
    {
        let id = subject.asset.id
        return try asset(id, in: database) != nil
            && AssetReader.Subject.originals(ofAsset: id, in: database) == subject.originals
    }

    private static func outcome(of failure: AssetReader.Failure, _ asset: AssetRecord)
        -> RefreshOutcome
    {
        RefreshOutcome(
            failure.kind,
            localIdentifier: asset.localIdentifier,
            filename: asset.originalFilename,
            reason: failure.reason
        )
    }
}
