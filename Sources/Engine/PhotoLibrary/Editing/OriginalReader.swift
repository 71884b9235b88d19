internal import Foundation
internal import GRDB
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Facts about an asset's original, read before its edit is reverted.
struct OriginalFacts: Sendable {
    /// The pixel size when upright; zeros if unknown.
    var pixelSize: PixelSize
    /// The duration in seconds.
    var duration: Double
    var frameRate: Double?
    var isAnimated: Bool
}

/// Reads the originals of assets.
struct OriginalReader: Sendable {
    var store: LibraryStore
    var prober: any MediaProber

    /// Reads the facts of an edited asset's original; nil for an asset that has no edit or does not
    /// exist.
    ///
    /// - Throws: `missingResource` or `invalidResource` for files that are not as they were
    ///   imported.
    func read(_ uuid: String) throws(LibraryError) -> OriginalFacts? {
        let resources: [ResourceRecord]
        let opened: (ResourceOpenReply, Descriptor)
        do {
            let isEdited = try store.read { database in
                try Bool.fetchOne(
                    database,
                    sql: "SELECT hasAdjustments FROM asset WHERE uuid = ?",
                    arguments: [uuid]
                )
            }
            guard isEdited == true else { return nil }
            let reader = ResourceFetcher(store: store)
            resources = try reader.list(ResourceListRequest(assetUUID: uuid)).resources
            guard let primary = resources.first(where: { $0.type.isPrimary }) else { return nil }
            opened = try reader.open(ResourceOpenRequest(resourceUUID: primary.uuid))
            // A Live Photo can only be reverted if both halves exist.
            if let movie = resources.first(where: { $0.type == .pairedVideo }) {
                _ = try reader.open(ResourceOpenRequest(resourceUUID: movie.uuid))
            }
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
        return try facts(opened.0.resource, opened.1)
    }

    private func facts(_ resource: ResourceRecord, _ file: Descriptor) throws(LibraryError)
        -> OriginalFacts
    {
        let request = ProbeRequest(filename: resource.originalFilename, renditionSide: 0)
        do throws(WorkerError) {
            let answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try prober.probe(request, descriptor: file.number)
            }
            guard case .facts(let facts, _) = answer else {
                // The file was imported in this state, so the asset can be reverted to it.
                return OriginalFacts(pixelSize: resource.pixelSize, duration: 0, isAnimated: false)
            }
            let draft = AssetDraft(capturePolicy: CaptureTimePolicy(machineTimeZone: .current))
            let record = draft.record(
                of: facts,
                filename: resource.originalFilename,
                fileTime: Date(timeIntervalSince1970: 0)
            )
            return OriginalFacts(
                pixelSize: resource.pixelSize,
                duration: record.duration,
                frameRate: record.frameRate,
                isAnimated: facts.isAnimated
            )
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "“\(resource.originalFilename)” cannot be read: \(error.message)",
                recovery: error.recovery
            )
        }
    }
}

extension ResourceType {
    /// Indicates whether the type is that of an asset's main file, not of an accompanying file.
    var isPrimary: Bool { ResourceCombination.primaryTypes.contains(self) }
}
