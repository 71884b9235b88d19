public import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Makes pictures before they are asked for, such as those that a grid is about to show.
///
/// They are kept with what image managers delivered, up to 128 MiB in all: what was not asked for
/// longest goes first. A request is answered from there whenever a picture covers it, not only when
/// its size and options are the same.
///
/// Starting and stopping cost the caller next to nothing. Pictures that were asked for come before
/// those that are only cached.
open class PHCachingImageManager: PHImageManager, @unchecked Sendable {
    // Unchecked because the class is open; what it stores are a Mutex, an atomic and a queue.

    /// One picture that is, or will be, cached.
    private struct Caching: Sendable {
        let specification: ImageSpecification
        let ticket: String
        let place: Int
    }

    /// Caches one picture at a time: the other worker stays free for what is asked for.
    ///
    /// What is at hand for somebody who looks is brought first.
    private static let workQueue = WorkQueue(
        label: "photos.images.caching",
        width: 1,
        yieldingTo: ImageTask.quick
    )

    private let cachings = Mutex<[String: Caching]>([:])
    private let cachesHighQuality = Atomic(true)
    // Keeps starts and stops in their order, off the caller's thread.
    private let queue = DispatchQueue(label: "photos.images.caching.orders")

    /// A manager that caches nothing yet.
    public override init() {
        super.init()
    }

    deinit {
        for caching in cachings.withLock({ $0.values }) { Self.stop(caching) }
    }

    /// Whether pictures are cached as they are asked for; true unless it is cleared.
    ///
    /// Otherwise only the small ones are made that opportunistic requests give first, which is a
    /// fraction of the work: for very fast scrolling.
    open var allowsCachingHighQualityImages: Bool {
        get { cachesHighQuality.load(ordering: .relaxed) }
        set { cachesHighQuality.store(newValue, ordering: .relaxed) }
    }

    /// Begins to make the pictures that requests with these arguments would give.
    ///
    /// An asset that is being cached already stays as it is, until that is stopped.
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

    /// Stops making pictures of assets; those that are made stay while there is room.
    ///
    /// The arguments after the first mean nothing here: an asset is cached in one way at a time.
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

    /// Stops making pictures of all assets.
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
        let ticket = ImageTask.nextTicket()
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
        try? service?.cancelImages(ImageCancelRequest(tickets: [caching.ticket]))
    }

    /// Makes a picture; whoever asks for it later hears why it could not be made.
    private static func make(
        _ specification: ImageSpecification,
        ticket: String,
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
