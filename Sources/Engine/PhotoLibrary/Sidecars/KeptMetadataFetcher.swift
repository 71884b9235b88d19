internal import Foundation
package import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Reads, from an asset's sidecars and original, the metadata for which the library has no fields.
///
/// If several files have a value, the first sidecar in the order of precedence wins, and the
/// original comes last.
package struct KeptMetadataFetcher: Sendable {
    /// The maximum number of sidecars to read for each asset.
    private static let maximumSidecars = 32

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
        let list = try resources.list(ResourceListRequest(assetUUID: request.assetUUID)).resources
        var files: [(rank: Int, resource: ResourceRecord)] = []
        for resource in list where resource.type == .sidecar {
            if let rank = SidecarSearch.rank(of: resource, among: list) {
                files.append((rank, resource))
            } else if resource.originalFilename == MigrationSidecar.name {
                files.append((Int.max, resource))
            }
        }
        files.sort { ($0.rank, $0.resource.id) < ($1.rank, $1.resource.id) }
        var sources = files.prefix(Self.maximumSidecars).map(\.resource)
        if let primary = list.first(where: { $0.type.isPrimary }) { sources.append(primary) }
        var reply = KeptMetadataReply()
        for source in sources {
            guard let facts = try facts(of: source) else {
                reply.unreadable.append(source.originalFilename)
                continue
            }
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
