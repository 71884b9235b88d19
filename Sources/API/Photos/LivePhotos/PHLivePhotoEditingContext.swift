public import Foundation
package import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// Edits a Live Photo by processing every frame, including the still image, and adjusting the
/// volume.
///
/// Request an asset's ``PHContentEditingInput``, create a context with it, set ``frameProcessor``,
/// and save to a ``PHContentEditingOutput`` that you assign to a change request:
///
/// ```swift
/// context.frameProcessor = { frame, _ in
///     frame.image.applyingFilter("CIPhotoEffectNoir")
/// }
/// try await context.saveLivePhoto(to: output)
/// ```
///
/// Sandboxed `photos-worker` processes decode, render and encode the files. Only one frame at a
/// time is in memory, regardless of the movie's length. A context runs one operation at a time, and
/// starting another cancels it. A running operation continues after the context is released. The
/// context can be used from any thread.
open class PHLivePhotoEditingContext: NSObject, @unchecked Sendable {
    // Unchecked because the class is open and the block is not Sendable. Mutable state is in a
    // Mutex.

    private struct State {
        var processor: Unchecked<PHLivePhotoFrameProcessingBlock>?
        var volume: Float = 1
        var running: LivePhotoEdit?
    }

    private let still: EditedStill
    private let movie: EditedMovie
    private let name: String
    private let state = Mutex(State())

    /// Creates a context for an editing input, or returns nil if the input is not a Live Photo.
    ///
    /// It also returns nil, and logs the reason, if one of the files cannot be read. It blocks the
    /// thread for a moment, because it opens both files and reads their headers.
    public init?(livePhotoEditingInput livePhotoInput: PHContentEditingInput) {
        guard let found = livePhotoInput.found, let file = found.still,
            let paired = found.paired
        else { return nil }
        do {
            (still, movie) = try Self.halves(file.url, paired.file.url)
        } catch {
            found.connection.report(error)
            return nil
        }
        name = (found.resource.originalFilename as NSString).deletingPathExtension
        super.init()
    }

    /// Creates a context for an editing input, or returns nil if the input is not a Live Photo.
    ///
    /// - Throws: The reason that one of the files cannot be read.
    package init?(opening input: PHContentEditingInput) throws(LibraryError) {
        guard let found = input.found, let file = found.still, let paired = found.paired
        else { return nil }
        (still, movie) = try Self.halves(file.url, paired.file.url)
        name = (found.resource.originalFilename as NSString).deletingPathExtension
        super.init()
    }

    private static func halves(
        _ still: URL,
        _ movie: URL
    ) throws(LibraryError) -> (EditedStill, EditedMovie) {
        do {
            return (try EditedStill(still), try EditedMovie(movie))
        } catch {
            throw error as? LibraryError ?? LivePhotoEdit.failure(error)
        }
    }

    // MARK: - The Live Photo

    /// The still image in full size, with its pixels as stored and not rotated by ``orientation``.
    ///
    /// Nothing is decoded until the image is rendered.
    open var fullSizeImage: CIImage { still.stored }

    /// The orientation that makes ``fullSizeImage`` upright.
    ///
    /// It is `up` for HEIF, AVIF, JPEG XL and RAW files, because their decoders apply the
    /// orientation. Frames are always upright.
    open var orientation: CGImagePropertyOrientation { still.orientation }

    /// The duration of the movie.
    open var duration: CMTime { movie.duration }

    /// The time of the still image in the movie, or the movie's midpoint if the time is not
    /// recorded.
    open var photoTime: CMTime { movie.stillTime }

    // MARK: - The edit

    /// The block that processes each frame, or nil to leave the frames unchanged.
    ///
    /// It receives the still image first, and then the movie's frames in order. An operation uses
    /// the block that was set when it started. Return frames of equal size for the whole movie; odd
    /// sides are made even. An image of infinite extent is cropped to the frame.
    open var frameProcessor: PHLivePhotoFrameProcessingBlock? {
        get { state.withLock { $0.processor }?.value }
        set {
            let block = newValue.map { Unchecked(value: $0) }
            state.withLock { $0.processor = block }
        }
    }

