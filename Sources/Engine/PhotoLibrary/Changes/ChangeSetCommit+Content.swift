internal import LibraryService
internal import PhotoModel

/// Operations that edit and revert content.
///
/// Originals are never changed. The next edit, whoever makes it, replaces all files of the previous
/// one (below `edits/`): the later commit wins. Replaced or reverted files stay on disk without a
/// row as long as `undo` can restore them.
extension ChangeSetCommit {
    /// Inserts the rows of a content edit whose files are staged.
    mutating func editContent(of uuid: String, at position: Int) throws {
        guard let edit = staged.edits[position] else {
            throw LibraryError(
                .internalError,
                "The edit of the asset \(uuid) has no files.",
                reason: "They were not staged before the change.",
                recovery: "This is a bug; please report it.",
                identifiers: [uuid + ObjectKind.asset.identifierSuffix]
            )
        }
        let old = try changeableAsset(uuid)
        let present = try transaction.resources(ofAsset: old.id)
        try Self.check(edit, of: old, present)
        try transaction.retireEdit(ofAsset: old.id, keeping: Set(edit.bases))
        var new = old
        EditPolicy.apply(edit, to: &new, at: transaction.now)
        try transaction.store(new, over: old, contentChanged: true)
        for file in edit.files { try insert(file, of: new) }
        if let pixels = edit.rendition {
            renditions.append(
                Rendition(pixels: pixels, assetUUID: uuid, contentVersion: new.contentVersion)
            )
        }
    }

