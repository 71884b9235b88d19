internal import Foundation
package import LibraryService
package import PhotoLibrary
internal import PhotoModel
internal import RenditionCodec
internal import Synchronization
package import WorkerClient
internal import WorkerProtocol

/// Answers requests for pictures: from a rendition where one covers what is wanted, else from the
/// asset's file, of which a rendition is made in passing.
///
/// Foreign bytes are decoded by workers only; the library's own small JPEGs in this process.
/// Thread-safe; calls block their thread.
package final class ImageMaker: Sendable {
    /// The JPEG quality of renditions.
    private static let renditionQuality = 85

    /// One picture that workers make.
    private struct WorkKey: Hashable, Sendable {
        var resourceUUID: String
        var contentVersion: Int
        var shape: PixelShape
    }

    /// What a worker made.
    private struct Made: Sendable {
        var pixels: SealedPixels
        var memory: PixelMemory
        var hasAlpha: Bool
    }

    private let finder: ImageSourceFinder
    private let resources: ResourceReader
    private let renditions: RenditionStore
    private let workers: WorkerPool
    private let inFlight = InFlight<WorkKey, Made>()
    private let tickets = Mutex<[String: RequestCancellation]>([:])

    package init(
        store: LibraryStore,
        resources: ResourceReader,
        renditions: RenditionStore,
        workers: WorkerPool
    ) {
        finder = ImageSourceFinder(store: store, resources: resources)
        self.resources = resources
        self.renditions = renditions
        self.workers = workers
    }

    // MARK: - Requests

    /// A picture, and the sealed memory of its pixels; nil when it was to be at hand and none is.
    ///
    /// - Throws: `LibraryError`: why there is no picture, or `cancelled`.
    package func image(_ request: ImageRequest) throws -> (ImageReply, Descriptor)? {
        let cancellation = RequestCancellation()
        if let ticket = request.ticket {
            tickets.withLock { $0[ticket] = cancellation }
        }
        defer {
            if let ticket = request.ticket {
                tickets.withLock { $0[ticket] = nil }
            }
        }
        let source = try finder.find(request.assetUUID, request.version)
        let whole = source.resource.pixelSize
        let hasPlan = whole.width > 0 && whole.height > 0 && request.shape.size != nil
        if hasPlan, source.isCurrent {
            let plan = PixelPlan(request.shape, of: whole)
            if let answer = rendered(request, source, plan, whole) { return answer }
            if request.quality != .full { return nil }
            if let answer = try rendition(request, source, plan, whole, cancellation) {
                return answer
            }
        }
        if request.quality != .full { return nil }
        let made = try make(request.shape, source, cancellation)
        return try reply(made, source)
    }

    /// Stops requests; unknown ones are harmless.
    package func cancel(_ request: ImageCancelRequest) {
        let found = tickets.withLock { tickets in request.tickets.compactMap { tickets[$0] } }
        for cancellation in found { cancellation.cancel() }
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
            path: path(of: opened.resource),
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
    ) -> (ImageReply, Descriptor)? {
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
                found.jpeg,
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
                path: path(of: source.resource)
            ),
            Descriptor(owning: pixels.descriptor)
        )
    }

    /// Makes the smallest rendition that covers the plan, and the picture of it; nil when none does.
    private func rendition(
        _ request: ImageRequest,
        _ source: ImageSource,
        _ plan: PixelPlan,
        _ whole: PixelSize,
        _ cancellation: RequestCancellation
    ) throws(LibraryError) -> (ImageReply, Descriptor)? {
        for sizeClass in RenditionStore.sizeClasses {
            let side = PixelSize(width: sizeClass, height: sizeClass)
            let shape = PixelShape(size: side)
            let size = PixelPlan(shape, of: whole).canvas
            guard plan.isCovered(by: size, of: whole) else { continue }
            let made = try make(shape, source, cancellation, sizeClass: sizeClass)
            let isReady =
                plan.canvas == size && plan.crop.size == whole
                || request.takesLarger && request.shape.takesWholes && plan.isNear(size)
            if isReady { return try reply(made, source) }
            // Scaling what is partly transparent is the worker's.
            guard !made.hasAlpha else { return nil }
            guard let pixels = RenditionPixels.make(made.memory, plan: plan, whole: whole) else {
                throw Self.noMemory
            }
            return (
                ImageReply(
                    pixels: pixels.description,
                    hasAlpha: pixels.description.layout == .rgba,
                    isDegraded: false,
                    contentVersion: source.contentVersion,
                    path: path(of: source.resource)
                ),
                Descriptor(owning: pixels.descriptor)
            )
        }
        return nil
    }

    private func reply(
        _ made: Made,
        _ source: ImageSource
    ) throws(LibraryError) -> (ImageReply, Descriptor) {
        let number = made.pixels.duplicated()
        guard number >= 0 else { throw Self.noMemory }
        return (
            ImageReply(
                pixels: made.pixels.description,
                hasAlpha: made.hasAlpha,
                isDegraded: false,
                contentVersion: source.contentVersion,
                path: path(of: source.resource)
            ),
            Descriptor(owning: number)
        )
    }

    // MARK: - From files

    private func make(
        _ shape: PixelShape,
        _ source: ImageSource,
        _ cancellation: RequestCancellation,
        sizeClass: Int? = nil
    ) throws(LibraryError) -> Made {
        let key = WorkKey(
            resourceUUID: source.resource.uuid,
            contentVersion: source.contentVersion,
            shape: shape
        )
        return try inFlight.value(for: key, cancellation: cancellation) {
            (stopping: WorkCancellation) throws(LibraryError) in
            let made = try decode(shape, source, stopping)
            if let sizeClass, !made.hasAlpha { keep(made, source, sizeClass) }
            return made
        }
    }

    private func decode(
        _ shape: PixelShape,
        _ source: ImageSource,
        _ cancellation: WorkCancellation
    ) throws(LibraryError) -> Made {
        let file: Descriptor
        do {
            (_, file) = try resources.open(
                ResourceOpenRequest(resourceUUID: source.resource.uuid)
            )
        } catch {
            throw error as? LibraryError ?? LibraryError(.inputOutput, "\(error)")
        }
        let request = DecodeRequest(shape: shape, layout: .rgba)
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
            // Many pictures have an alpha channel in which there is nothing to see.
            let hasAlpha = facts.hasAlpha && !memory.isOpaque
            return Made(pixels: pixels, memory: memory, hasAlpha: hasAlpha)
        case .cancelled:
            throw LibraryError(.cancelled, "The request for a picture was cancelled.")
        case .unsupported(let reason), .failed(let reason):
            throw LibraryError(
                .invalidResource,
                "The picture of “\(source.resource.originalFilename)” can't be decoded.",
                reason: reason,
                recovery: "Its file can still be exported as it is: photos export "
                    + "\(source.assetUUID).",
                path: path(of: source.resource),
                identifiers: [source.assetUUID + ObjectKind.asset.identifierSuffix]
            )
        }
    }

    private func keep(_ made: Made, _ source: ImageSource, _ sizeClass: Int) {
        let size = made.memory.description.size
        let jpeg = try? made.memory.withBytes { bytes in
            try JPEGEncoder(quality: Self.renditionQuality).encode(
                PixelRows(bytes: bytes, size: size, layout: .rgbx)
            )
        }
        guard let jpeg else { return }
        renditions.store(
            jpeg,
            width: size.width,
            height: size.height,
            origin: .content,
            for: RenditionStore.Key(
                assetUUID: source.assetUUID,
                contentVersion: source.contentVersion,
                sizeClass: sizeClass
            )
        )
    }

    private func path(of resource: ResourceRecord) -> String {
        finder.store.bundle.absolutePath(of: resource.path)
    }

    private static var noMemory: LibraryError {
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

extension PixelMemory {
    /// Whether every fourth byte is 255.
    var isOpaque: Bool {
        guard description.layout == .rgba else { return true }
        return withBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            // The least significant byte comes first: alpha is the most significant.
            return pixels.allSatisfy { $0 >= 0xff00_0000 }
        }
    }
}
