internal import Foundation
internal import LibraryService
internal import PhotoModel

/// An edited copy that another service delivers beside the original, without its adjustments.
struct ExternalRender: Sendable {
    /// The format of the envelope that is written for such an edit, since an edit requires one.
    static let formatIdentifier = "org.swift-photos.externalRender"
    static let formatVersion = "1"

    /// The position of the original in the batch.
    var original: Int?
    /// The UUID of the original's asset, if an earlier batch or import created it.
    var assetUUID: String?
    /// The staged envelope.
    var envelope: StagedFile

    /// Encodes the envelope, which has no data.
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

/// Edited copies become the displayed content of their original's asset. A revert shows the
/// original again.
extension BatchCommit {
    /// Joins an edited copy to its original, or makes it an asset if that has another edit.
    mutating func admitExternalRender(_ position: Int) throws {
        guard let render = externalRenders[position],
            let (_, rendered) = content(position), let medium = media[position],
            let asset = try original(of: render)
        else { return try admit([position]) }
        if try answerFormer(position, of: asset) { return }
        let type: ResourceType? =
            switch (rendered.mediaType, asset.mediaType) {
            case (.image, .image): .fullSizePhoto
            case (.video, .video): .fullSizeVideo
            default: nil
            }
        // A file that joined an asset in Recently Deleted would be deleted with it.
        let isKept = asset.trashedDate == nil || rendered.trashedDate != nil
        guard let type, !asset.hasAdjustments, isKept, rendered.pixelSize.width > 0 else {
            try admit([position])
            return
        }
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

    /// Adds a file that the import itself wrote to an asset.
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
