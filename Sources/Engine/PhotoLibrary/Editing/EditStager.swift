internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Prepares the staged files of edits by probing them and flushing them to disk before the writer
/// lock is acquired.
///
/// A rendered file must be complete and of the announced type. Its picture is not otherwise
/// checked.
struct EditStager: Sendable {
    var stager: CreationStager
    /// The session that stages the adjustments.
    var session: StagingSession
    /// The identifier of the editing program, for the envelope.
    var editor: String
    /// The time of the edit.
    var time: Date

    /// Prepares an edit of an asset, and stages its adjustments.
    ///
    /// - Parameter edit: The edit.
    /// - Returns: The staged edit to commit.
    /// - Throws: The problem with its files or with the library's volume.
    func stage(_ edit: ContentEdit) throws(LibraryError) -> StagedEdit {
        try Self.check(edit)
        let envelope = try AdjustmentEnvelopeWriter.data(
            edit.adjustments,
            editor: editor,
            time: time
        )
        var staged: [StagedEdit.File] = []
        var primary: (record: AssetRecord, rendition: PixelMemory?)?
        for rendering in edit.renderings {
            var rendition: PixelMemory?
            let part = try stager.part(rendering) { part throws(LibraryError) in
                rendition = try check(part)
            }
            staged.append(Self.file(part))
            guard let record = part.record else { continue }
            if rendering.type != .fullSizePairedVideo { primary = (record, rendition) }
        }
        guard let primary else {
            throw LibraryError(.internalError, "An edit has no rendered image.")
        }
        let files = FileStager(session: session, files: stager.configuration.files)
        staged.append(
            StagedEdit.File(
                type: .adjustmentData,
                contentType: AdjustmentEnvelopeWriter.contentType,
                pathExtension: AdjustmentEnvelopeWriter.pathExtension,
                pixelSize: PixelSize(width: 0, height: 0),
                file: try files.stage(envelope)
            )
        )
        return StagedEdit(
            files: staged,
            record: primary.record,
            rendition: primary.rendition,
            formatIdentifier: edit.adjustments.formatIdentifier,
            bases: edit.bases
        )
    }

    private static func file(_ part: CreationDraft.Part) -> StagedEdit.File {
        StagedEdit.File(
            type: part.creation.type,
            contentType: part.facts?.contentType ?? "public.data",
            pathExtension: part.facts.map { FileExtension.of($0, original: "") } ?? "data",
            pixelSize: part.record?.pixelSize ?? PixelSize(width: 0, height: 0),
            file: part.file
        )
    }

    // MARK: - Checks

    /// Throws an error unless an edit has a valid combination of files.
    private static func check(_ edit: ContentEdit) throws(LibraryError) {
        let types = edit.renderings.map(\.type)
        let allowed: [[ResourceType]] = [
            [.fullSizePhoto], [.fullSizeVideo], [.fullSizePhoto, .fullSizePairedVideo],
        ]
        guard allowed.contains(types) else {
            throw LibraryError(
                types.isEmpty ? .missingResource : .invalidRequest,
                types.isEmpty
                    ? "The edit has no rendered file."
                    : "The edit has files of the types "
                        + types.map { "\($0)" }.joined(separator: ", ") + ".",
                reason: "An edit consists of a rendered photo, a rendered video, or both for a Live"
                    + " Photo.",
                recovery: "Write the rendered file to the output's renderedContentURL first."
            )
        }
    }

    /// Checks that a rendered file is complete and of the announced type, and returns its decoded
    /// preview if that is opaque.
    private func check(_ part: CreationDraft.Part) throws(LibraryError) -> PixelMemory? {
        guard let facts = part.facts, let record = part.record else { return nil }
        let isMovie = part.creation.type != .fullSizePhoto
        guard Self.isAsAnnounced(facts, part.creation, isMovie: isMovie) else {
            let wanted = part.creation.contentType ?? (isMovie ? "a movie" : "an image")
            throw Self.invalid(
                part.creation,
                "has the wrong type",
                reason: "It must be \(wanted), but its content is \(facts.contentType).",
                recovery: "Render it as that type, or get the URL for another type from the output:"
                    + " renderedContentURL(for:)."
            )
        }
        guard record.pixelSize.width > 0, record.pixelSize.height > 0 else {
            throw Self.invalid(
                part.creation,
                "has no image",
                reason: facts.warnings.first ?? "Its size is unknown.",
                recovery: "Render it again."
            )
        }
        if facts.movie?.isCutShort == true {
            throw Self.invalid(
                part.creation,
                "is truncated",
                reason: "Images or audio of its index are beyond its end.",
                recovery: "Render it again, and save it when rendering is complete."
            )
        }
        return try decodePreview(of: part)
    }

    private static func isAsAnnounced(
        _ facts: MediaFacts,
        _ creation: ResourceCreation,
        isMovie: Bool
    ) -> Bool {
        guard facts.format.isMovie == isMovie, !facts.format.isSidecar else { return false }
        guard let wanted = creation.contentType else { return true }
        // HEIC and HEIF differ only in their brand, as do M4V and MPEG-4.
        let families = [
            ["public.heic", "public.heif"], ["public.mpeg-4", "com.apple.m4v-video"],
        ]
        return facts.contentType == wanted
            || families.contains { $0.contains(wanted) && $0.contains(facts.contentType) }
    }

    /// Decodes the whole image, because only a full decode detects truncated data.
    private func decodePreview(of part: CreationDraft.Part) throws(LibraryError) -> PixelMemory? {
        let answer: DecodeAnswer
        do throws(WorkerError) {
            answer = try stager.prober.decodePreview(
                side: stager.configuration.renditionSide,
                descriptor: part.file.descriptor.number
            )
        } catch {
            throw LibraryError(
                .workerUnavailable,
                "\(CreationDraft.words(for: part.creation)) cannot be saved: \(error.message)",
                recovery: error.recovery
            )
        }
        switch answer {
        case .pixels(let facts, let pixels):
            guard let damage = facts.damage else {
                let preview = pixels.mapped()
                // A first rendition has no alpha.
                return facts.hasAlpha && preview?.isOpaque == false ? nil : preview
            }
            throw Self.invalid(
                part.creation,
                "is incomplete",
                reason: damage,
                recovery: "Render it again, and save it when rendering is complete."
            )
        case .unsupported(let reason), .failed(let reason):
            throw Self.invalid(
                part.creation,
                "cannot be decoded",
                reason: reason,
                recovery: "Render it again."
            )
        case .cancelled:
            throw LibraryError(.cancelled, "The edit was canceled.")
        }
    }

    private static func invalid(
        _ creation: ResourceCreation,
        _ what: String,
        reason: String,
        recovery: String
    ) -> LibraryError {
        LibraryError(
            .invalidResource,
            "\(CreationDraft.words(for: creation)) \(what).",
            reason: reason,
            recovery: recovery,
            path: creation.path
        )
    }
}