    private mutating func insert(_ file: StagedEdit.File, of asset: AssetRecord) throws {
        let identifier = LocalIdentifier(new: .resource).uuid
        let target = FilePlacement.target(
            uuid: identifier,
            pathExtension: file.pathExtension,
            isEdit: true
        )
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: identifier,
                assetID: asset.id,
                assetUUID: asset.uuid,
                type: file.type,
                originalFilename: EditPolicy.name(file.pathExtension, of: asset),
                contentType: file.contentType,
                path: target,
                size: file.file.size,
                sha256: file.file.digest.hexadecimal,
                pixelSize: file.pixelSize
            )
        )
        moves.append(FilePlacement.Move(file: file.file, target: target))
    }

    /// Reverts an asset to its original; does nothing for an asset without an edit.
    mutating func revertContent(of uuid: String, choice: Int?, at position: Int) throws {
        let old = try changeableAsset(uuid)
        var new = old
        let present = try transaction.resources(ofAsset: old.id)
        if let choice {
            var edit = AssetEdit()
            edit.originalResourceChoice = choice
            try editing.apply(edit, to: &new) { present.contains { $0.type == .alternatePhoto } }
        }
        let originals = present.map { Original($0.type, $0.contentType, $0.pixelSize) }
        if old.hasAdjustments {
            guard let primary = present.first(where: { $0.type.isPrimary }) else {
                throw LibraryError(
                    .missingResource,
                    "The asset \(old.localIdentifier) has no original to revert to.",
                    recovery: "Run photos verify.",
                    identifiers: [old.localIdentifier]
                )
            }
            try transaction.retireEdit(ofAsset: old.id)
            EditPolicy.revert(
                &new,
                to: primary,
                staged.originals[position],
                hasPairedVideo: present.contains { $0.type == .pairedVideo },
                at: transaction.now
            )
        }
        if new != old,
            let size = Self.size(ofChosen: new.originalResourceChoice, among: originals)
        {
            new.pixelSize = size
        }
        guard new != old else { return }
        new.contentVersion = old.contentVersion + 1
        new.modificationDate = transaction.now
        try transaction.store(new, over: old, contentChanged: true)
    }

    // MARK: - RAW and JPEG

    /// A file of an asset, with the properties that decide whether it belongs to a RAW and JPEG
    /// pair.
    struct Original {
        var type: ResourceType
        var contentType: String
        var pixelSize: PixelSize

        init(_ type: ResourceType, _ contentType: String, _ pixelSize: PixelSize) {
            self.type = type
            self.contentType = contentType
            self.pixelSize = pixelSize
        }
    }

    /// Returns the pixel size of the chosen original of a pair; nil if there is no pair.
    static func size(ofChosen choice: Int, among originals: [Original]) -> PixelSize? {
        let pair = originals.filter { $0.type == .photo || $0.type == .alternatePhoto }
        let chosen = pair.first { $0.contentType.isRAWContentType == (choice == 1) }
        guard pair.count == 2, let size = chosen?.pixelSize, size.width > 0, size.height > 0
        else { return nil }
        return size
    }

    // MARK: - Checks

    private static func check(
        _ edit: StagedEdit,
        of asset: AssetRecord,
        _ present: [ResourceRecord]
    ) throws {
        let isVideo = edit.files.contains { $0.type == .fullSizeVideo }
        guard asset.mediaType == (isVideo ? .video : .image) else {
            throw LibraryError(
                .invalidRequest,
                "The asset \(asset.localIdentifier) cannot become a \(isVideo ? "video" : "photo").",
                reason: "It is of the media type \(asset.mediaType), and the rendered file is"
                    + (isVideo ? " a video." : " a photo."),
                recovery: "Render the same media type as that of the content editing input.",
                identifiers: [asset.localIdentifier]
            )
        }
        try checkSize(edit, of: asset, present)
        guard edit.hasPairedVideo else { return }
        guard let photo = present.first(where: { $0.type == .photo }),
            let movie = present.first(where: { $0.type == .pairedVideo })
        else { throw ChangeProblem.notALivePhoto(asset.localIdentifier) }
        try checkHalves(edit, asset, photo: photo, movie: movie)
    }

    /// Throws an error if the rendered file is as small as a thumbnail or placeholder.
    ///
    /// Edits crop and scale, so any other size is valid.
    private static func checkSize(
        _ edit: StagedEdit,
        of asset: AssetRecord,
        _ present: [ResourceRecord]
    ) throws {
        guard let original = present.first(where: { $0.type.isPrimary })?.pixelSize,
            let rendered = edit.files.first(where: { $0.pixelSize.width > 0 })?.pixelSize
        else { return }
        let (before, after) = (
            max(original.width, original.height), max(rendered.width, rendered.height)
        )
        guard after < 64, before >= 10 * after else { return }
        throw LibraryError(
            .invalidResource,
            "The rendered file is too small to be an edit of the asset \(asset.localIdentifier).",
            reason: "It has \(rendered.width)×\(rendered.height) pixels, but the original has"
                + " \(original.width)×\(original.height).",
            recovery: "Render the image at fullSizeImageURL in full size.",
            identifiers: [asset.localIdentifier]
        )
    }

    /// Throws an error unless the still and the movie of a Live Photo were cropped and rotated
    /// alike.
    ///
    /// They were if the ratio of their aspect ratios is about that of the originals.
    private static func checkHalves(
        _ edit: StagedEdit,
        _ asset: AssetRecord,
        photo: ResourceRecord,
        movie: ResourceRecord
    ) throws {
        func ratio(_ size: PixelSize?) -> Double? {
            guard let size, size.width > 0, size.height > 0 else { return nil }
            return Double(size.width) / Double(size.height)
        }
        let sizes = [ResourceType.fullSizePhoto, .fullSizePairedVideo].map { type in
            edit.files.first { $0.type == type }?.pixelSize
        }
        guard let before = ratio(photo.pixelSize), let movieBefore = ratio(movie.pixelSize),
            let after = ratio(sizes[0]), let movieAfter = ratio(sizes[1])
        else { return }
        let difference = abs((after / movieAfter) / (before / movieBefore) - 1)
        // A quarter turn inverts the relation of the two aspect ratios.
        let turned = abs((after / movieAfter) * (before / movieBefore) - 1)
        guard min(difference, turned) > 0.1 else { return }
        throw LibraryError(
            .invalidResource,
            "The rendered still and movie of the Live Photo \(asset.localIdentifier) do not match.",
            reason: "The still has \(sizes[0]?.width ?? 0)×\(sizes[0]?.height ?? 0) pixels and the"
                + " movie \(sizes[1]?.width ?? 0)×\(sizes[1]?.height ?? 0), which is a different crop.",
            recovery: "Crop and rotate both in the same way.",
            identifiers: [asset.localIdentifier]
        )
    }
}
