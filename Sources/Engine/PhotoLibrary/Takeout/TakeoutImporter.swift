internal import Foundation
package import LibraryService
package import PhotoModel
internal import WorkerProtocol

/// Imports exports of Google Takeout: reads all names and descriptions first, then imports the
/// files in batches.
///
/// 1. Folders and archives of exports are never modified. Files of archives are decompressed into
///    the staging folder, nowhere else.
/// 2. A batch is one transaction with its assets, edits, members of albums and records of imported
///    files, so that an import that was killed continues where it stopped.
/// 3. A new album is sorted by date at the end of the import. Later imports insert members by date,
///    as long as nobody has changed the order.
///
/// Thread-safe; calls block their thread.
package final class TakeoutImporter: Sendable {
    private static let filesPerBatch = 100
    private static let bytesPerBatch: Int64 = 512 << 20

    private let importer: Importer
    private let archives: any ArchiveReader
    private let sessions = TakeoutSessions()

    package init(importer: Importer, archives: any ArchiveReader) {
        self.importer = importer
        self.archives = archives
    }

    // MARK: - Opening

    /// Opens an export and reads the names and descriptions of its files.
    package func open(_ request: TakeoutOpenRequest, files: [Descriptor]) throws(LibraryError)
        -> TakeoutOpenReply
    {
        _ = try importer.session(request.session)
        guard request.sources.count == files.count else {
            throw LibraryError(
                .invalidRequest,
                "A request has \(request.sources.count) sources, but \(files.count) descriptors.",
                recovery: "Pass as many descriptors as sources, in their order."
            )
        }
        var lister = TakeoutLister(archives: archives)
        for (index, source) in request.sources.enumerated() {
            if source.isArchive {
                let name = TakeoutExports.partName(of: source) ?? "the archive"
                try lister.add(archive: files[index], named: name, source: index)
            } else {
                let path = String(decoding: source.path, as: UTF8.self)
                try lister.add(folder: files[index], path: path, source: index)
            }
        }
        let digests = TakeoutDigests(sources: request.sources, descriptors: files)
        let found = TakeoutExports(
            sources: request.sources,
            files: lister.files,
            digest: digests.digest
        )
        let plan = TakeoutPlan(files: lister.files, exports: found.ofSource)
        let origins: TakeoutOrigins
        do {
            origins = try importer.store.read { database in
                TakeoutOrigins(
                    exports: found.exports,
                    accounts: try TakeoutAccounts.find(
                        found.exports,
                        of: plan,
                        in: TakeoutItems(database: database),
                        digest: digests.digest
                    )
                )
            }
        } catch { throw LibraryError(error, library: importer.store.bundle.root) }
        // The names of archives first, since those of folders do not have the endings.
        let names = [true, false].flatMap { isArchive in
            request.sources.filter { $0.isArchive == isArchive }
                .compactMap(TakeoutExports.partName)
        }
        let session = TakeoutSession(
            sources: request.sources,
            descriptors: files,
            plan: plan,
            origins: origins,
            positions: lister.positions,
            lines: lister.lines + Self.missingParts(names) + plan.lines
        )
        sessions.put(session, number: request.session)
        return TakeoutOpenReply(
            items: lister.files.count,
            bytes: lister.files.reduce(0) { $0.addingSaturated($1.size) },
            descriptions: Self.descriptions(lister.files, sources: request.sources.count)
        )
    }

    /// Returns for each source the number of JSON files that describe photos or movies.
    private static func descriptions(_ files: [TakeoutFile], sources: Int) -> [Int] {
        files.reduce(into: [Int](repeating: 0, count: sources)) { counts, file in
            guard case .facts(let facts) = file.reading, facts.kind == .asset else { return }
            counts[file.source] += 1
        }
    }

    private static func missingParts(_ names: [String]) -> [TakeoutLine] {
        TakeoutParts.missing(in: names).map { name in
            let reason =
                "The part \(name) of the export was not given. Import all parts together, since"
                + " photos and their descriptions may be in different ones."
            let line = MigrationLine(
                kind: .takeout,
                item: name,
                path: nil,
                outcome: .missing,
                reason: reason,
                notes: [MigrationNote("partMissing", .error, reason)],
                isLeading: false
            )
            return TakeoutLine(source: 0, line: line, size: 0)
        }
    }

    // MARK: - Steps

    /// Imports the next batch of files, or returns the next report lines.
    ///
    /// If this throws, nothing of the batch was committed, and the step can be repeated.
    package func step(_ request: TakeoutStepRequest) throws(LibraryError) -> TakeoutStepReply {
        let importSession = try importer.session(request.session)
        guard var session = sessions.take(request.session) else {
            throw LibraryError(
                .invalidRequest,
                "There is no opened export in the import session \(request.session).",
                recovery: "Open an export first, and make its steps one after another."
            )
        }
        // No copy is kept for a failure, which changes nothing that counts: large arrays and sets
        // would be copied with each step.
        defer { if !session.isFinished { sessions.put(session, number: request.session) } }
        let lines = try step(&session, importSession)
        return TakeoutStepReply(
            lines: lines,
            totals: session.totals,
            isOver: session.isFinished
        )
    }

    private func step(_ session: inout TakeoutSession, _ importSession: ImportSession)
        throws(LibraryError) -> [TakeoutLine]
    {
        if session.nextLine < session.lines.count {
            let lines = session.lines[session.nextLine...].prefix(Self.linesPerStep)
            session.nextLine += lines.count
            return Array(lines)
        }
        guard session.next < session.plan.units.count else {
            let lines = try finish(&session, importSession)
            session.isFinished = true
            return lines
        }
        let units = Self.units(session)
        var batch = TakeoutBatch()
        for unit in units {
            batch.entries += unit.items.map { TakeoutBatch.Entry(item: $0, notes: $0.notes) }
        }
        // Placed files have left the staging folder; this removes the others.
        defer { batch.discard() }
        try recognize(&batch, session)
        try stage(&batch, &session, importSession.staging)
        try commit(&batch, session, importSession)
        session.next += units.count
        return lines(of: batch, &session)
    }

    private static let linesPerStep = 1000

    /// Returns the units of the next batch, limited by the number of files and bytes.
    private static func units(_ session: TakeoutSession) -> ArraySlice<TakeoutPlan.Unit> {
        var count = 0
        var bytes: Int64 = 0
        var end = session.next
        while end < session.plan.units.count {
            let items = session.plan.units[end].items
            let size = items.reduce(Int64(0)) { sum, item in
                sum.addingSaturated(session.plan.files[item.file].size)
            }
            let isFull =
                count + items.count > filesPerBatch || size > bytesPerBatch - bytes
            if isFull, end > session.next { break }
            count += items.count
            bytes = bytes.addingSaturated(size)
            end += 1
        }
        return session.plan.units[session.next..<end]
    }

    /// Recognizes files by the fingerprints that an earlier import recorded, so that they are not
    /// read again, and refuses other files that may be damaged.
    private func recognize(_ batch: inout TakeoutBatch, _ session: TakeoutSession)
        throws(LibraryError)
    {
        let entries = batch.entries
        let (plan, origins) = (session.plan, session.origins)
        do {
            let outcomes = try importer.store.read { database -> [TakeoutBatch.Entry] in
                let items = TakeoutItems(database: database)
                let finder = try AssetRowFinder(database)
                return try entries.map { entry in
                    var entry = entry
                    let file = plan.files[entry.item.file]
                    guard let item = try items.item(origins.name(of: entry.item.file, plan).item)
                    else { return entry }
                    guard let asset = try finder.asset(uuid: item.uuid) else {
                        guard file.mayEqual(item.fingerprint) else { return entry }
                        // Where the fingerprints cannot be compared, the content decides.
                        if item.fingerprint != file.fingerprint, let digest = item.facts.sha256 {
                            entry.purged = digest
                        } else {
                            entry.outcome = Self.purged
                        }
                        return entry
                    }
                    entry.known = item.facts
                    entry.knownAsset = item.uuid
                    guard item.fingerprint == file.fingerprint else { return entry }
                    entry.outcome = .duplicate(
                        ofAsset: asset.uuid,
                        isTrashed: asset.trashedDate != nil
                    )
                    return entry
                }
            }
            batch.entries = outcomes
            batch.refuseDamaged(plan)
        } catch { throw LibraryError(error, library: importer.store.bundle.root) }
    }

    private static let purged = ImportOutcome(
        .duplicate,
        reason: "Deleted permanently from this library."
    )

    // MARK: - Staging

    private func stage(
        _ batch: inout TakeoutBatch,
        _ session: inout TakeoutSession,
        _ staging: StagingSession
    ) throws(LibraryError) {
        let configuration = importer.configuration
        let stager = TakeoutStager(
            session: staging,
            files: configuration.files,
            stager: importer.stager(in: staging),
            archives: archives,
            sources: session.sources,
            descriptors: session.descriptors
        )
        let files = session.plan.files
        let positions = batch.entries.indices.filter { batch.entries[$0].outcome == nil }
        // A tape archive is read in its order, so that as little as possible is decompressed twice.
        var extracted: [Int: TakeoutStager.Extracted] = [:]
        let tape = positions.filter { files[batch.entries[$0].item.file].isOfTape }
        for position in tape.sorted(by: {
            batch.entries[$0].item.file < batch.entries[$1].item.file
        }) {
            let file = files[batch.entries[position].item.file]
            guard case .archive(let entry) = file.place else { continue }
            do throws(LibraryError) {
                let (result, last) = try stager.extract(entry, source: file.source) { offset in
                    session.position(before: offset, source: file.source)
                }
                extracted[position] = result
                if let last { session.rolling[file.source] = last }
            } catch {
                for case .file(let file) in extracted.values { file.discard() }
                throw error
            }
        }
        let entries = batch.entries
        let ready = extracted
        let results = try Parallel.map(count: positions.count, width: configuration.workerCount) {
            index
                throws(LibraryError) in
            let position = positions[index]
            return try stager.stage(
                files[entries[position].item.file],
                extracted: ready[position]
            )
        } discarding: { result in
            if case .staged(let medium) = result { medium.discard() }
        }
        for (position, result) in zip(positions, results) {
            switch result {
            case .staged(let medium): batch.entries[position].medium = medium
            case .outcome(let outcome): batch.entries[position].outcome = outcome
            }
            if let digest = batch.entries[position].purged,
                batch.entries[position].medium?.file.digest.hexadecimal == digest
            {
                batch.entries[position].medium?.discard()
                batch.entries[position].medium = nil
                batch.entries[position].outcome = Self.purged
            }
        }
        try describe(&batch, session.plan, stager)
    }

    private var policy: TakeoutPolicy {
        TakeoutPolicy(timeZone: importer.configuration.timeZone)
    }

    /// Applies Google's descriptions to the batch, and stages the files that the import generates.
    ///
    /// These are the XMP sidecars and the adjustment envelopes of edited copies.
    private func describe(
        _ batch: inout TakeoutBatch,
        _ plan: TakeoutPlan,
        _ stager: TakeoutStager
    ) throws(LibraryError) {
        let now = Date()
        batch.describe(by: plan, policy, at: now)
        let writer = FileStager(session: stager.session, files: stager.files)
        for position in batch.entries.indices {
            let entry = batch.entries[position]
            if entry.item.original != nil {
                guard case .medium? = entry.medium?.content else { continue }
                let data = try ExternalRender.envelopeData(at: now)
                batch.entries[position].envelope = try writer.stage(data)
            } else if entry.medium != nil || entry.outcome?.localIdentifier != nil,
                let facts = plan.facts(of: entry.item), let data = TakeoutSidecar.data(facts),
                entry.known?.sidecar == nil
                    || entry.known?.sidecar != SHA256Digest(of: data)?.hexadecimal
            {
                batch.entries[position].sidecar = try writer.stage(data)
            }
        }
    }

    // MARK: - Committing

    private func commit(
        _ batch: inout TakeoutBatch,
        _ takeout: TakeoutSession,
        _ session: ImportSession
    ) throws(LibraryError) {
        let (plan, origins) = (takeout.plan, takeout.origins)
        var media: [Int: StagedMedium] = [:]
        var renders: [Int: ExternalRender] = [:]
        for (position, entry) in batch.entries.enumerated() {
            media[position] = entry.medium
            guard let original = entry.item.original, let envelope = entry.envelope else {
                continue
            }
            let place = batch.entries.firstIndex { $0.item.file == original }
            renders[position] = ExternalRender(
                original: place,
                assetUUID: place.flatMap { batch.entries[$0].outcome?.localIdentifier }
                    .flatMap { LocalIdentifier($0)?.uuid },
                envelope: envelope,
                isGuessed: entry.item.isOriginalGuessed,
                former: entry.knownAsset.map {
                    ExternalRender.Former(assetUUID: $0, sha256: entry.known?.sha256)
                }
            )
        }
        let staged = batch
        let (committed, renditions) = try importer.commit(
            media,
            externalRenders: renders,
            in: session
        ) { [policy] transaction, commit in
            var result = staged
            var takeout = try TakeoutCommit(
                transaction: transaction,
                plan: plan,
                policy: policy,
                origins: origins
            )
            try takeout.record(&result, &commit)
            return result
        }
        for position in batch.entries.indices {
            batch.entries[position].item = committed.entries[position].item
            batch.entries[position].outcome = committed.entries[position].outcome
            batch.entries[position].notes = committed.entries[position].notes
        }
        importer.store(renditions)
    }

    /// Adds the remaining album members, sorts new albums, and returns the report lines of the
    /// albums.
    private func finish(_ session: inout TakeoutSession, _ importSession: ImportSession)
        throws(LibraryError) -> [TakeoutLine]
    {
        let (plan, origins) = (session.plan, session.origins)
        let identifiers: [Int: String]
        do {
            identifiers = try importer.store.write(
                author: importSession.author,
                batch: importSession.batch
            ) { [policy] transaction in
                var commit = try TakeoutCommit(
                    transaction: transaction,
                    plan: plan,
                    policy: policy,
                    origins: origins
                )
                return try commit.finishAlbums()
            }
        } catch { throw LibraryError(error, library: importer.store.bundle.root) }
        session.totals.albums = identifiers.count
        return plan.albums.map { album in
            guard let identifier = identifiers[album.json] else {
                let note = MigrationNote(
                    "emptyAlbum",
                    "The album was not created: the export contains none of its photos, or it was"
                        + " deleted from this library."
                )
                let notes = [note] + plan.albumNotes(album.json)
                return plan.line(album.json, .paired, notes: notes)
            }
            return plan.line(
                album.json,
                .paired,
                localIdentifier: identifier,
                notes: plan.albumNotes(album.json)
            )
        }
    }

    // MARK: - Lines

    private func lines(of batch: TakeoutBatch, _ session: inout TakeoutSession) -> [TakeoutLine] {
        var lines: [TakeoutLine] = []
        for entry in batch.entries {
            let isLeading = entry.item.original == nil && entry.item.picture == nil
            let outcome =
                entry.outcome
                ?? ImportOutcome(
                    .failed,
                    reason: "The import did not report it. This is a bug; please report it."
                )
            let kind = Self.kind(of: outcome.kind)
            // A page or a note has no description either, but is not imported at all.
            let notes = (entry.notes + outcome.notes).filter { note in
                note.code != "noMetadata" || outcome.localIdentifier != nil
            }
            lines.append(
                session.plan.line(
                    entry.item.file,
                    kind,
                    localIdentifier: outcome.localIdentifier,
                    reason: outcome.reason,
                    notes: notes,
                    isLeading: isLeading
                )
            )
            session.totals.files += 1
            session.totals.bytes = session.totals.bytes.addingSaturated(
                session.plan.files[entry.item.file].size
            )
            if isLeading {
                Self.count(kind, in: &session.totals)
                // The plan counted a separated copy as a part of another photo.
                if entry.item.isOriginalGuessed { session.totals.assets += 1 }
            }
            guard let json = entry.item.json, session.reportedJSON.insert(json).inserted else {
                continue
            }
            lines.append(
                outcome.localIdentifier == nil && outcome.kind != .duplicate
                    ? session.plan.line(
                        json,
                        .unsupported,
                        reason: "It describes a file that was not imported."
                    )
                    : session.plan.line(json, .paired, localIdentifier: outcome.localIdentifier)
            )
        }
        return lines
    }

    private static func kind(of kind: ImportOutcome.Kind) -> MigrationLine.Outcome {
        switch kind {
        case .imported: .imported
        case .duplicate: .duplicate
        case .paired: .paired
        case .unsupported: .unsupported
        case .failed: .failed
        }
    }

    private static func count(_ kind: MigrationLine.Outcome, in totals: inout MigrationTotals) {
        switch kind {
        case .imported, .paired: totals.imported += 1
        case .duplicate: totals.alreadyThere += 1
        case .unsupported: totals.unsupported += 1
        case .missing, .skipped, .failed: totals.failed += 1
        }
    }
}
