internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import WorkerClient

extension ClientSession {
    func adjustments(_ request: AdjustmentsRequest) throws(LibraryError) -> AdjustmentsReply {
        try present { try savedAdjustments(request) }
    }

    private func savedAdjustments(_ request: AdjustmentsRequest) throws -> AdjustmentsReply {
        guard let resource = try adjustmentFile(of: request.assetUUID) else {
            return AdjustmentsReply(adjustments: nil)
        }
        let (_, file) = try resources.open(ResourceOpenRequest(resourceUUID: resource.uuid))
        do throws(WorkerError) {
            let answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try engine.workers.adjustments(in: file.number)
            }
            guard case .adjustments(let identifier, let version, let data) = answer else {
                // No editor can resume this edit, but its rendering can still be edited.
                return AdjustmentsReply(adjustments: nil)
            }
            return AdjustmentsReply(
                adjustments: ContentAdjustments(
                    formatIdentifier: identifier,
                    formatVersion: version,
                    data: data
                )
            )
        } catch {
            throw LibraryError(.workerUnavailable, error.message, recovery: error.recovery)
        }
    }

    /// Returns the file with the adjustments of an asset's edit; nil if there is none.
    func adjustmentFile(of assetUUID: String) throws -> ResourceRecord? {
        try resources.list(ResourceListRequest(assetUUID: assetUUID)).resources
            .first { $0.type == .adjustmentData && $0.isOfEdit }
    }
}
