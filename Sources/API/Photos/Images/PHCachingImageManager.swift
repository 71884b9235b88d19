public import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Prepares images before they are requested, such as those that a grid is about to show.
///
/// Prepared images share the memory cache with delivered ones, up to 128 MiB in total, and the
/// least recently used images are evicted first. The cache answers a request whenever an image
/// covers it, not only if size and options are equal.
///
/// Starting and stopping return almost immediately. Requested images take priority over those that
/// are only cached.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {
    // Unchecked because the class is open. It stores a Mutex, an atomic and a queue.

    /// An image that is cached or will be cached.
    private struct Caching: Sendable {
        let specification: ImageSpecification
        let ticket: CallTicket
        let place: Int
    }

    /// The queue that prepares one image at a time, which leaves the other worker free for
    /// requests.
    ///
    /// It yields to requests for readily available images.
    private static let workQueue = WorkQueue(
        label: "photos.images.caching",
        width: 1,
        yieldingTo: ImageTask.quick
    )

    private let cachings = Mutex<[String: Caching]>([:])
    private let cachesHighQuality = Atomic(true)
    // Keeps starts and stops in order, off the caller's thread.
    private let queue = DispatchQueue(label: "photos.images.caching.orders")

    /// Creates a manager that caches no images yet.
    public override init() {
        super.init()
    }

    deinit {
        for caching in cachings.withLock({ $0.values }) { Self.stop(caching) }
    }

    /// Indicates whether images are cached at the requested quality; the default is true.
    ///
    /// If false, the manager prepares only the small images that opportunistic requests deliver
    /// first. This takes a fraction of the work and suits very fast scrolling.
    open var allowsCachingHighQualityImages: Bool {
        get { cachesHighQuality.load(ordering: .relaxed) }
        set { cachesHighQuality.store(newValue, ordering: .relaxed) }
    }

    /// Starts preparing the images that requests with these arguments would return.
    ///
    /// An asset that is already being cached keeps its arguments until its caching is stopped.
    open func startCachingImages(
        for assets: [PHAsset],
        targetSize: CGSize,
        contentMode: PHImageContentMode,
        options: PHImageRequestOptions?
    ) {
        let options = options.flatMap { $0.copy() as? PHImageRequestOptions }
        let order = Unchecked(value: (assets, options))
        let isHighQuality = allowsCachingHighQualityImages
        queue.async { [self] in
            for asset in order.value.0 {
                let specification = ImageSpecification(
                    asset,
                    targetSize: targetSize,
                    contentMode: contentMode,
                    options: order.value.1
                )
                if let specification { start(specification, isHighQuality: isHighQuality) }
            }
        }
    }

    /// Stops preparing images of assets; images already prepared stay in the cache while there is
    /// room.
    ///
    /// All arguments except the first are ignored, because an asset is cached in only one way at a
    /// time.
    open func stopCachingImages(
        for assets: [PHAsset],
        targetSize: CGSize,
        contentMode: PHImageContentMode,
        options: PHImageRequestOptions?
    ) {
        queue.async { [self] in
            for asset in assets {
                let caching = cachings.withLock { $0.removeValue(forKey: asset.localIdentifier) }
                if let caching { Self.stop(caching) }
            }
        }
    }

    /// Stops preparing images of all assets.
    open func stopCachingImagesForAllAssets() {
        queue.async { [self] in
            let all = cachings.withLock { cachings in
                defer { cachings = [:] }
                return cachings.values
            }
            for caching in all { Self.stop(caching) }
        }
    }

    private func start(_ specification: ImageSpecification, isHighQuality: Bool) {
        let identifier = specification.record.localIdentifier
        guard cachings.withLock({ $0[identifier] == nil }) else { return }
        let ticket = CallTicket()
        let place = Self.workQueue.add {
            Self.make(specification, ticket: ticket, isHighQuality: isHighQuality)
        }
        cachings.withLock {
            $0[identifier] = Caching(
                specification: specification,
                ticket: ticket,
                place: place
            )
        }
    }

    private static func stop(_ caching: Caching) {
        workQueue.remove(caching.place)
        let service = try? caching.specification.connection.service()
        try? service?.cancel(CancelRequest(tickets: [caching.ticket]))
    }

    /// Prepares an image, and ignores errors because a later request for the image reports them.
    private static func make(
        _ specification: ImageSpecification,
        ticket: CallTicket,
        isHighQuality: Bool
    ) {
        guard ImageCache.shared.image(for: specification) == nil else { return }
        guard isHighQuality else {
            let small = PixelShape(size: PixelSize(width: 256, height: 256))
            let request = specification.request(
                .full,
                shape: small,
                range: .standard,
                priority: .prefetch,
                ticket: ticket
            )
            _ = try? specification.connection.service().image(request)
            return
        }
        let answer = try? ImageTask.answer(
            specification.request(.full, priority: .prefetch, ticket: ticket),
            specification
        )
        guard let (image, reply) = answer else { return }
        ImageCache.shared.keep(image, for: specification, reply)
    }
}
