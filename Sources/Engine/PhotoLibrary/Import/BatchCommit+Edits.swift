internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Imports edited files that other programs rendered, such as `IMG_E1853.HEIC`, made from
/// `IMG_1853.HEIC` and `IMG_1853.AAE`.
///
/// 1. A name alone only suggests an edit. A rendered file joins the asset with the original's name
///    in its folder if adjustments with that name are there, or if one camera took both in the same
///    second. Otherwise it becomes a separate asset.
/// 2. The rendered files and the adjustments are stored below `edits/`, like those of the library's
///    own edits. A revert removes them, and undoing the revert restores them.
/// 3. An asset has one edit. If it is already edited, or its edit was replaced or reverted in the
///    library, its displayed content stays.
extension BatchCommit {
    /// Creates assets for new files, or joins the files to existing assets.
    ///
    /// Possible rendered edits are processed after all their possible originals.
    mutating func admitWithEdits(_ fresh: [Int]) throws {
        let stems = Set(fresh.compactMap { media[$0]?.name.stemKey })
        let edits = try fresh.filter { position in
            guard let key = media[position]?.name.originalStemKey, mayBeRendered(position) else {
                return false
            }
            return try stems.contains(key) || !queries.assets(stemKey: key).isEmpty
        }
        try admit(fresh.filter { !edits.contains($0) })
        // A movie is half of an edited Live Photo only if the other half is known.
        let pictures = edits.filter { content($0)?.record.mediaType == .image }
        var others: [Int] = []
        for position in pictures + edits.filter({ !pictures.contains($0) }) {
            if try !joinEdit(position) { others.append(position) }
        }
        try admit(others.sorted())
    }

    private func mayBeRendered(_ position: Int) -> Bool {
        guard let (facts, record) = content(position) else { return false }
        return media[position]?.isWhole == true && facts.format != .raw
            && record.pixelSize.width > 0 && record.pixelSize.height > 0
    }

    // MARK: - Rendered files

    /// Joins a rendered file to its original.
    ///
    /// - Returns: Whether the file now has an outcome.
    private mutating func joinEdit(_ position: Int) throws -> Bool {
        guard let key = media[position]?.name.originalStemKey else { return false }
        for id in try queries.assets(stemKey: key) {
            guard let asset = try transaction.asset(id: id) else { continue }
            if try answerFormer(position, of: asset) { return true }
            guard let type = try renderedType(position, of: asset),
                try isEdit(position, type, of: asset, key: key)
            else { continue }
            try join(edit: position, as: type, to: asset, key: key)
            return true
        }
        return false
    }

    /// Returns the type that a rendered file would have in an asset; nil if the file does not fit
    /// the asset.
    private func renderedType(_ position: Int, of asset: AssetRecord) throws -> ResourceType? {
        guard let (_, record) = content(position), let medium = media[position] else { return nil }
        switch (record.mediaType, asset.mediaType) {
        case (.image, .image) where !asset.hasAdjustments: return .fullSizePhoto
        case (.video, .video) where !asset.hasAdjustments: return .fullSizeVideo
        case (.video, .image) where asset.hasAdjustments:
            let types = try transaction.resources(ofAsset: asset.id).map(\.type)
            let isHalf =
                try types.contains(.pairedVideo) && types.contains(.fullSizePhoto)
                && !types.contains(.fullSizePairedVideo)
                // The edited still was imported under the same name.
                && queries.hasMedium(stemKey: medium.name.stemKey, ofAsset: asset.id)
            return isHalf ? .fullSizePairedVideo : nil
        default: return nil
        }
    }

    /// Returns whether evidence beyond the name shows that a file is an edit of an asset.
    private func isEdit(
        _ position: Int,
        _ type: ResourceType,
        of asset: AssetRecord,
        key: [UInt8]
    ) throws -> Bool {
        if try stagedAdjustments(key) != nil
            || queries.adjustments(stemKey: key, ofAsset: asset.id) != nil
        {
            return true
        }
        guard let (_, record) = content(position) else { return false }
        if type == .fullSizePairedVideo {
            guard let identifier = record.contentIdentifier else { return false }
            // The halves of an edit share a separate identifier.
            return identifier == asset.contentIdentifier
                || media.keys.contains { other in
                    media[other]?.name.stemKey == media[position]?.name.stemKey
                        && content(other)?.record.mediaType == .image
                        && content(other)?.record.contentIdentifier == identifier
                }
        }
        return Self.showsSameShot(asset, record)
    }

