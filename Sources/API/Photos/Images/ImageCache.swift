internal import CLinuxShim
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A cache of recently delivered images, limited in bytes, with least recently used eviction.
///
/// An image answers every request that it covers, not only an equal one. Its pixels are shared with
/// the images that programs hold, so a cache hit copies nothing.
final class ImageCache: Sendable {
    /// A cache key that identifies an image's content, regardless of its size.
    private struct Subject: Hashable {
        var connection: Int
        var assetUUID: String
        var contentVersion: Int
        var version: ImageRequest.Version
        var range: PixelRange
        var generation: Int
    }

    private struct Entry {
        var image: UIImage
        var shape: PixelShape
        var bytes: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Subject: [Entry]] = [:]
        var bytes = 0
        var clock: UInt64 = 0
        var hits = 0
        var misses = 0
        var limitInBytes: Int
    }

    /// The maximum ratio of the number of pixels in a cached image to the number requested.
    ///
    /// Displaying a larger image would take longer than generating a smaller one.
    private static let generosity = 4

    static let shared = ImageCache(
        limitInBytes: 128 << 20,
        logger: Logger(label: "photos.caches")
    )

    private let state: Mutex<State>
    private let logger: Logger

    init(limitInBytes: Int, logger: Logger) {
        self.logger = logger
        state = Mutex(State(limitInBytes: limitInBytes))
    }

    /// The cache's size and limit in bytes, and its numbers of hits and misses.
    var statistics: ImageCacheStatistics {
        state.withLock { state in
            ImageCacheStatistics(
                hits: state.hits,
                misses: state.misses,
                bytes: state.bytes,
                limitInBytes: state.limitInBytes
            )
        }
    }

    /// Sets the cache's limit in bytes of pixel data, and returns the memory of evicted images to
    /// the system.
    func limit(toBytes limitInBytes: Int) {
        cphotos_keep_heap_small()
        state.withLock { state in
            state.limitInBytes = max(0, limitInBytes)
            if state.bytes > state.limitInBytes { shrink(&state) }
        }
    }

    /// Counts a cache hit or a miss.
    func count(isHit: Bool) {
        state.withLock { state in
            if isHit { state.hits += 1 } else { state.misses += 1 }
        }
    }

    /// Returns a cached image that satisfies a request, or nil if there is none.
    func image(for specification: ImageSpecification) -> UIImage? {
        let subject = Self.subject(specification)
        return state.withLock { state in
            guard var entries = state.entries[subject],
                let index = entries.firstIndex(where: { Self.does($0, for: specification) })
            else { return nil }
            state.clock += 1
            entries[index].lastUse = state.clock
            state.entries[subject] = entries
            return entries[index].image
        }
    }

    /// Caches an image together with the size, crop and fitting that its request specified.
    ///
    /// Images of more than a quarter of the limit are not cached. Damaged images are not cached
    /// either, because each request must report the damage.
    func keep(
        _ image: UIImage,
        for specification: ImageSpecification,
        _ reply: ImageReply
    ) {
        guard let pixels = image.cgImage, reply.damage == nil else { return }
        let bytes = pixels.bytesPerRow * pixels.height
        var subject = Self.subject(specification)
        subject.contentVersion = reply.contentVersion
        state.withLock { state in
            guard bytes <= state.limitInBytes / 4 else { return }
            state.clock += 1
            let entry = Entry(
                image: image,
                shape: specification.shape,
                bytes: bytes,
                lastUse: state.clock
            )
            var entries = state.entries[subject] ?? []
            if let same = entries.firstIndex(where: { $0.shape == entry.shape }) {
                state.bytes -= entries[same].bytes
                entries.remove(at: same)
            }
            entries.append(entry)
            state.entries[subject] = entries
            state.bytes += bytes
            if state.bytes > state.limitInBytes { shrink(&state) }
        }
    }

    /// Removes the images of assets whose content changed.
    ///
    /// A client that still holds an asset from before the change also receives the current content.
    func remove(_ assets: Set<String>, of connection: LibraryConnection) {
        state.withLock { state in
            for (subject, entries) in state.entries
            where subject.connection == connection.number && assets.contains(subject.assetUUID) {
                state.bytes -= entries.reduce(0) { $0 + $1.bytes }
                state.entries[subject] = nil
            }
        }
    }

    /// Removes all images, and returns the freed memory to the system.
    ///
    /// Images that the program still holds stay in memory.
    func removeAll() {
        let former = state.withLock { state in
            defer { (state.entries, state.bytes) = ([:], 0) }
            return state.bytes
        }
        cphotos_trim_heap()
        if former > 0 { record(freed: former, bytes: 0) }
    }

    /// Evicts the least recently used images until the cache takes at most three quarters of its
    /// limit.
    ///
    /// Evicting more images than necessary makes such passes rare.
    private func shrink(_ state: inout State) {
        let former = state.bytes
        defer { record(freed: former - state.bytes, bytes: state.bytes) }
        let uses = state.entries.values.joined().map { ($0.lastUse, $0.bytes) }.sorted {
            $0.0 < $1.0
        }
        var excess = state.bytes - state.limitInBytes / 4 * 3
        var newest: UInt64 = 0
        for (use, size) in uses where excess > 0 {
            excess -= size
            newest = use
        }
        for (subject, entries) in state.entries {
            let kept = entries.filter { $0.lastUse > newest }
            guard kept.count < entries.count else { continue }
            state.bytes -= entries.reduce(0) { $0 + ($1.lastUse > newest ? 0 : $1.bytes) }
            state.entries[subject] = kept.isEmpty ? nil : kept
        }
    }

    private func record(freed: Int, bytes: Int) {
        logger.debug(
            "A cache was trimmed.",
            metadata: [
                "cache.name": "images", "cache.freed": "\(freed)", "cache.bytes": "\(bytes)",
            ]
        )
    }

    private static func subject(_ specification: ImageSpecification) -> Subject {
        Subject(
            connection: specification.connection.number,
            assetUUID: specification.record.uuid,
            contentVersion: specification.record.contentVersion,
            version: specification.version,
            range: specification.range,
            generation: specification.generation
        )
    }

    private static func does(_ entry: Entry, for wanted: ImageSpecification) -> Bool {
        if entry.shape == wanted.shape { return true }
        guard wanted.takesLarger, wanted.shape.size != nil, wanted.shape.crop == nil,
            entry.shape.crop == nil, entry.shape.fitting == .fit || entry.shape.fitting == .fill,
            let pixels = entry.image.cgImage, wanted.record.pixelSize.width > 0,
            wanted.record.pixelSize.height > 0
        else { return false }
        let plan = PixelPlan(wanted.shape, of: wanted.record.pixelSize)
        return pixels.width >= plan.scaled.width && pixels.height >= plan.scaled.height
            && pixels.width * pixels.height <= plan.scaled.width * plan.scaled.height * generosity
    }
}

/// The size and limit in bytes of an image cache, and its numbers of hits and misses.
package struct ImageCacheStatistics: Hashable, Sendable {
    package var hits: Int
    package var misses: Int
    package var bytes: Int
    package var limitInBytes: Int
}