    /// The volume of the sound, from 0 (silent) to 1 (unchanged); the default is 1.
    ///
    /// Other values are clamped to this range. At 1, the sound is copied bit for bit. Otherwise it
    /// is encoded as AAC.
    open var audioVolume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue.isNaN ? 1 : min(max(newValue, 0), 1) } }
    }

    // MARK: - Operations

    /// Creates a Live Photo of the edit, for display.
    ///
    /// It is written to temporary files, which exist as long as the Live Photo and its resources.
    ///
    /// - Parameters:
    ///   - targetSize: The size in pixels to fit into, without enlarging; zero requests all pixels.
    ///   - options: See ``PHLivePhotoEditingOption``.
    ///   - handler: Called once, on the main queue, with the Live Photo or an error. The error is
    ///     `PHPhotosError.userCancelled` if the operation was canceled, or if another operation was
    ///     started.
    open func prepareLivePhotoForPlayback(
        withTargetSize targetSize: CGSize,
        options: [String: Any]? = nil,
        completionHandler handler: @escaping (PHLivePhoto?, (any Error)?) -> Void
    ) {
        let handler = Unchecked(value: handler)
        _ = prepare(targetSize) { result in
            ImageDelivery.shared.deliver {
                switch result {
                case .success(let photo): handler.value(photo, nil)
                case .failure(let error): handler.value(nil, error)
                }
            }
        }
    }

    /// Creates a Live Photo of the edit, for display.
    ///
    /// Canceling the task cancels the operation.
    ///
    /// - Parameters:
    ///   - targetSize: The size in pixels to fit into, without enlarging; zero requests all pixels.
    ///   - options: See ``PHLivePhotoEditingOption``.
    /// - Returns: The Live Photo, whose temporary files exist as long as it and its resources.
    /// - Throws: The error of the frame processor, or a `PHPhotosError`.
    open func livePhotoForPlayback(
        targetSize: CGSize,
        options: [String: Any]? = nil
    ) async throws -> PHLivePhoto {
        try await Self.value { done in prepare(targetSize, done) }
    }

    /// Renders the edit in full size and writes the still image and the movie to an output.
    ///
    /// Set the output's adjustment data, and assign it to
    /// ``PHAssetChangeRequest/contentEditingOutput``. The still image is a JPEG file, or a HEIC
    /// file if ``PHContentEditingOutput/renderedContentURL(for:)`` was last called for that type.
    /// Both files keep their content identifier. Sound, metadata and the time of the still image
    /// are preserved.
    ///
    /// - Parameters:
    ///   - output: The output to write to. Files of an earlier call are replaced after everything
    ///     is rendered. A failed call changes nothing.
    ///   - options: Unused, because there are no options for saving.
    ///   - handler: Called once, on the main queue, with true, or with false and an error. The
    ///     error is that of the frame processor, or a `PHPhotosError`. It is `userCancelled` if the
    ///     operation was canceled, or if another operation was started.
    open func saveLivePhoto(
        to output: PHContentEditingOutput,
        options: [String: Any]? = nil,
        completionHandler handler: @escaping (Bool, (any Error)?) -> Void
    ) {
        let handler = Unchecked(value: handler)
        _ = save(output) { result in
            ImageDelivery.shared.deliver {
                switch result {
                case .success: handler.value(true, nil)
                case .failure(let error): handler.value(false, error)
                }
            }
        }
    }

    /// Renders the edit in full size and writes the still image and the movie to an output.
    ///
    /// It works like ``saveLivePhoto(to:options:completionHandler:)``. Canceling the task cancels
    /// the operation.
    ///
    /// - Parameters:
    ///   - output: The output to write to.
    ///   - options: Unused, because there are no options for saving.
    /// - Throws: The error of the frame processor, or a `PHPhotosError`.
    open func saveLivePhoto(
        to output: PHContentEditingOutput,
        options: [String: Any]? = nil
    ) async throws {
        try await Self.value { done in save(output, done) }
    }

    /// Renders the edit like ``saveLivePhoto(to:options:completionHandler:)``, and waits for it.
    ///
    /// The main queue, on which the handler of that method is called, may be waiting here.
    ///
    /// - Parameter output: The output to write to.
    /// - Throws: The error of the frame processor, or a `PHPhotosError`.
    package func saveLivePhotoAndWait(to output: PHContentEditingOutput) throws {
        let failure = Mutex<(any Error)?>(nil)
        let finished = DispatchSemaphore(value: 0)
        _ = save(output) { result in
            if case .failure(let error) = result { failure.withLock { $0 = error } }
            finished.signal()
        }
        finished.wait()
        if let error = failure.withLock(\.self) { throw error }
    }

    /// Cancels the running operation: its handler receives `PHPhotosError.userCancelled`, and no
    /// files remain.
    ///
    /// It has no effect if no operation is running.
    open func cancel() {
        let edit = state.withLock { state in
            defer { state.running = nil }
            return state.running
        }
        edit?.cancel()
    }

    // MARK: - Helpers

    private func prepare(
        _ targetSize: CGSize,
        _ done: @escaping @Sendable (Result<PHLivePhoto, any Error>) -> Void
    ) -> LivePhotoEdit {
        begin { edit in
            let bounds = LivePhotoRequest.shape(targetSize, .aspectFit).size
            edit.start(done) { [name] in try edit.preview(within: bounds, named: name) }
        }
    }

    private func save(
        _ output: PHContentEditingOutput,
        _ done: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> LivePhotoEdit {
        begin { edit in edit.start(done) { try edit.save(to: output) } }
    }

    /// Starts an edit, and cancels the previous edit if it is still running.
    private func begin(_ start: (LivePhotoEdit) -> Void) -> LivePhotoEdit {
        let (edit, before) = state.withLock { state in
            let edit = LivePhotoEdit(
                still,
                movie,
                volume: state.volume,
                processor: state.processor?.value
            )
            defer { state.running = edit }
            return (edit, state.running)
        }
        before?.cancel()
        start(edit)
        return edit
    }

    /// Starts an edit and awaits its result.
    ///
    /// Canceling the task cancels the edit.
    private static func value<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> LivePhotoEdit
    ) async throws -> Value {
        let stopper = Stopper()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                stopper.stop(start { continuation.resume(with: $0) })
            }
        } onCancel: {
            stopper.stop()
        }
    }

    /// Cancels an edit when the Swift task that awaits the edit is canceled, even if that happens
    /// before the edit starts.
    private final class Stopper: Sendable {
        private let state = Mutex((edit: LivePhotoEdit?.none, isStopped: false))

        func stop() {
            state.withLock { state in
                state.isStopped = true
                return state.edit
            }?.cancel()
        }

        func stop(_ edit: LivePhotoEdit) {
            let isStopped = state.withLock { state in
                state.edit = edit
                return state.isStopped
            }
            if isStopped { edit.cancel() }
        }
    }

    /// The duration and the size of the still image, for debugging.
    open override var description: String {
        "<\(type(of: self)) \(duration.seconds) s, \(fullSizeImage.extent.size)>"
    }
}