    /// Returns whether the same known camera took an asset and a file in the same second.
    static func showsSameShot(_ asset: AssetRecord, _ file: AssetRecord) -> Bool {
        file.camera.model != nil && asset.camera.model != nil
            && PairingPolicy.areOneShot(asset, file)
    }

    /// Returns the facts of the batch's AAE file whose `stemKey` (folder and lowercase name without
    /// extension) is `key`; nil if there is none.
    private func stagedAdjustments(_ key: [UInt8]) -> MediaFacts? {
        media.values.lazy.compactMap { medium -> MediaFacts? in
            guard case .sidecar(let facts, _) = medium.content, facts.format == .aae,
                medium.name.stemKey == key
            else { return nil }
            return facts
        }.first
    }

    private mutating func join(
        edit position: Int,
        as type: ResourceType,
        to asset: AssetRecord,
        key: [UInt8]
    ) throws {
        guard let medium = media[position], let (_, record) = content(position) else { return }
        var edited = asset
        if type == .fullSizePairedVideo {
            edited.mediaSubtypes.insert(.photoLive)
            edited.playbackStyle = .livePhoto
        } else {
            EditPolicy.apply(record, hasPairedVideo: false, to: &edited)
            edited.adjustmentFormatIdentifier = stagedAdjustments(key)?.adjustmentFormat
            edited.adjustmentTimestamp = Date(
                timeIntervalSince1970: Double(medium.source.modificationTime) / 1e9
            )
        }
        edited.contentVersion += 1
        edited.modificationDate = transaction.now
        try transaction.updateAsset(edited, contentChanged: true)
        if let old = try queries.adjustments(stemKey: key, ofAsset: asset.id) {
            try adopt(adjustments: old)
        }
        try addPartner(position, type: type, to: edited, isEdit: true)
        guard type != .fullSizePairedVideo, case .medium(_, _, let pixels?) = medium.content else {
            return
        }
        renditions.append(
            Rendition(
                pixels: pixels,
                assetUUID: edited.uuid,
                contentVersion: edited.contentVersion
            )
        )
    }

    // MARK: - Adjustments

    /// Adds an adjustments file to an asset that has none, as part of the asset's edit or of its
    /// original.
    mutating func admitAdjustments(_ position: Int, _ facts: MediaFacts, to asset: AssetRecord)
        throws
    {
        // Edits made in the library have their own adjustments.
        let isOfEdit = asset.hasAdjustments && !namesOriginal(position)
        var described = asset
        if isOfEdit { described.adjustmentFormatIdentifier = facts.adjustmentFormat }
        if described != asset {
            described.modificationDate = transaction.now
            try transaction.updateAsset(described, contentChanged: false)
        }
        try addPartner(position, type: .adjustmentData, to: described, isEdit: isOfEdit)
    }

    /// Converts adjustments that were imported before their rendered file into adjustments of the
    /// edit.
    ///
    /// A path never changes, so the content is stored under a new one. If the library's file is
    /// missing or damaged, nothing happens; `verify` reports it.
    private mutating func adopt(adjustments id: Int64) throws {
        guard let old = try transaction.resource(id: id), !old.isOfEdit,
            let copy = try restage(old)
        else { return }
        var new = old
        new.id = 0
        new.uuid = LocalIdentifier(new: .resource).uuid
        new.path = FilePlacement.target(
            uuid: new.uuid,
            pathExtension: AdjustmentEnvelopeWriter.pathExtension,
            isEdit: true
        )
        try transaction.retire(old)
        let newID = try transaction.insertResource(new)
        moves.append(FilePlacement.Move(file: copy, target: new.path))
        try imported.move(from: id, to: newID)
    }

    // MARK: - Earlier edits

    /// Records a file as a duplicate if it belongs to an edit that was replaced or reverted in the
    /// library.
    ///
    /// - Returns: Whether it is such a file.
    mutating func answerFormer(_ position: Int, of asset: AssetRecord) throws -> Bool {
        guard let medium = media[position],
            try transaction.hasFormerFile(
                sha256: medium.file.digest.hexadecimal,
                ofAsset: asset.id
            )
        else { return false }
        outcomes[position] = ImportOutcome(
            .duplicate,
            localIdentifier: asset.localIdentifier,
            reason:
                "It belongs to an edit that was replaced or reverted in the library, and that undo"
                + " can restore."
        )
        return true
    }
}
