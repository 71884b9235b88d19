internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// Pictures of assets, as JPEG.
///
/// The latest stay in memory as they went to a browser, so that going back in a grid costs nothing.
final class Pictures: Sendable {
    /// A picture of an asset: its size, shape and version.
    struct Variant: Hashable, Sendable {
        var uuid: String
        /// The asset's content version.
        var content: Int
        /// Pixels of the longer side, which may be some more or what there is, or of the square; 0 for
        /// all there are.
        var size: Int
        var fills: Bool
        var isFast: Bool
        var version: PHImageRequestOptionsVersion
    }

    /// A picture that is ready to be sent.
    struct Picture: Sendable {
        let bytes: Data
        let isDegraded: Bool
    }

    /// The subject of a variant, whatever its size.
    private struct Subject: Hashable {
        var uuid: String
        var content: Int
        var version: PHImageRequestOptionsVersion

        init(_ variant: Variant) {
            (uuid, content, version) = (variant.uuid, variant.content, variant.version)
        }
    }

    /// The number of refusals that are remembered; then all of them are forgotten.
    private static let failureLimit = 10_000

    /// Bytes of pictures that are kept, and of what it takes to find them.
    static let memoryLimit = 32 << 20
    /// About the bytes that a kept picture takes besides its own.
    private static let entrySize = 512
    /// Bytes of pixels that image managers keep: enough for what is asked for twice at the same time, since
    /// what was sent is kept above.
    private static let pixelLimit = 16 << 20
    /// A picture longer than that is not kept.
    private static let singleLimit = 1 << 20

    private struct Memory {
        var pictures: [Variant: Data] = [:]
        /// In the order in which they were kept.
        var order: [Variant] = []
        var next = 0
        var bytes = 0
        /// The reasons why pictures cannot be decoded; their bytes stay, so no worker tries them again.
        var failures: [Subject: RequestError] = [:]
    }

    let manager = PHImageManager()
    let large = LargePictures()
    private let memory = Mutex(Memory())

    init() {
        PHImageManager.limitCachedImages(toBytes: Self.pixelLimit)
    }

    /// A picture; nil where nothing is there at once and nothing else was wanted.
    ///
    /// Cancelling the task cancels the request.
    ///
    /// - Throws: ``RequestError`` with `unreadable` for a picture that cannot be decoded: at once where that is
    ///   known of the asset's content version.
    func picture(_ variant: Variant, of asset: PHAsset) async throws -> Picture? {
        let (known, requestError) = memory.withLock { memory in
            (memory.pictures[variant], memory.failures[Subject(variant)])
        }
        if let requestError { throw requestError }
        if let known { return Picture(bytes: known, isDegraded: variant.isFast) }
        do {
            return try await make(variant, of: asset)
        } catch let error as PHPhotosError {
            var requestError = RequestError(error)
            guard requestError.code == .unreadable else { throw requestError }
            requestError.recovery = "Its file is unchanged and can be downloaded."
            remember(requestError, Subject(variant))
            throw requestError
        }
    }

    private func make(_ variant: Variant, of asset: PHAsset) async throws -> Picture? {
        let options = PHImageRequestOptions()
        options.version = variant.version
        options.deliveryMode = variant.isFast ? .fastFormat : .highQualityFormat
        // An exact size has white beside a picture of another aspect, so only squares are exact.
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
        let bytes = try await Blocking.run { last.image.jpegData(compressionQuality: 0.85) }
        guard let bytes else { throw RequestError(.failed, "The picture could not be compressed.") }
        let isDegraded = last.isDegraded || variant.isFast
        // What is only there at the moment is not what will be there.
        if !isDegraded { keep(bytes, variant) }
        return Picture(bytes: bytes, isDegraded: isDegraded)
    }

    private func remember(_ requestError: RequestError, _ subject: Subject) {
        memory.withLock { memory in
            if memory.failures.count >= Self.failureLimit { memory.failures = [:] }
            memory.failures[subject] = requestError
        }
    }

    private func keep(_ bytes: Data, _ variant: Variant) {
        guard bytes.count <= Self.singleLimit else { return }
        memory.withLock { memory in
            guard memory.pictures.updateValue(bytes, forKey: variant) == nil else { return }
            memory.order.append(variant)
            memory.bytes += bytes.count + Self.entrySize
            while memory.bytes > Self.memoryLimit, memory.next < memory.order.count {
                let oldest = memory.order[memory.next]
                memory.next += 1
                guard let removed = memory.pictures.removeValue(forKey: oldest) else { continue }
                memory.bytes -= removed.count + Self.entrySize
            }
            if memory.next > 1_024, memory.next * 2 > memory.order.count {
                memory.order.removeFirst(memory.next)
                memory.next = 0
            }
        }
    }
}
