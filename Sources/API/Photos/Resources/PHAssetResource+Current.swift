internal import LibraryService
internal import PhotoModel

extension PHAssetResource {
    /// Indicates whether the file is part of its asset's current version.
    ///
    /// For a RAW+JPEG pair, this is the chosen original; for an edited asset, the files that the
    /// edit rendered. Programs read it under the key `isCurrent` to choose the file to copy. It is
    /// always true for a file without a library.
    var isCurrent: Bool {
        guard let record, let connection else { return true }
        do throws(LibraryError) {
            let service = try connection.service()
            let ids = RowIDBuffer(CollectionOfOne(record.assetID))
            let list = ResourceListRequest(assetUUID: record.assetUUID)
            guard let asset = try service.loadAssets(AssetLoadRequest(ids: ids)).assets.first
            else { return false }
            return CurrentResources(asset, try service.listResources(list).resources)
                .contains(record)
        } catch {
            connection.reportUnlessUnavailable(error)
            return false
        }
    }
}

/// The files that make up the current version of an asset.
private struct CurrentResources {
    private let asset: AssetRecord
    private let types: Set<ResourceType>
    private let chosen: ResourceRecord?

    init(_ asset: AssetRecord, _ resources: [ResourceRecord]) {
        self.asset = asset
        types = Set(resources.map(\.type))
        let originals = [ResourceType.photo, .photoProxy, .alternatePhoto].compactMap { type in
            resources.first { $0.type == type }
        }
        let prefersRAW =
            asset.originalResourceChoice == PHAsset.OriginalResourceChoice.raw.rawValue
        chosen =
            originals.first { $0.contentType.isRAWContentType == prefersRAW } ?? originals.first
    }

    func contains(_ resource: ResourceRecord) -> Bool {
        switch resource.type {
        case .photo, .photoProxy, .alternatePhoto:
            !isEdited(.fullSizePhoto) && resource.uuid == chosen?.uuid
        case .video: !isEdited(.fullSizeVideo)
        case .pairedVideo:
            asset.mediaSubtypes.contains(.photoLive) && !isEdited(.fullSizePairedVideo)
        case .audio: true
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData:
            asset.hasAdjustments
        default: false
        }
    }

    private func isEdited(_ type: ResourceType) -> Bool {
        asset.hasAdjustments && types.contains(type)
    }
}
