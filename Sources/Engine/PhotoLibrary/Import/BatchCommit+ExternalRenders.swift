internal import Foundation
internal import LibraryService
internal import PhotoModel

/// An edited copy that another service provides beside the original, without adjustment data.
struct ExternalRender: Sendable {
    /// The format identifier of the adjustment envelope that an import writes for the edited copy,
    /// since every edit requires one.
    static let formatIdentifier = "org.swift-photos.externalRender"
    static let formatVersion = "1"

    /// The position of the original in the batch.
    var original: Int?
    /// The UUID of the original's asset, if an earlier batch or import created it.
    var assetUUID: String?
    /// The staged envelope.
    var envelope: StagedFile
    /// Indicates whether the original was guessed by its name.
    var isGuessed: Bool
    /// The edited copy that was previously imported under the same name; nil if there was none.
    var former: Former?

    /// A previously imported edited copy.
    struct Former: Hashable, Sendable {
        var assetUUID: String
        /// The SHA-256 of the edited copy's file; nil if an earlier version of this program
        /// recorded the import without a digest.
        var sha256: String?
    }

    /// The reason reported for a later edited copy that was not imported.
    static let keptYours = "The photo was edited or reverted in this library; that was kept."

    /// Encodes an adjustment envelope without adjustment data.
    static func envelopeData(at time: Date) throws(LibraryError) -> Data {
        try AdjustmentEnvelopeWriter.data(
            ContentAdjustments(
                formatIdentifier: formatIdentifier,
                formatVersion: formatVersion,
                data: Data()
            ),
            editor: "org.swift-photos",
            time: time
        )
    }
}

/// Joins edited copies from other services to the assets of their originals, as the displayed
/// content.
///
/// A revert shows the original again.
extension BatchCommit {
    /// Joins an edited copy to its original's asset, or creates a separate asset if that is not
    /// possible.
    ///
    /// For example, the original's asset may already have another edit.
    mutating func admitExternalRender(_ position: Int) throws {
        guard let render = externalRenders[position],
            let (_, rendered) = content(position), let asset = try original(of: render)
        else { return try admit([position]) }
        let type = Self.renderType(rendered, asset)
        if let former = render.former, former.assetUUID == asset.uuid, let type {
            return try follow(position, render, former, type: type, of: asset)
        }
        if try answerFormer(position, of: asset) { return }
        if render.isGuessed, !Self.showsSameShot(asset, rendered) {
            wrongGuesses.insert(position)
            return try admit([position])
        }
        // A file that joined an asset in Recently Deleted would be deleted with it.
        let isKept = asset.trashedDate == nil || rendered.trashedDate != nil
        guard let type, !asset.hasAdjustments, isKept, rendered.pixelSize.width > 0 else {
            try admit([position])
            return
        }
        try take(position, render, type: type, of: asset)
    }

    private static func renderType(_ rendered: AssetRecord, _ asset: AssetRecord) -> ResourceType? {
        switch (rendered.mediaType, asset.mediaType) {
        case (.image, .image): .fullSizePhoto
        case (.video, .video): .fullSizeVideo
        default: nil
        }
    }

    /// Replaces a previously imported edit, unless the edit has been changed in this library since.
    private mutating func follow(
        _ position: Int,
        _ render: ExternalRender,
        _ former: ExternalRender.Former,
        type: ResourceType,
        of asset: AssetRecord
    ) throws {
        let shown = try transaction.resources(ofAsset: asset.id).last {
            $0.isOfEdit && $0.type == type
        }
        let isUnchanged =
            if let digest = former.sha256 { shown?.sha256 == digest } else {
                asset.adjustmentFormatIdentifier == ExternalRender.formatIdentifier
            }
        guard shown != nil, isUnchanged else {
            if try answerFormer(position, of: asset) { return }
            // One that was declined before is no news.
            let isKnown = media[position]?.file.digest.hexadecimal == former.sha256
            outcomes[position] = ImportOutcome(
                .duplicate,
                localIdentifier: asset.localIdentifier,
                reason: isKnown ? nil : ExternalRender.keptYours
            )
            return
        }
        try transaction.retireEdit(ofAsset: asset.id)
        try take(position, render, type: type, of: asset)
    }

    /// Makes an edited copy the displayed content of an asset.
    private mutating func take(
        _ position: Int,
        _ render: ExternalRender,
        type: ResourceType,
        of asset: AssetRecord
    ) throws {
        guard let (_, rendered) = content(position), let medium = media[position] else { return }
        var edited = asset
        EditPolicy.apply(rendered, hasPairedVideo: false, to: &edited)
        edited.adjustmentFormatIdentifier = ExternalRender.formatIdentifier
        edited.adjustmentTimestamp = transaction.now
        edited.contentVersion += 1
        edited.modificationDate = transaction.now
        try transaction.updateAsset(edited, contentChanged: true)
        try addPartner(position, type: type, to: edited, isEdit: true)
        try addEnvelope(render.envelope, to: edited)
        guard case .medium(_, _, let pixels?) = medium.content else { return }
        renditions.removeAll { $0.assetUUID == edited.uuid }
        renditions.append(
            Rendition(
                pixels: pixels,
                assetUUID: edited.uuid,
                contentVersion: edited.contentVersion
            )
        )
    }

    private func original(of render: ExternalRender) throws -> AssetRecord? {
        let identifier = render.original.flatMap { outcomes[$0]?.localIdentifier }
        let uuid = identifier.flatMap { LocalIdentifier($0)?.uuid } ?? render.assetUUID
        return try uuid.flatMap { try transaction.asset(uuid: $0) }
    }

    private mutating func addEnvelope(_ envelope: StagedFile, to asset: AssetRecord) throws {
        try add(
            envelope,
            type: .adjustmentData,
            name: EditPolicy.name(AdjustmentEnvelopeWriter.pathExtension, of: asset),
            contentType: AdjustmentEnvelopeWriter.contentType,
            pathExtension: AdjustmentEnvelopeWriter.pathExtension,
            isEdit: true,
            to: asset
        )
    }

    /// Adds to an asset a file that the import itself wrote.
    mutating func add(
        _ file: StagedFile,
        type: ResourceType,
        name: String,
        contentType: String,
        pathExtension: String,
        isEdit: Bool,
        to asset: AssetRecord
    ) throws {
        let uuid = LocalIdentifier(new: .resource).uuid
        let target = FilePlacement.target(
            uuid: uuid,
            pathExtension: pathExtension,
            isEdit: isEdit
        )
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: asset.id,
                assetUUID: asset.uuid,
                type: type,
                originalFilename: name,
                contentType: contentType,
                path: target,
                size: file.size,
                sha256: file.digest.hexadecimal,
                pixelSize: PixelSize(width: 0, height: 0)
            )
        )
        moves.append(FilePlacement.Move(file: file, target: target))
    }
}
