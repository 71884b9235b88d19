internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Edits photos with adjustments in the open format of `PhotoAdjustments`, so that other programs
/// can resume the edits.
struct EditController {
    private let gallery: Gallery
    private let library: PhotoLibraryBundle
    private let context: GalleryContext

    init(gallery: Gallery, context: GalleryContext) {
        self.gallery = gallery
        library = gallery.view(for: context).library
        self.context = context
    }

    /// Returns whether a photo can be edited, and its present adjustments, as JSON.
    func json(_ known: AssetMemory.Known) throws -> String {
        var object = JSONObject()
        let problem = try Self.problem(known, library)
        object.add("editable", problem == nil)
        object.add("reason", problem)
        object.add("version", known.facts.contentVersion)
        object.add("formatIdentifier", known.asset.adjustmentFormatIdentifier)
        object.add("recipe", json: try recipe(known).map(Self.text) ?? "null")
        return object.line
    }

    /// Returns the reason why a photo cannot be edited; nil if it can be.
    private static func problem(
        _ known: AssetMemory.Known,
        _ library: PhotoLibraryBundle
    ) throws -> String? {
        if known.asset.mediaType != .image { return "Only photos can be edited." }
        if known.facts.trashedDate != nil { return "Photos in Recently Deleted cannot be edited." }
        return try library.readOnlyReason
    }

    /// Returns a photo's adjustments; nil if it has none or they are not in the open format of
    /// `PhotoAdjustments`.
    func recipe(_ known: AssetMemory.Known) throws -> PhotoAdjustments? {
        let asset = known.asset
        guard asset.hasAdjustments,
            asset.adjustmentFormatIdentifier == PhotoAdjustments.formatIdentifier
        else { return nil }
        let edit = try PhotoEdit(of: asset)
        return edit.input.adjustmentData == nil ? nil : edit.adjustments
    }

    private static func text(_ recipe: PhotoAdjustments) throws -> String {
        String(decoding: try recipe.data(), as: UTF8.self)
    }

    /// Decodes the adjustments of a request from JSON.
    ///
    /// - Throws: ``RequestError`` with `badRequest` when they are not in the open format.
    static func recipe(from data: Data) throws -> PhotoAdjustments {
        do {
            let recipe = try PhotoAdjustments(data: data)
            // Encoding validates the ranges of all values.
            _ = try recipe.data()
            return recipe
        } catch {
            let failure = LibraryFailure(error)
            throw RequestError(
                .badRequest,
                failure.message,
                reason: failure.reason,
                recovery: "Send adjustments in the open format."
            )
        }
    }

    // MARK: - Saving

    /// Renders and saves an edit of a photo with a given content version.
    ///
    /// - Throws: ``RequestError`` with `changed` when the photo has another content version, or
    ///   gets one while the edit is rendered.
    func save(
        _ recipe: PhotoAdjustments,
        of known: AssetMemory.Known,
        at version: Int
    ) throws -> String {
        if let problem = try Self.problem(known, library) { throw RequestError(.refused, problem) }
        try requireVersion(version, of: known.asset)
        var edit = try PhotoEdit(of: known.asset)
        edit.adjustments = recipe
        let output = try edit.output()
        let asset = known.asset
        return try change(asset, at: version) {
            PHAssetChangeRequest(for: asset).contentEditingOutput = output
        }
    }

    /// Reverts a photo with a given content version to its original.
    ///
    /// - Throws: ``RequestError`` with `changed` when the photo has another content version.
    func revert(_ known: AssetMemory.Known, at version: Int) throws -> String {
        let asset = known.asset
        return try change(asset, at: version) {
            PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
        }
    }

    private func requireVersion(_ version: Int, of asset: PHAsset) throws {
        let facts = try library.facts(for: [asset.localIdentifier]).first
        guard facts?.contentVersion == version else {
            throw RequestError(
                .changed,
                "The photo was edited meanwhile.",
                reason: "Another window or program has edited, rotated or reverted it.",
                recovery: "Open the editor again."
            )
        }
    }

    private func change(
        _ asset: PHAsset,
        at contentVersion: Int,
        _ block: @escaping () -> Void
    ) throws -> String {
        try ChangeRoutes.lock.withLock { _ in
            try requireVersion(contentVersion, of: asset)
            let version = try library.commitChanges(block)
            var object = JSONObject()
            object.add("done", true)
            // nil when nothing changed: the latest version is then not this session's.
            object.add("undo", version.map { String($0) })
            gallery.sessions.record(change: version, for: context)
            return object.line
        }
    }
}

/// Renders previews of adjustments that have not been saved.
struct EditPreview {
    /// The approximate maximum length of the longer side of a preview, in pixels.
    static let sizeLimit = 2_048

    let gallery: Gallery

    /// Renders a photo with adjustments as a JPEG at screen size.
    ///
    /// A photo with an edit in the open format is rendered from its original, any other photo from
    /// its current version.
    func picture(
        _ recipe: PhotoAdjustments,
        of known: AssetMemory.Known,
        size: Int
    ) async throws -> Data {
        guard known.asset.mediaType == .image else {
            throw RequestError(.refused, "Only photos can be edited.")
        }
        let isOurs = known.asset.adjustmentFormatIdentifier == PhotoAdjustments.formatIdentifier
        let options = PHImageRequestOptions()
        options.version = isOurs ? .unadjusted : .current
        // An exact size adds white margins, which the adjustments would then rotate and crop.
        options.resizeMode = .fast
        let side = CGFloat(size)
        let base = try await gallery.pictures.manager.image(
            for: known.asset,
            targetSize: CGSize(width: side, height: side),
            contentMode: .aspectFit,
            options: options
        )
        try Task.checkCancellation()
        let bytes = try await Blocking.run { () -> Data? in
            guard let image = CIImage(image: base.image) else { return nil }
            let drawn = recipe.applied(to: image)
            guard let pixels = CIContext().createCGImage(drawn, from: drawn.extent) else {
                return nil
            }
            return UIImage(cgImage: pixels).jpegData(compressionQuality: 0.85)
        }
        guard let bytes else { throw RequestError(.failed, "The preview could not be rendered.") }
        return bytes
    }
}
