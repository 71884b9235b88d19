internal import Foundation
package import LibraryService
package import PhotoLibrary
internal import PhotoModel
internal import RenditionCodec
internal import Synchronization
package import WorkerClient
internal import WorkerProtocol

/// Serves image requests from renditions or, if none is large enough, from the assets' files.
///
/// An image from a file also becomes a rendition if possible.
///
/// Files are decoded only by workers; the library's own small JPEGs are decoded in this process.
/// Thread-safe; calls block their thread.
package final class ImageLoader: Sendable {
    typealias Made = ImageWork.Made

    let finder: ImageSourceFinder
    let resources: ResourceFetcher
    let renditions: RenditionStore
    let workers: WorkerPool
    let work: ImageWork

    /// Creates the loader of one client.
    ///
    /// - Parameters:
    ///   - store: The library.
    ///   - resources: Finds the files that the client may see.
    ///   - renditions: The library's renditions.
    ///   - workers: The workers.
    ///   - work: The work in progress, which all loaders of a library share.
    package init(
        store: LibraryStore,
        resources: ResourceFetcher,
        renditions: RenditionStore,
        workers: WorkerPool,
        work: ImageWork
    ) {
        finder = ImageSourceFinder(store: store, resources: resources)
        self.resources = resources
        self.renditions = renditions
        self.workers = workers
        self.work = work
    }

    // MARK: - Requests

    /// Returns an image with its pixels.
    ///
    /// Returns nil if the request accepts only an immediately available image and there is none.
    ///
    /// The request's ticket is not used.
    ///
    /// - Parameters:
    ///   - request: The image.
    ///   - cancellation: Cancels the request.
    /// - Returns: The image and its pixels.
    /// - Throws: `LibraryError`: the reason why there is no image, or `cancelled`.
    package func image(
        _ request: ImageRequest,
        cancellation: RequestCancellation = RequestCancellation()
    ) throws -> (ImageReply, ImagePixels)? {
        let source = try finder.find(request.assetUUID, request.version)
        if hasRenditions(source), request.shape.size != nil {
            if let answer = rendered(request, source) { return answer }
            if request.quality == .full, request.takesRendition,
                let answer = try rendition(request, source, cancellation)
            {
                return answer
            }
        }
        if request.quality != .full { return nil }
        let made = try make(request.shape, source, cancellation, request)
        return try reply(made, source)
    }

    /// Opens the file of an image for reading and returns the orientation of its decoded pixels.
    ///
    /// It is that of the metadata, or `up` for formats whose decoders apply the orientation.
    package func imageData(_ request: ImageDataRequest) throws -> (ImageDataReply, Descriptor) {
        let source = try finder.find(request.assetUUID, request.version)
        let (opened, file) = try resources.open(
            ResourceOpenRequest(resourceUUID: source.resource.uuid)
        )
        var orientation = Orientation.up
        if !source.isMovie {
            let probe = ProbeRequest(filename: opened.resource.originalFilename, renditionSide: 0)
            do throws(WorkerError) {
                let answer = try workers.probe(probe, descriptor: file.number)
                // Unreadable metadata is no error, because the request is for the bytes.
                if case .facts(let facts, _) = answer, facts.format.leavesTurning {
                    orientation = facts.orientation
                }
            } catch {
                throw LibraryError(.workerUnavailable, error.message, recovery: error.recovery)
            }
        }
        let reply = ImageDataReply(
            resource: opened.resource,
            path: path(of: opened.resource.path),
            orientation: orientation
        )
        return (reply, file)
    }

    /// Returns the identifier of the file that `imageData(_:)` opens for a version of an asset's
    /// image.
    package func imageFile(_ assetUUID: String, _ version: ImageRequest.Version) throws -> String {
        try finder.find(assetUUID, version).resource.uuid
    }

    // MARK: - From renditions

    /// Returns the stored rendition from which a requested image can be made immediately, without a
    /// worker.
    ///
    /// - Returns: Nil when `image` would return nil or use a worker.
    /// - Throws: `identifierNotFound` for an asset that the client may not see.
    package func stored(_ request: ImageRequest) throws -> StoredImage? {
        stored(request, try finder.find(request.assetUUID, request.version))
    }

    private func stored(_ request: ImageRequest, _ source: ImageSource) -> StoredImage? {
        guard request.takesRendition, hasRenditions(source) else { return nil }
        let whole = source.resource.pixelSize
        let plan = PixelPlan(request.shape, of: whole)
        let found = renditions.rendition(
            of: source.assetUUID,
            contentVersion: source.contentVersion,
            covers: { plan.isCovered(by: $0, of: whole) },
            takesAny: request.quality == .atHand
        )
        guard let found else { return nil }
        return StoredImage(
            jpeg: found.jpeg,
            alpha: found.alpha,
            whole: whole,
            isDegraded: request.range != .standard || !plan.isCovered(by: found.size, of: whole),
            contentVersion: source.contentVersion,
            path: path(of: source.resource.path),
            isInCloud: source.resource.isInCloud ? true : nil
        )
    }

    /// Indicates whether renditions are used for a file; otherwise, its images are always decoded
    /// from the file itself.
    private func hasRenditions(_ source: ImageSource) -> Bool {
        let whole = source.resource.pixelSize
        guard whole.width > 0, whole.height > 0, source.isCurrent else { return false }
        // An image no larger than a small rendition is decoded as fast, without loss of quality.
        return max(whole.width, whole.height) > RenditionStore.firstSizeClass
    }

    private func rendered(
        _ request: ImageRequest,
        _ source: ImageSource
    ) -> (ImageReply, ImagePixels)? {
        guard let found = stored(request, source) else { return nil }
        let pixels = RenditionPixels.make(
            jpeg: found.jpeg,
            alpha: found.alpha,
            shape: request.shape,
            of: found.whole,
            takesLarger: request.takesLarger
        )
        guard let pixels else {
            // The rendition is damaged, so it is removed and made again, unless the requested image
            // is too large.
            if RenditionPixels.canMake(PixelPlan(request.shape, of: found.whole).canvas) {
                renditions.remove(of: source.assetUUID, contentVersion: source.contentVersion)
            }
            return nil
        }
        return (ImageReply(found, pixels.description), .block(pixels.block))
    }

    /// Makes the smallest rendition that is large enough for a request, and makes the requested
    /// image from it.
    ///
    /// Returns nil if no size class is large enough.
    private func rendition(
        _ request: ImageRequest,
        _ source: ImageSource,
        _ cancellation: RequestCancellation
    ) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        let whole = source.resource.pixelSize
        let plan = PixelPlan(request.shape, of: whole)
        for sizeClass in RenditionStore.sizeClasses {
            let side = PixelSize(width: sizeClass, height: sizeClass)
            let shape = PixelShape(size: side)
            let size = PixelPlan(shape, of: whole).canvas
            guard plan.isCovered(by: size, of: whole) else { continue }
            let made = try make(shape, source, cancellation, request, sizeClass: sizeClass)
            let isReady =
                plan.canvas == size && plan.crop.size == whole
                || request.takesLarger && request.shape.takesWholes && plan.isNear(size)
            if isReady { return try reply(made, source) }
            let pixels = RenditionPixels.make(
                made.memory,
                hasAlpha: made.hasAlpha,
                plan: plan,
                whole: whole
            )
            guard let pixels else { throw Self.noMemory }
            return (
                ImageReply(
                    pixels: pixels.description,
                    hasAlpha: pixels.description.layout == .rgba,
                    isDegraded: false,
                    contentVersion: source.contentVersion,
                    path: path(of: source.resource.path),
                    damage: damage(of: made, source)
                ),
                .block(pixels.block)
            )
        }
        return nil
    }

    private func reply(
        _ made: Made,
        _ source: ImageSource
    ) throws(LibraryError) -> (ImageReply, ImagePixels) {
        let number = made.pixels.duplicated()
        guard number >= 0 else { throw Self.noMemory }
        return (
            ImageReply(
                pixels: made.pixels.description,
                hasAlpha: made.hasAlpha,
                isDegraded: false,
                contentVersion: source.contentVersion,
                path: path(of: source.resource.path),
                damage: damage(of: made, source)
            ),
            .sealed(Descriptor(owning: number))
        )
    }

    func path(of relative: String) -> String {
        finder.store.bundle.absolutePath(of: relative)
    }

    static var noMemory: LibraryError {
        LibraryError(
            .inputOutput,
            "There is not enough memory for the pixels of an image.",
            recovery: "Request a smaller size, or release images that are not shown."
        )
    }
}
