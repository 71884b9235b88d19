internal import LibraryService
internal import PhotoModel

/// Operations that create, change, delete and restore assets.
extension ChangeSetCommit {
    /// Inserts the rows of an asset whose files are staged.
    ///
    /// The result is always a separate asset: content that the library already has is stored again,
    /// and nothing is joined to another asset.
    mutating func create(_ uuid: String, at position: Int) throws {
        guard let creation = staged.creations[position] else {
            throw LibraryError(
                .internalError,
                "The new asset \(uuid) has no files.",
                reason: "They were not staged before the change.",
                recovery: "This is a bug; please report it.",
                identifiers: [uuid + ObjectKind.asset.identifierSuffix]
            )
        }
        try checkNew(uuid)
        var record = creation.record
        record.addedDate = transaction.now
        record.modificationDate = transaction.now
        if record.hasAdjustments { record.adjustmentTimestamp = transaction.now }
        try editing.apply(creation.edit, to: &record) {
            creation.resources.contains { $0.type == .alternatePhoto }
        }
        var rendition = creation.rendition
        if record.originalResourceChoice == 1, !record.hasAdjustments {
            let originals = creation.resources.map {
                Original($0.type, $0.contentType, $0.pixelSize)
            }
            record.pixelSize = Self.size(ofChosen: 1, among: originals) ?? record.pixelSize
            // The rendition may be of the JPEG.
            rendition = nil
        }
        record.id = try transaction.insertAsset(record)
        for resource in creation.resources { try insert(resource, of: record) }
        try transaction.keepQuality(of: creation.rendition, for: record)
        if let pixels = rendition {
            renditions.append(
                Rendition(
                    pixels: pixels,
                    assetUUID: record.uuid,
                    contentVersion: record.contentVersion
                )
            )
        }
        if let burst = record.burstIdentifier { touchedBursts.insert(burst) }
        // The content edit follows, as an edit of an existing asset.
        if staged.edits[position] != nil { try editContent(of: uuid, at: position) }
    }

    private mutating func insert(_ resource: StagedCreation.Resource, of asset: AssetRecord) throws
    {
        let identifier = LocalIdentifier(new: .resource).uuid
        let target = FilePlacement.target(
            uuid: identifier,
            pathExtension: resource.pathExtension,
            isEdit: resource.type.isMadeByEditing
        )
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: identifier,
                assetID: asset.id,
                assetUUID: asset.uuid,
                type: resource.type,
                originalFilename: resource.originalFilename,
                contentType: resource.contentType,
                path: target,
                size: resource.file.size,
                sha256: resource.file.digest.hexadecimal,
                pixelSize: resource.pixelSize
            )
        )
        moves.append(FilePlacement.Move(file: resource.file, target: target))
    }

    /// Sets those properties of an asset whose values differ from the requested values.
    ///
    /// A change of the user's picks also marks the burst, since its key frame may change. The
    /// unpicked frames of a burst are hidden and unhidden with its key frame.
    mutating func edit(_ uuid: String, _ edit: AssetEdit) throws {
        let old = try changeableAsset(uuid)
        var new = old
        try editing.apply(edit, to: &new) {
            try !PartnerQueries(database: transaction.database)
                .resources(ofAsset: old.id, type: .alternatePhoto).isEmpty
        }
        guard new != old else { return }
        let contentChanged = new.originalResourceChoice != old.originalResourceChoice
        if contentChanged { new.contentVersion += 1 }
        new.modificationDate = transaction.now
        try transaction.store(new, over: old, contentChanged: contentChanged)
        if new.burstSelectionTypes != old.burstSelectionTypes, let burst = new.burstIdentifier {
            touchedBursts.insert(burst)
        }
        if new.isHidden != old.isHidden, new.representsBurst, let burst = new.burstIdentifier {
            try transaction.setHidden(new.isHidden, ofUnpickedFramesIn: burst)
        }
    }

    // MARK: - Deleting

    /// Moves assets to Recently Deleted.
    mutating func deleteAssets(_ uuids: [String]) throws {
        try transaction.trashAssets(uuids.map { try assetPlace($0).id })
        deleted.formUnion(uuids)
    }

    /// Restores assets from Recently Deleted.
    mutating func restoreAssets(_ uuids: [String]) throws {
        try transaction.restoreAssets(uuids.map { try assetPlace($0).id })
        deleted.subtract(uuids)
    }

    /// Deletes assets permanently.
    mutating func purgeAssets(_ uuids: [String]) throws {
        let places = try uuids.map { uuid in
            let place = try assetPlace(uuid)
            guard place.isTrashed else {
                throw ChangeProblem.notTrashed(uuid + ObjectKind.asset.identifierSuffix)
            }
            return place.id
        }
        try transaction.purgeAssets(places)
        deleted.formUnion(uuids)
    }
}
