public import Foundation
package import PhotoModel
public import PhotosCompanions
internal import Synchronization

/// Edits a Live Photo: a block of the program draws each frame of it, the still as well as the movie's,
/// and the sound may be made quieter.
///
/// Ask an asset for its ``PHContentEditingInput``, make a context with it, set ``frameProcessor``, and save
/// into a ``PHContentEditingOutput`` that goes to a change request:
///
/// ```swift
/// context.frameProcessor = { frame, _ in
///     frame.image.applyingFilter("CIPhotoEffectNoir")
/// }
/// try await context.saveLivePhoto(to: output)
/// ```
///
/// Files are decoded, drawn and encoded in confined processes of `photos-worker`; a frame at a time is in
/// memory, however long the movie is. A context does one thing at a time: what is begun ends what runs.
/// What runs goes on when nobody keeps the context. It can be used from any thread.
open class PHLivePhotoEditingContext: NSObject, @unchecked Sendable {
    // Unchecked because the class is open and the block is any closure; what changes is in a Mutex.

    private struct State {
        var processor: Unchecked<PHLivePhotoFrameProcessingBlock>?
        var volume: Float = 1
        var running: LivePhotoEdit?
    }

    private let still: EditedStill
    private let movie: EditedMovie
    private let name: String
    private let state = Mutex(State())

    /// A context for what an asset gave; nil when that is no Live Photo, and, with a logged reason, when
    /// one of its files can't be read.
    ///
    /// Blocks its thread for a moment: both files are opened and their headers read.
    public init?(livePhotoEditingInput livePhotoInput: PHContentEditingInput) {
        guard let found = livePhotoInput.found, let stillURL = found.stillURL,
            let paired = found.paired
        else { return nil }
        do {
            (still, movie) = try Self.halves(stillURL, paired.url)
        } catch {
            found.connection.report(error)
            return nil
        }
        name = (found.resource.originalFilename as NSString).deletingPathExtension
        super.init()
    }

    /// A context for the files of a Live Photo; nil for an input that is none.
    ///
    /// - Throws: Why one of the files can't be read.
    package init?(opening input: PHContentEditingInput) throws(LibraryError) {
        guard let found = input.found, let stillURL = found.stillURL, let paired = found.paired
        else { return nil }
        (still, movie) = try Self.halves(stillURL, paired.url)
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

    /// The still in full size, its pixels as they are stored: ``orientation`` says how to turn it.
    ///
    /// Nothing is decoded before it is drawn.
    open var fullSizeImage: CIImage { still.stored }

    /// How ``fullSizeImage`` has to be turned to be upright.
    ///
    /// `up` for HEIF files, whose decoders turn. Frames are always upright.
    open var orientation: CGImagePropertyOrientation { still.orientation }

    /// How long the movie is.
    open var duration: CMTime { movie.duration }

    /// When the still was taken, from the movie's begin; its middle where the movie does not say.
    open var photoTime: CMTime { movie.stillTime }

    // MARK: - The edit

    /// Draws each frame, the still first and then the movie's in their order; nil leaves them as they are.
    ///
    /// The block that is set when something is begun is used to its end. Give all frames of the movie one
    /// size; sides are made even. A picture without an end is cut off where the frame ends.
    open var frameProcessor: PHLivePhotoFrameProcessingBlock? {
        get { state.withLock { $0.processor }?.value }
        set {
            let block = newValue.map { Unchecked(value: $0) }
            state.withLock { $0.processor = block }
        }
    }

    /// How loud the sound is, from 0, silent, to 1, as it was; 1 unless it says otherwise.
    ///
    /// Other values count as the nearest of these. At 1 the sound is copied bit for bit, else it is
    /// encoded as AAC.
    open var audioVolume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue.isNaN ? 1 : min(max(newValue, 0), 1) } }
    }

    // MARK: - Operations

    /// Makes a Live Photo of the edit, to be shown.
    ///
    /// It is written into temporary files, which live as long as the Live Photo and its resources.
    ///
    /// - Parameters:
    ///   - targetSize: Into what it has to fit, in pixels; never enlarged. Zero for all that there are.
    ///   - options: See ``PHLivePhotoEditingOption``.
    ///   - handler: Called once, on the main queue: with the Live Photo or the reason that there is
    ///     none, which is `PHPhotosError.userCancelled` when it was cancelled, or another operation
    ///     was begun.
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

    /// Makes a Live Photo of the edit, to be shown.
    ///
    /// Cancelled with its task.
    ///
    /// - Parameters:
    ///   - targetSize: Into what it has to fit, in pixels; never enlarged. Zero for all that there are.
    ///   - options: See ``PHLivePhotoEditingOption``.
    /// - Returns: The Live Photo, whose temporary files live as long as it and its resources.
    /// - Throws: What the block failed with, or `PHPhotosError`.
    open func livePhotoForPlayback(
        targetSize: CGSize,
        options: [String: Any]? = nil
    ) async throws -> PHLivePhoto {
        try await Self.value { done in prepare(targetSize, done) }
    }

    /// Draws the edit in full size and writes it into an output, both the still and the movie.
    ///
    /// Give the output its adjustment data, and to ``PHAssetChangeRequest/contentEditingOutput``. The still
    /// is a JPEG file, or HEIC where ``PHContentEditingOutput/renderedContentURL(for:)`` was asked for that
    /// last. Both say the content identifier that they said; sound, metadata and the still's time stay.
    ///
    /// - Parameters:
    ///   - output: Where to; what an earlier call wrote there is replaced when all is drawn, and nothing
    ///     is changed by a call that fails.
    ///   - options: None that there are.
    ///   - handler: Called once, on the main queue: with true, or false and the reason, which is what
    ///     the block failed with, or a `PHPhotosError`: `userCancelled` when it was cancelled, or another
    ///     operation was begun.
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

    /// Draws the edit in full size and writes it into an output, both the still and the movie.
    ///
    /// As ``saveLivePhoto(to:options:completionHandler:)``; cancelled with its task.
    ///
    /// - Parameters:
    ///   - output: Where to.
    ///   - options: None that there are.
    /// - Throws: What the block failed with, or `PHPhotosError`.
    open func saveLivePhoto(
        to output: PHContentEditingOutput,
        options: [String: Any]? = nil
    ) async throws {
        try await Self.value { done in save(output, done) }
    }

    /// Ends what runs: its handler gets `PHPhotosError.userCancelled`, and nothing is left of it.
    ///
    /// Harmless when nothing runs.
    open func cancel() {
        let edit = state.withLock { state in
            defer { state.running = nil }
            return state.running
        }
        edit?.cancel()
    }

    // MARK: - Parts

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

    /// Begins an edit, and ends the one that runs.
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

    /// Waits for an edit, which is cancelled with the task.
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

    /// Cancels an edit whenever its task is: before it begins, too.
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

    /// The length and the still's size, for a person.
    open override var description: String {
        "<\(type(of: self)) \(duration.seconds) s, \(fullSizeImage.extent.size)>"
    }
}
