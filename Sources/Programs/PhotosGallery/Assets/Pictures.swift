internal import Foundation
internal import NIOCore
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// Renders and caches JPEG images of assets.
///
/// The latest images stay in memory, as they were sent to a browser, so that scrolling back in a
/// grid needs no rendering.
final class Pictures: Sendable {
    /// The parameters of an image: its asset, size, shape and version.
    struct Variant: Hashable, Sendable {
        var uuid: String
        /// The asset's content version.
        var content: Int
        /// The longer side in pixels or, if the image fills a square, the side of the square; 0 for
        /// full size.
        ///
        /// The image can be somewhat larger than this, or smaller if the asset is.
        var size: Int
        var fills: Bool
        var isFast: Bool
        var version: PHImageRequestOptionsVersion

        /// The minimum size, in pixels, of an image for the viewer; smaller images are for a grid.
        private static let viewerSize = 1_024

        /// Indicates whether files that are only in the cloud may be downloaded for the image.
        ///
        /// They are not downloaded for images of a grid.
        var mayDownload: Bool {
            !isFast && !fills && (size == 0 || size >= Self.viewerSize)
        }
    }

    /// An encoded image that is ready to be sent.
    struct Picture: Sendable {
        let bytes: ByteBuffer
        let isDegraded: Bool
    }

    /// The key of a remembered failure, which applies to all sizes of an image.
    ///
    /// It consists of the asset, the asset's content version, and the requested version, such as
    /// the original.
    private struct Subject: Hashable {
        var uuid: String
        var content: Int
        var version: PHImageRequestOptionsVersion

        init(_ variant: Variant) {
            (uuid, content, version) = (variant.uuid, variant.content, variant.version)
        }
    }

    /// The maximum number of remembered failures; all are removed when the limit is reached.
    private static let failureLimit = 10_000

    /// The maximum size of the cache, in bytes, including its index entries.
    static let memoryLimit = 32 << 20
    /// The approximate size of an index entry, in bytes.
    private static let entrySize = 512
    /// The maximum size, in bytes, of the decoded pixels that image managers cache.
    ///
    /// This is enough for concurrent requests of the same image. Images that were sent are cached
    /// as JPEG files instead.
    private static let pixelLimit = 16 << 20
    /// The maximum size of a single cached image, in bytes.
    private static let singleLimit = 1 << 20

    private struct Memory {
        var pictures: [Variant: ByteBuffer] = [:]
        /// The keys of the cached images, in the order in which they were added.
        var order: [Variant] = []
        var next = 0
        var bytes = 0
        /// The errors of images that cannot be decoded.
        ///
        /// Their bytes do not change, so workers do not try again.
        var failures: [Subject: RequestError] = [:]
    }

    let manager = PHImageManager()
    let large = LargePictures()
    private let memory = Mutex(Memory())

    init() {
        PHImageManager.limitCachedImages(toBytes: Self.pixelLimit)
    }

    /// Returns an image, from the cache or rendered.
    ///
    /// Returns nil if only an immediately available image was requested and there is none.
    /// Cancelling the task cancels the request.
    ///
    /// - Parameters:
    ///   - variant: The parameters of the image.
    ///   - asset: The asset of the image.
    ///   - library: The view of the library in which the asset was found.
    ///   - progress: A closure that receives the fractions of a download, on any thread.
    /// - Returns: The image.
    /// - Throws: ``RequestError`` with `unreadable` for an image that cannot be decoded. It is
    ///   thrown immediately if the asset's content version is known to be unreadable.
    func picture(
        _ variant: Variant,
        of asset: PHAsset,
        in library: PhotoLibraryBundle,
        progress: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) async throws -> Picture? {
        if let known = cached(variant) { return known }
        let requestError = memory.withLock { $0.failures[Subject(variant)] }
        if let requestError { throw requestError }
        do {
            if let stored = try await stored(variant, of: asset, in: library) { return stored }
            return try await make(variant, of: asset, progress)
        } catch let error as PHPhotosError {
            var requestError = RequestError(error)
            guard requestError.code == .unreadable else { throw requestError }
            requestError.recovery = "The file is unchanged and can be downloaded."
            remember(requestError, Subject(variant))
            throw requestError
        }
    }

