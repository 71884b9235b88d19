internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Reads the metadata in the files of existing assets to which an import batch adds XMP sidecars or
/// another original.
///
/// Runs before the writer lock is acquired, since it uses a worker.
struct SidecarHistoryReader {
    let store: LibraryStore
    let prober: any MediaProber
    let draft: AssetDraft

    /// Reads the metadata histories of existing assets that receive XMP sidecars from a batch, or
    /// that have sidecars and may receive a still as their original, keyed by asset UUID.
    ///
    /// A sidecar may come with a copy of an asset's file, or with a file that joins an asset, so
    /// the files of its name lead to assets, too. An asset with a file that cannot be read has no
    /// history.
    func histories(
        for media: some Collection<StagedMedium>
    ) throws(LibraryError) -> [String: SidecarHistory] {
        let shots = Dictionary(grouping: media, by: \.name.stemKey)
        var histories: [String: SidecarHistory] = [:]
        do {
            for medium in media {
                for uuid in try assets(for: medium, in: shots) where histories[uuid] == nil {
                    histories[uuid] = try history(ofAsset: uuid)
                }
            }
        } catch { throw LibraryError(error, library: store.bundle.root) }
        return histories
    }

    /// Returns the UUIDs of the assets whose histories the commit of a file may need.
    ///
    /// `shots` contains the files of the batch by their `stemKey`.
    private func assets(
        for medium: StagedMedium,
        in shots: [[UInt8]: [StagedMedium]]
    ) throws -> [String] {
        switch medium.content {
        case .sidecar(let facts, _) where facts.format == .xmp:
            let keys = Set(medium.name.sidecarKeys.filter { !$0.isVersion }.map(\.stemKey))
            let named = keys.flatMap { shots[$0] ?? [] }
            return try store.read { database in
                let queries = PartnerQueries(database: database)
                var ids = try named.flatMap { try assets(of: $0, queries) }
                let match = try SidecarSearch(database: database).match(medium)
                if let match, match.rank != nil { ids.append(match.asset.id) }
                return try ids.filter { id in
                    try queries.resource(ofAsset: id, digest: medium.file.digest) == nil
                }.compactMap { try queries.asset(id: $0)?.uuid }
            }
        case .medium(let facts, let record, _)
        where record.mediaType == .image && facts.format != .raw:
            let known = (shots[medium.name.stemKey] ?? []).filter(\.isKnown)
            return try store.read { database in
                let queries = PartnerQueries(database: database)
                return try ([medium] + known).flatMap { try assets(of: $0, queries) }
                    .filter { id in
                        try !queries.resources(ofAsset: id, type: .sidecar).isEmpty
                    }.compactMap { try queries.asset(id: $0)?.uuid }
            }
        case .sidecar, .medium, .known: return []
        }
    }

    /// Returns the row ids of the assets that have the content of a photo or movie of the batch, or
    /// that it may join.
    private func assets(of medium: StagedMedium, _ queries: PartnerQueries) throws -> [Int64] {
        if let duplicate = try queries.duplicate(of: medium.file.digest) {
            return duplicate.isTrashed ? [] : [duplicate.assetID]
        }
        guard case .medium(let facts, let record, _) = medium.content else { return [] }
        let key = medium.name.stemKey
        var ids: [Int64] = []
        if record.mediaType == .image {
            let isRAW = facts.format == .raw
            ids = try queries.shots(of: record, stemKey: key, isRAW: !isRAW).map(\.id)
        }
        guard let identifier = record.contentIdentifier else { return ids }
        let half =
            try record.mediaType == .video
            ? queries.still(contentIdentifier: identifier, stemKey: key)
            : queries.movie(contentIdentifier: identifier, stemKey: key)
        return ids + [half].compactMap(\.self)
    }

    private func history(ofAsset uuid: String) throws -> SidecarHistory? {
        let listed = try ResourceFetcher(store: store)
            .list(ResourceListRequest(assetUUID: uuid)).resources
        let resources = try store.read { try TakeoutItems(database: $0).named(listed) }
        let sidecars = resources.filter { $0.type == .sidecar }.sorted { $0.id < $1.id }
        guard let primary = resources.first(where: { $0.type.isPrimary }),
            let file = try statement(of: primary)
        else { return nil }
        // All versions of a sidecar are read, since an earlier one may have the latest date.
        var history = SidecarHistory(file: file)
        for sidecar in sidecars {
            guard let rank = SidecarSearch.rank(of: sidecar, among: resources) else { continue }
            guard let statement = try statement(of: sidecar) else { return nil }
            history.add(name: Array(sidecar.originalFilename.utf8), rank: rank, statement)
        }
        return history
    }

    /// Reads the metadata of a file; nil if it cannot be read.
    ///
    /// A file that exists only in a plan has no content; its empty metadata does not affect the
    /// outcome.
    private func statement(of resource: ResourceRecord) throws -> SidecarStatement? {
        if store.bundle.isHollow(resource.path) { return SidecarStatement() }
        let request = ResourceOpenRequest(resourceUUID: resource.uuid)
        guard let (_, file) = try? ResourceFetcher(store: store).open(request) else { return nil }
        let name = resource.originalFilename
        let answer: ProbeAnswer
        do throws(WorkerError) {
            answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try prober.probe(
                    ProbeRequest(filename: name, renditionSide: 0),
                    descriptor: file.number
                )
            }
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "Files cannot be imported: \(error.message)",
                recovery: error.recovery
            )
        }
        guard case .facts(let facts, _) = answer else { return nil }
        let record = draft.record(
            of: facts,
            filename: name,
            fileTime: Date(timeIntervalSince1970: 0)
        )
        return SidecarStatement(facts, record)
    }
}
