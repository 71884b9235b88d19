internal import Foundation
package import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Reads, from an asset's sidecars and original, the metadata for which the library has no fields.
///
/// If several files have a value, the first sidecar in the order of precedence wins, and the
/// original comes last. Of several sidecars with one name, only the newest counts, as for the
/// fields of the library, except for those that Takeout imports wrote for several accounts.
package struct KeptMetadataFetcher: Sendable {
    private let resources: ResourceFetcher
    private let prober: any MediaProber

    package init(resources: ResourceFetcher, prober: any MediaProber) {
        self.resources = resources
        self.prober = prober
    }

    /// Reads the metadata in the files of an asset; empty for an unknown asset.
    ///
    /// Sidecars of darktable's additional versions of a picture are skipped, since their metadata
    /// does not apply to the asset.
    ///
    /// - Throws: `workerUnavailable`. A file that cannot be read is part of the reply.
    package func fetch(_ request: KeptMetadataRequest) throws -> KeptMetadataReply {
        let listed = try resources.list(ResourceListRequest(assetUUID: request.assetUUID)).resources
        let list = try resources.view.read { reading in
            try TakeoutItems(database: reading.database).named(listed)
        }
        var reply = KeptMetadataReply()
        var sidecars = SidecarVersions<MediaFacts>()
        for resource in list.filter({ $0.type == .sidecar }).sorted(by: { $0.id < $1.id }) {
            let isOfTakeout = resource.originalFilename == TakeoutSidecar.name
            let isOurs = isOfTakeout || resource.originalFilename == MigrationSidecar.name
            let rank = SidecarSearch.rank(of: resource, among: list)
            guard let rank = rank ?? (isOurs ? .max : nil) else { continue }
            guard let facts = try facts(of: resource) else {
                reply.unreadable.append(resource.originalFilename)
                continue
            }
            sidecars.add(
                facts,
                name: Array((isOfTakeout ? resource.uuid : resource.originalFilename).utf8),
                rank: rank,
                date: SidecarStatement.date(of: facts)
            )
        }
        var sources = sidecars.ordered
        if let primary = list.first(where: { $0.type.isPrimary }) {
            if let facts = try facts(of: primary) {
                sources.append(facts)
            } else {
                reply.unreadable.append(primary.originalFilename)
            }
        }
        for facts in sources {
            if let kept = facts.kept { reply.metadata.fill(from: kept) }
            if let date = SidecarStatement.date(of: facts), date > reply.metadataDate ?? date - 1 {
                reply.metadataDate = date
            }
        }
        return reply
    }

    /// Reads the metadata of a resource's file; nil if the file cannot be opened or read.
    private func facts(of resource: ResourceRecord) throws -> MediaFacts? {
        let request = ResourceOpenRequest(resourceUUID: resource.uuid)
        guard let (_, file) = try? resources.open(request) else { return nil }
        let probe = ProbeRequest(filename: resource.originalFilename, renditionSide: 0)
        do throws(WorkerError) {
            let answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try prober.probe(probe, descriptor: file.number)
            }
            guard case .facts(let facts, _) = answer else { return nil }
            return facts
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "The metadata of \(resource.originalFilename) cannot be read: \(error.message)",
                recovery: error.recovery
            )
        }
    }
}
