internal import Foundation
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import RenditionCodec
internal import WorkerClient
internal import WorkerProtocol

/// Makes images from files, which workers decode.
extension ImageLoader {
    /// The JPEG quality of renditions.
    private static let renditionQuality = 85

    func make(
        _ shape: PixelShape,
        _ source: ImageSource,
        _ cancellation: RequestCancellation,
        _ request: ImageRequest,
        sizeClass: Int? = nil
    ) throws(LibraryError) -> Made {
        let range = request.range
        let key = ImageWork.Key(
            resourceUUID: source.resource.uuid,
            contentVersion: source.contentVersion,
            shape: shape,
            range: range
        )
        return try work.coalescer.value(
            for: key,
            priority: WorkPriority(request.priority),
            cancellation: cancellation
        ) { (stopping: WorkCancellation) throws(LibraryError) in
            var made = try decode(shape, range, source, stopping)
            if let sizeClass { made.storageError = keep(made, source, sizeClass) }
            return made
        }
    }

    private func decode(
        _ shape: PixelShape,
        _ range: PixelRange,
        _ source: ImageSource,
        _ cancellation: WorkCancellation
    ) throws(LibraryError) -> Made {
        let file: Descriptor
        do {
            (_, file) = try work.files.open(
                ResourceOpenRequest(resourceUUID: source.resource.uuid)
            )
        } catch {
            throw error as? LibraryError ?? LibraryError(error, library: finder.store.bundle.root)
        }
        let request =
            switch range {
            case .standard: DecodeRequest(shape: shape, layout: .rgba)
            case .high(let headroom):
                DecodeRequest(
                    shape: shape,
                    layout: .rgbaHalf,
                    colors: .extendedLinearDisplayP3,
                    headroom: headroom
                )
            }
        let answer: DecodeAnswer
        do throws(WorkerError) {
            answer = try withExtendedLifetime(file) { () throws(WorkerError) in
                try workers.decode(
                    request,
                    descriptor: file.number,
                    cancellation: cancellation
                )
            }
        } catch {
            throw LibraryError(.workerUnavailable, error.message, recovery: error.recovery)
        }
        switch answer {
        case .pixels(let facts, let pixels):
            guard let memory = pixels.mapped() else { throw Self.noMemory }
            // Many images have an alpha channel that is fully opaque.
            let hasAlpha = facts.hasAlpha && !memory.isOpaque
            return Made(
                pixels: pixels,
                memory: memory,
                hasAlpha: hasAlpha,
                damage: facts.damage
            )
        case .cancelled:
            throw LibraryError(.cancelled, "The image request was canceled.")
        case .unsupported(let reason), .failed(let reason):
            throw problem("cannot be decoded", reason, source)
        }
    }

    private func problem(
        _ what: String,
        _ reason: String,
        _ source: ImageSource
    ) -> LibraryError {
        LibraryError(
            .invalidResource,
            "The image of “\(source.resource.originalFilename)” \(what).",
            reason: reason,
            recovery: "The file can still be exported unchanged: photos export "
                + "\(source.assetUUID).",
            path: path(of: source.resource.path),
            identifiers: [source.assetUUID + ObjectKind.asset.identifierSuffix]
        )
    }

    func damage(of made: Made, _ source: ImageSource) -> LibraryError? {
        made.damage.map { problem("is not complete", $0, source) }
    }

    /// Makes the rendition of an asset's current image in a size class, and replaces an existing
    /// one.
    ///
    /// - Throws: `LibraryError`: the reason why it cannot be made, or `cancelled`.
    func makeRendition(
        of assetUUID: String,
        sizeClass: Int,
        priority: ImageRequest.Priority,
        cancellation: RequestCancellation
    ) throws {
        let source = try finder.find(assetUUID, .current)
        let size = source.resource.pixelSize
        guard size.width > 0, size.height > 0 else {
            throw problem("cannot be decoded", "Its size is unknown.", source)
        }
        let shape = PixelShape(size: PixelSize(width: sizeClass, height: sizeClass))
        let request = ImageRequest(assetUUID: assetUUID, shape: shape, priority: priority)
        let made = try make(shape, source, cancellation, request, sizeClass: sizeClass)
        if let error = damage(of: made, source) { throw error }
        if let error = made.storageError { throw error }
    }

    /// Stores a rendition, and returns the reason if that fails.
    private func keep(
        _ made: Made,
        _ source: ImageSource,
        _ sizeClass: Int
    ) -> LibraryError? {
        // Damaged images are decoded each time, so that the damage is reported each time.
        guard made.damage == nil, let rendition = try? Self.rendition(of: made) else { return nil }
        let key = RenditionStore.Key(
            assetUUID: source.assetUUID,
            contentVersion: source.contentVersion,
            sizeClass: sizeClass
        )
        let stored = renditions.store(rendition, for: key)
        // If the asset was purged meanwhile, its renditions are removed.
        if finder.isGone(source.assetUUID) { renditions.remove(ofAssets: [source.assetUUID]) }
        if case .failure(let error) = stored { return error }
        return nil
    }

    private static func rendition(of made: Made) throws -> RenditionStore.Rendition {
        let size = made.memory.description.size
        if made.hasAlpha {
            let (jpeg, alpha) = try TransparentPixels.encode(
                made.memory,
                quality: renditionQuality
            )
            return .init(jpeg: jpeg, alpha: alpha, size: size, origin: .content)
        }
        let jpeg = try made.memory.withBytes { bytes in
            try JPEGEncoder(quality: renditionQuality).encode(
                PixelRows(bytes: bytes, size: size, layout: .rgbx)
            )
        }
        return .init(jpeg: jpeg, size: size, origin: .content)
    }
}

extension WorkPriority {
    init(_ priority: ImageRequest.Priority) {
        self =
            switch priority {
            case .visible: .visible
            case .prefetch: .prefetch
            case .background: .background
            }
    }
}
