internal import Foundation
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// An operation that renders the frames of an edited Live Photo and writes its image and movie
/// files.
///
/// 1. It ends exactly once, with a result or an error.
/// 2. A failed or canceled operation leaves no files behind and does not modify existing ones.
///
/// Unchecked because the program's block is not marked as Sendable. It is called by one thread at a
/// time.
final class LivePhotoEdit: @unchecked Sendable {
    private static let workQueue = WorkQueue(label: "photos.live-photo-editing", width: 2)

    private let still: EditedStill
    private let movie: EditedMovie
    private let volume: Float
    private let processor: PHLivePhotoFrameProcessingBlock?
    private let work = ForeignWork()

    init(
        _ still: EditedStill,
        _ movie: EditedMovie,
        volume: Float,
        processor: PHLivePhotoFrameProcessingBlock?
    ) {
        self.still = still
        self.movie = movie
        self.volume = volume
        self.processor = processor
    }

    /// Runs a closure on the work queue, and reports its result to a handler.
    func start<Value: Sendable>(
        _ done: @escaping @Sendable (Result<Value, any Error>) -> Void,
        _ body: @escaping @Sendable () throws -> Value
    ) {
        Self.workQueue.add { [self] in
            do {
                try throwIfCancelled()
                let value = try body()
                done(.success(value))
            } catch {
                done(.failure(work.isCancelled ? PHPhotosError(Self.cancelled) : told(error)))
            }
        }
    }

    /// Cancels the operation, unless the operation has already ended.
    func cancel() { work.cancel() }

    // MARK: - Operations

    /// Renders the edit in full size and writes the still image and the movie to an output,
    /// replacing existing files.
    func save(to output: PHContentEditingOutput) throws {
        let (target, type) = output.renderedStill
        let movieTarget = output.renderedPairedVideoURL
        let folder = target.deletingLastPathComponent()
        let number = UUID().uuidString
        let (picture, movie) = (
            folder.appendingPathComponent(".still-\(number)"),
            folder.appendingPathComponent(".movie-\(number)")
        )
        defer { for file in [picture, movie] { unlink(file.path) } }
        try write(still.image, to: picture, type, movie, EditedMovie.Settings(volume: volume))
        // A moment at which only one file exists is not observable, because the output belongs to
        // the program.
        for (file, place) in [(picture, target), (movie, movieTarget)] {
            guard rename(file.path, place.path) == 0 else {
                throw LibraryError(
                    .inputOutput,
                    "“\(place.path)” cannot be written.",
                    reason: String(cString: strerror(errno)) + ".",
                    recovery: "Keep the content editing output until the edit is saved.",
                    path: place.path
                )
            }
        }
    }

    /// Renders the edit to temporary files, and returns them as a Live Photo.
    ///
    /// - Parameters:
    ///   - bounds: The size to fit into, or nil for all pixels.
    ///   - name: The name of its files, without extension.
    /// - Returns: The Live Photo, with both files.
    /// - Throws: The error of the failed step.
    func preview(within bounds: PixelSize?, named name: String) throws -> PHLivePhoto {
        let folder = RenderedFolder()
        let name = name.isEmpty ? "Live Photo" : name
        let files = [".JPG", ".MOV"].map { folder.url.appendingPathComponent(name + $0) }
        try write(
            scaled(still.image, within: bounds),
            to: files[0],
            .jpeg,
            files[1],
            EditedMovie.Settings(bounds: bounds, volume: volume, isPreview: true)
        )
        // The library paired the files before, possibly without content identifiers.
        let pair = try LivePhotoPair(files, isKnownPair: true)
        return PHLivePhoto(
            image: try pair.still.picture(PixelShape(), work: work),
            resources: pair.resources(in: folder)
        )
    }

    private func write(
        _ picture: CIImage,
        to still: URL,
        _ type: EditedStill.FileType,
        _ movie: URL,
        _ settings: EditedMovie.Settings
    ) throws {
        let whole = self.still.image.extent.width
        let photo = LivePhotoFrame(
            image: picture,
            time: self.movie.stillTime,
            type: .photo,
            renderScale: picture.extent.width / whole
        )
        try self.still.write(try drawn(photo), to: still, as: type, work: work)
        try throwIfCancelled()
        var draw: ((EditedMovie.Frame) throws -> CIImage)?
        if processor != nil {
            draw = { [self] frame in
                try drawn(
                    LivePhotoFrame(
                        image: frame.image,
                        time: frame.time,
                        type: .video,
                        renderScale: frame.image.extent.width / whole
                    )
                )
            }
        }
        try self.movie.write(to: movie, settings, work: work, draw: draw)
        try throwIfCancelled()
    }

    private func scaled(_ image: CIImage, within bounds: PixelSize?) -> CIImage {
        guard let bounds else { return image }
        let extent = image.extent
        let scale = min(
            1,
            CGFloat(bounds.width) / extent.width,
            CGFloat(bounds.height) / extent.height
        )
        guard scale < 1 else { return image }
        return image.applyingFilter(
            "CILanczosScaleTransform",
            parameters: [kCIInputScaleKey: scale, kCIInputAspectRatioKey: 1.0]
        )
    }

    // MARK: - Frame processing

    /// An error that the program's frame processor returned, which is reported unchanged.
    private struct ProcessorError: Error {
        var error: any Error
    }

    private func drawn(_ frame: LivePhotoFrame) throws -> CIImage {
        guard let processor else { return frame.image }
        var error: NSError?
        if let image = withUnsafeMutablePointer(to: &error, { processor(frame, $0) }) {
            return image
        }
        if let error { throw ProcessorError(error: error) }
        throw LibraryError(
            .invalidRequest,
            "The frame processor returned neither an image nor an error for \(Self.name(of: frame)).",
            recovery: "Return frame.image for frames that do not change."
        )
    }

    /// Returns the words for a frame in error messages.
    static func name(of frame: LivePhotoFrame) -> String {
        guard frame.type == .video else { return "the still" }
        // A damaged movie may state any time.
        guard let milliseconds = Int(exactly: (frame.time.seconds * 1000).rounded()) else {
            return "a frame of the movie"
        }
        return "the frame at \(milliseconds) ms"
    }

    // MARK: - Errors

    private static let cancelled = LibraryError(
        .cancelled,
        "The edit of the Live Photo was canceled."
    )

    private func throwIfCancelled() throws(LibraryError) {
        if work.isCancelled { throw Self.cancelled }
    }

    private func told(_ error: any Error) -> any Error {
        switch error {
        case let error as ProcessorError: error.error
        case let error as LibraryError: PHPhotosError(error)
        default: PHPhotosError(Self.failure(error))
        }
    }

    /// Returns the library error for a rendering error.
    static func failure(_ error: any Error) -> LibraryError {
        guard let error = error as? CIRenderingError else {
            return LibraryError(
                .internalError,
                "The Live Photo cannot be edited.",
                reason: "\(error)"
            )
        }
        let code: LibraryError.Code =
            switch error.code {
            case .unreadablePicture: .invalidResource
            case .notWritten: .inputOutput
            case .invalidRequest, .invalidExtent: .invalidRequest
            case .notRendered: .internalError
            }
        return LibraryError(
            code,
            error.localizedDescription,
            reason: error.failureReason,
            recovery: error.recoverySuggestion
        )
    }
}
