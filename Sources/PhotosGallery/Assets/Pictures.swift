internal import Foundation
internal import Photos
internal import PhotosManagement
internal import Synchronization

/// Pictures of assets, as JPEG.
///
/// The latest stay in memory as they went to a browser, so that going back in a grid costs nothing.
final class Pictures: Sendable {
    /// Which picture.
    struct Wish: Hashable, Sendable {
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

    /// Bytes of pictures that are kept.
    static let memoryLimit = 48 << 20
    /// A picture longer than that is not kept.
    private static let singleLimit = 1 << 20

    private struct Memory {
        var pictures: [Wish: Data] = [:]
        /// In the order in which they were kept.
        var order: [Wish] = []
        var next = 0
        var bytes = 0
    }

    let manager = PHImageManager()
    private let memory = Mutex(Memory())

    /// A picture; nil where nothing is there at once and nothing else was wanted.
    ///
    /// Cancelling the task cancels the request.
    func picture(_ wish: Wish, of asset: PHAsset) async throws -> Picture? {
        if let bytes = memory.withLock({ $0.pictures[wish] }) {
            return Picture(bytes: bytes, isDegraded: wish.isFast)
        }
        let options = PHImageRequestOptions()
        options.version = wish.version
        options.deliveryMode = wish.isFast ? .fastFormat : .highQualityFormat
        // An exact size has white beside a picture of another aspect, so only squares are exact.
        options.resizeMode = wish.isFast || !wish.fills ? .fast : .exact
        let side = CGFloat(wish.size)
        let size = wish.size == 0 ? PHImageManagerMaximumSize : CGSize(width: side, height: side)
        let images = manager.images(
            for: asset,
            targetSize: size,
            contentMode: wish.fills ? .aspectFill : .aspectFit,
            options: options
        )
        var last: DeliveredImage?
        for try await image in images { last = image }
        guard let last else {
            try Task.checkCancellation()
            return nil
        }
        let bytes = try await Blocking.run { last.image.jpegData(compressionQuality: 0.85) }
        guard let bytes else { throw Refusal(.failed, "The picture could not be compressed.") }
        let isDegraded = last.isDegraded || wish.isFast
        // What is only there at the moment is not what will be there.
        if !isDegraded { keep(bytes, wish) }
        return Picture(bytes: bytes, isDegraded: isDegraded)
    }

    private func keep(_ bytes: Data, _ wish: Wish) {
        guard bytes.count <= Self.singleLimit else { return }
        memory.withLock { memory in
            guard memory.pictures.updateValue(bytes, forKey: wish) == nil else { return }
            memory.order.append(wish)
            memory.bytes += bytes.count
            while memory.bytes > Self.memoryLimit, memory.next < memory.order.count {
                let oldest = memory.order[memory.next]
                memory.next += 1
                memory.bytes -= memory.pictures.removeValue(forKey: oldest)?.count ?? 0
            }
            if memory.next > 1_024, memory.next * 2 > memory.order.count {
                memory.order.removeFirst(memory.next)
                memory.next = 0
            }
        }
    }
}
