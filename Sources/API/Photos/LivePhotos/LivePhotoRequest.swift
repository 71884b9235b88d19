internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A request for a Live Photo from files; its handler receives exactly one final call.
///
/// Unchecked because the client's handler is not marked as Sendable. Deliveries call it one at a
/// time, and the caller calls it before the first delivery.
final class LivePhotoRequest: @unchecked Sendable {
    typealias Handler = (PHLivePhoto?, [AnyHashable: Any]) -> Void

    private struct Requests {
        var running: [PHLivePhotoRequestID: LivePhotoRequest] = [:]
        var last = PHLivePhotoRequestIDInvalid
    }

    private struct State {
        var id = PHLivePhotoRequestIDInvalid
        var isCancelled = false
        var isEnded = false
    }

    /// The shape of the preview that is delivered first if the client gave no placeholder image.
    private static let previewShape = PixelShape(size: PixelSize(width: 256, height: 256))
    private static let requests = Mutex(Requests())
    private static let workQueue = WorkQueue(label: "photos.live-photos", width: 2)

    private let files: [URL]
    private let hasPlaceholder: Bool
    private let shape: PixelShape
    private let handler: Handler
    private let work = ForeignWork()
    private let state = Mutex(State())

    init(files: [URL], hasPlaceholder: Bool, shape: PixelShape, handler: @escaping Handler) {
        self.files = files
        self.hasPlaceholder = hasPlaceholder
        self.shape = shape
        self.handler = handler
    }

    /// Returns the pixel shape for a target size and content mode; an invalid size requests all
    /// pixels.
    static func shape(_ size: CGSize, _ mode: PHImageContentMode) -> PixelShape {
        guard let pixels = ImageSpecification.pixels(size) else { return PixelShape() }
        return PixelShape(size: pixels, fitting: mode == .aspectFit ? .fit : .fill)
    }

    /// Returns the running request with the given identifier, or nil if there is none.
    static func running(_ id: PHLivePhotoRequestID) -> LivePhotoRequest? {
        requests.withLock { $0.running[id] }
    }

    /// Registers the request and returns an identifier to cancel it with.
    func register() -> PHLivePhotoRequestID {
        let id = Self.requests.withLock { requests in
            repeat {
                requests.last = requests.last == .max ? 1 : requests.last + 1
            } while requests.running[requests.last] != nil
            requests.running[requests.last] = self
            return requests.last
        }
        state.withLock { $0.id = id }
        return id
    }

    func start() {
        Self.workQueue.add { [self] in run() }
    }

    /// Cancels the request and reports the cancellation, unless the request has already ended.
    func cancel() {
        let isNew = state.withLock { state in
            guard !state.isCancelled, !state.isEnded else { return false }
            state.isCancelled = true
            return true
        }
        guard isNew else { return }
        work.cancel()
        deliver(
            nil,
            [PHLivePhotoInfoCancelledKey: true, PHLivePhotoInfoIsDegradedKey: false],
            isLast: true,
            isCancellation: true
        )
    }

    private func run() {
        guard !work.isCancelled else { return }
        do throws(LibraryError) {
            let pair = try LivePhotoPair(files)
            if !hasPlaceholder, shape.size != Self.previewShape.size,
                let image = try? pair.still.picture(
                    Self.previewShape,
                    takesAnyPreview: true,
                    work: work
                )
            {
                deliver(
                    PHLivePhoto(image: image),
                    [PHLivePhotoInfoIsDegradedKey: true],
                    isLast: false
                )
            }
            let image = try pair.still.picture(shape, work: work)
            deliver(
                PHLivePhoto(image: image, resources: pair.resources),
                [PHLivePhotoInfoIsDegradedKey: false],
                isLast: true
            )
        } catch {
            deliver(
                nil,
                [
                    PHLivePhotoInfoErrorKey: PHPhotosError(error),
                    PHLivePhotoInfoIsDegradedKey: false,
                ],
                isLast: true
            )
        }
    }

    private func deliver(
        _ photo: PHLivePhoto?,
        _ info: [AnyHashable: Any],
        isLast: Bool,
        isCancellation: Bool = false
    ) {
        let result = Unchecked(value: info)
        ImageDelivery.shared.deliver { [self] in
            let isWanted = state.withLock { state in
                guard !state.isEnded, state.isCancelled == isCancellation else { return false }
                if isLast { state.isEnded = true }
                return true
            }
            guard isWanted else { return }
            if isLast {
                let id = state.withLock { $0.id }
                Self.requests.withLock { _ = $0.running.removeValue(forKey: id) }
            }
            handler(photo, result.value)
        }
    }
}
