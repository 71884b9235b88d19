public import Foundation
internal import PhotoModel
internal import Synchronization

/// An image manager that prepares images before they are requested, such as for a scrolling grid.
///
/// Prepared images share the memory cache with delivered ones, up to 128 MiB in total, and the
/// least recently used images are evicted first. The cache answers a request whenever an image
/// covers it, not only if size and options are equal.
///
/// Starting and stopping return almost immediately. Requested images take priority over those that
/// are only cached.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {
    // Unchecked because the class is open. It stores a Mutex, an atomic and a queue.

    private let cachings = Mutex<[String: CachingTask]>([:])
    private let cachesHighQuality = Atomic(true)
    // Keeps starts and stops in order, off the caller's thread.
    private let queue = DispatchQueue(label: "photos.images.caching.orders")

    /// Creates a manager that caches no images yet.
    public override init() {
        super.init()
    }

    deinit {
        for caching in cachings.withLock({ $0.values }) { caching.stop() }
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
                if let caching { caching.stop() }
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
            for caching in all { caching.stop() }
        }
    }

    private func start(_ specification: ImageSpecification, isHighQuality: Bool) {
        let identifier = specification.record.localIdentifier
        let task = cachings.withLock { cachings -> CachingTask? in
            guard cachings[identifier] == nil else { return nil }
            let task = CachingTask(specification, isHighQuality: isHighQuality)
            cachings[identifier] = task
            return task
        }
        task?.start()
    }
}