    /// Returns an image from the cache; nil if it has to be rendered.
    func cached(_ variant: Variant) -> Picture? {
        let known = memory.withLock { $0.pictures[variant] }
        return known.map { Picture(bytes: $0, isDegraded: variant.isFast) }
    }

    /// Returns the stored thumbnail of an asset; nil if it is missing, outdated or not sufficient
    /// for the request.
    ///
    /// A thumbnail is sufficient if a fast result of the current version is requested, in at most
    /// grid size.
    ///
    /// The thumbnail is not encoded again. The browser crops and scales it, which takes less time
    /// than decoding and encoding it here.
    private func stored(
        _ variant: Variant,
        of asset: PHAsset,
        in library: PhotoLibraryBundle
    ) async throws -> Picture? {
        let largest = LibraryRenditions.Size.grid.rawValue
        guard variant.isFast, variant.version == .current, (1...largest).contains(variant.size)
        else { return nil }
        let found = try await Blocking.run {
            try LibraryRenditions(library: library).thumbnail(for: asset.localIdentifier)
        }
        guard let found, found.contentVersion == variant.content else { return nil }
        let bytes = ByteBuffer(bytes: found.jpeg)
        if found.isFinal { keep(bytes, variant) }
        return Picture(bytes: bytes, isDegraded: true)
    }

    private func make(
        _ variant: Variant,
        of asset: PHAsset,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Picture? {
        let options = PHImageRequestOptions()
        options.version = variant.version
        options.isNetworkAccessAllowed = variant.mayDownload
        options.progressHandler = { fraction, _, _, _ in progress(fraction) }
        options.deliveryMode = variant.isFast ? .fastFormat : .highQualityFormat
        // An exact size adds white margins around a picture of another aspect ratio, so only
        // squares are exact.
        options.resizeMode = variant.isFast || !variant.fills ? .fast : .exact
        let side = CGFloat(variant.size)
        let size = variant.size == 0 ? PHImageManagerMaximumSize : CGSize(width: side, height: side)
        let images = manager.images(
            for: asset,
            targetSize: size,
            contentMode: variant.fills ? .aspectFill : .aspectFit,
            options: options
        )
        var last: DeliveredImage?
        for try await image in images { last = image }
        guard let last else {
            try Task.checkCancellation()
            return nil
        }
        let data = try await Blocking.run { last.image.jpegData(compressionQuality: 0.85) }
        guard let data else { throw RequestError(.failed, "The picture could not be compressed.") }
        let bytes = ByteBuffer(bytes: data)
        let isDegraded = last.isDegraded || variant.isFast
        // A degraded image is replaced later, so it is not cached.
        if !isDegraded { keep(bytes, variant) }
        return Picture(bytes: bytes, isDegraded: isDegraded)
    }

    private func remember(_ requestError: RequestError, _ subject: Subject) {
        memory.withLock { memory in
            if memory.failures.count >= Self.failureLimit { memory.failures = [:] }
            memory.failures[subject] = requestError
        }
    }

    private func keep(_ bytes: ByteBuffer, _ variant: Variant) {
        guard bytes.readableBytes <= Self.singleLimit else { return }
        memory.withLock { memory in
            guard memory.pictures.updateValue(bytes, forKey: variant) == nil else { return }
            memory.order.append(variant)
            memory.bytes += bytes.readableBytes + Self.entrySize
            while memory.bytes > Self.memoryLimit, memory.next < memory.order.count {
                let oldest = memory.order[memory.next]
                memory.next += 1
                guard let removed = memory.pictures.removeValue(forKey: oldest) else { continue }
                memory.bytes -= removed.readableBytes + Self.entrySize
            }
            if memory.next > 1_024, memory.next * 2 > memory.order.count {
                memory.order.removeFirst(memory.next)
                memory.next = 0
            }
        }
    }
}
