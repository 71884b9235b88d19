internal import Foundation
package import LibraryService
package import PhotoLibrary
internal import PhotoModel
internal import Synchronization
package import WorkerClient
internal import WorkerProtocol

/// Answers requests for pictures: from a rendition where one covers what is wanted, else from the
/// asset's file, of which a rendition is made in passing.
///
/// Foreign bytes are decoded by workers only; the library's own small JPEGs in this process.
/// Thread-safe; calls block their thread.
package final class ImageLoader: Sendable {
    /// One picture that workers make.
    struct WorkKey: Hashable, Sendable {
        var resourceUUID: String
        var contentVersion: Int
        var shape: PixelShape
        var range: PixelRange
    }

    /// What a worker made.
    struct Made: Sendable {
        var pixels: SealedPixels
        var memory: PixelMemory
        var hasAlpha: Bool
        /// Why a part of it is missing.
        var damage: String?
        /// Whether a rendition was kept of it.
        var isKept = false
    }

    let finder: ImageSourceFinder
    let resources: ResourceFetcher
    let renditions: RenditionStore
    let workers: WorkerPool
    let coalescer = RequestCoalescer<WorkKey, Made>()
    private let tickets = RequestTickets()

    package init(
        store: LibraryStore,
        resources: ResourceFetcher,
        renditions: RenditionStore,
        workers: WorkerPool
    ) {
        finder = ImageSourceFinder(store: store, resources: resources)
        self.resources = resources
        self.renditions = renditions
        self.workers = workers
    }

    // MARK: - Requests

    /// A picture and its pixels; nil when it was to be at hand and none is.
    ///
    /// - Throws: `LibraryError`: why there is no picture, or `cancelled`.
    package func image(_ request: ImageRequest) throws -> (ImageReply, ImagePixels)? {
        try cancellable(request.ticket) { try image(request, $0) }
    }

    /// Runs `body` with what a ticket cancels.
    func cancellable<Result>(
        _ ticket: String?,
        _ body: (RequestCancellation) throws -> Result
    ) rethrows -> Result {
        let cancellation = RequestCancellation()
        guard let ticket else { return try body(cancellation) }
        tickets.register(cancellation, for: ticket)
        defer { tickets.forget(cancellation, of: ticket) }
        return try body(cancellation)
    }

    private func image(
        _ request: ImageRequest,
        _ cancellation: RequestCancellation
    ) throws -> (ImageReply, ImagePixels)? {
        let source = try finder.find(request.assetUUID, request.version)
        let whole = source.resource.pixelSize
        let hasPlan = whole.width > 0 && whole.height > 0 && request.shape.size != nil
        // A picture no larger than a small rendition is decoded as quickly, and loses nothing.
        let isLarge = max(whole.width, whole.height) > RenditionStore.firstSizeClass
        if hasPlan, isLarge, source.isCurrent {
            let plan = PixelPlan(request.shape, of: whole)
            // Renditions have the range of a plain screen: they stand in, and are not the picture.
            let isPlain = request.range == .standard
            if isPlain || request.quality == .atHand,
                var answer = rendered(request, source, plan, whole)
            {
                if !isPlain { answer.0.isDegraded = true }
                return answer
            }
            if request.quality != .full { return nil }
            if isPlain,
                let answer = try rendition(request, source, plan, whole, cancellation)
            {
                return answer
            }
        }
        if request.quality != .full { return nil }
        let made = try make(request.shape, source, cancellation, request)
        return try reply(made, source)
    }

    /// Stops requests, also those that arrive later than their cancellation.
    package func cancel(_ request: ImageCancelRequest) {
        for ticket in request.tickets { tickets.cancel(ticket) }
    }

    /// The file of a picture, open for reading, and how it says that it is turned.
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
                // What can't be read is handed out all the same: the bytes were asked for.
                if case .facts(let facts, _) = answer { orientation = facts.orientation }
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

    // MARK: - From renditions

    private func rendered(
        _ request: ImageRequest,
        _ source: ImageSource,
        _ plan: PixelPlan,
        _ whole: PixelSize
    ) -> (ImageReply, ImagePixels)? {
        let found = renditions.rendition(
            of: source.assetUUID,
            contentVersion: source.contentVersion,
            covers: { plan.isCovered(by: $0, of: whole) },
            takesAny: request.quality == .atHand
        )
        guard let found else { return nil }
        let isEnough = plan.isCovered(by: found.size, of: whole)
        let wanted = isEnough ? plan : plan.reduced(to: found.size, of: whole)
        guard
            let pixels = RenditionPixels.make(
                found,
                plan: wanted,
                whole: whole,
                takesLarger: request.takesLarger && request.shape.takesWholes
            )
        else {
            // Damaged, whatever did it: it is made again.
            renditions.remove(of: source.assetUUID, contentVersion: source.contentVersion)
            return nil
        }
        return (
            ImageReply(
                pixels: pixels.description,
                hasAlpha: pixels.description.layout == .rgba,
                isDegraded: !isEnough,
                contentVersion: source.contentVersion,
                path: path(of: source.resource.path)
            ),
            .block(pixels.block)
        )
    }

    /// Makes the smallest rendition that covers the plan, and the picture of it; nil when none does.
    private func rendition(
        _ request: ImageRequest,
        _ source: ImageSource,
        _ plan: PixelPlan,
        _ whole: PixelSize,
        _ cancellation: RequestCancellation
    ) throws(LibraryError) -> (ImageReply, ImagePixels)? {
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
            "There is no memory for the pixels of a picture.",
            recovery: "Ask for a smaller size, or let pictures go that are not shown."
        )
    }
}

extension PixelShape {
    /// Whether a larger picture of the whole can stand in for what is asked.
    var takesWholes: Bool { crop == nil && (fitting == .fit || fitting == .fill) }
}

extension PixelPlan {
    /// Whether a size has not many more pixels than the result: handing them out costs less than
    /// scaling them.
    func isNear(_ size: PixelSize) -> Bool {
        size.width * size.height <= scaled.width * scaled.height * 2
    }

    /// The same part of the picture, with as many pixels as a small copy has.
    func reduced(to copy: PixelSize, of whole: PixelSize) -> PixelPlan {
        let part = moved(from: whole, to: copy).crop.size
        var plan = self
        let shape = PixelShape(size: scaled, fitting: .fit)
        plan.scaled = PixelPlan(shape, of: part).canvas
        plan.canvas = plan.scaled
        return plan
    }
}
