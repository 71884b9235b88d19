internal import Foundation
internal import Glibc
internal import LibraryService
package import PhotoModel
internal import WorkerClient

/// A Live Photo's movie that a program edits by replacing each frame with an image that it draws.
///
/// Frames are processed one at a time, each in its own memory, and are encoded before the next one
/// is decoded. So a long movie is never completely in memory.
package final class EditedMovie: Sendable {
    /// A frame to draw.
    package struct Frame {
        /// The frame, oriented upright.
        package let image: CIImage
        /// The time of the frame, relative to the movie's start.
        package let time: CMTime
    }

    /// The settings for writing the movie.
    package struct Settings: Sendable {
        /// The maximum size of the upright frames in pixels; nil for full size.
        package var bounds: PixelSize?
        /// The factor for the audio volume, 0...1.
        package var volume: Float
        /// Indicates whether to encode with H.264 even if the movie uses HEVC.
        ///
        /// Encoding with H.264 is fast, and any player supports it.
        package var isPreview: Bool

        package init(bounds: PixelSize? = nil, volume: Float = 1, isPreview: Bool = false) {
            self.bounds = bounds
            self.volume = volume
            self.isPreview = isPreview
        }
    }

    /// The movie's duration.
    package let duration: CMTime
    /// The time of the still image, relative to the movie's start; the middle of the movie if the
    /// file states no time.
    package let stillTime: CMTime
    private let url: URL
    private let file: Descriptor
    private let track: MovieTrack
    private let container: String

    /// Opens the movie, and has a worker read its metadata.
    ///
    /// The file stays open.
    ///
    /// - Throws: `LibraryError` if the file is not a movie that can be edited.
    package init(_ url: URL) throws(LibraryError) {
        self.url = url
        file = try Descriptor(foreign: url)
        let facts: MovieFacts
        do throws(WorkerError) {
            facts = try ForeignWorkers.pool.movieFacts(
                of: file.number,
                filename: url.lastPathComponent
            )
        } catch {
            throw LibraryError(error, url)
        }
        guard let track = facts.tracks.first(where: { $0.kind == .video && $0.isDecodable }),
            !facts.hasProtectedContent
        else {
            throw LibraryError(
                .invalidResource,
                "“\(url.lastPathComponent)” cannot be edited.",
                reason: facts.hasProtectedContent
                    ? "It is encrypted." : "It has no frames that can be decoded.",
                path: url.path
            )
        }
        self.track = track
        container = facts.containerType
        duration = CMTime(facts.duration)
        stillTime =
            facts.stillImageTime.map { CMTime($0) }
            ?? CMTime(value: facts.duration.value / 2, timescale: facts.duration.timescale)
    }

    // MARK: - Writing

    /// Writes the movie to a new file, with each frame replaced by the image that `draw` returns.
    ///
    /// Audio, metadata and times are preserved. Video is encoded upright, with HEVC if the movie
    /// uses it and `settings` does not request a preview, otherwise with H.264. The video is copied
    /// if its frames don't change.
    ///
    /// - Parameters:
    ///   - target: A location without a file; no file is left there on failure.
    ///   - settings: The settings for writing the movie.
    ///   - work: The object that can cancel the call.
    ///   - draw: A closure that is called for each frame in order, on the calling thread; nil
    ///     leaves the frames unchanged.
    /// - Throws: The error of `draw`; `LibraryError`; `CIRenderingError` if a frame can't be
    ///   rendered.
    package func write(
        to target: URL,
        _ settings: Settings,
        work: ForeignWork,
        draw: ((Frame) throws -> CIImage)?
    ) throws {
        let number = open(target.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw Self.unwritable(target, errno) }
        let output = Descriptor(owning: number)
        var isWritten = false
        defer { if !isWritten { unlink(target.path) } }
        var drawing = FrameDrawer(work: work, draw: draw)
        do throws(WorkerError) {
            _ = try withExtendedLifetime((file, output)) { () throws(WorkerError) in
                try ForeignWorkers.pool.convertMovie(
                    from: file.number,
                    filename: url.lastPathComponent,
                    into: output.number,
                    conversion(settings, isDrawn: draw != nil),
                    cancellation: work.cancellation,
                    draw: { drawing.draw($0) }
                )
            }
        } catch {
            throw drawing.failure ?? LibraryError(error, url)
        }
        isWritten = true
    }

    private func conversion(_ settings: Settings, isDrawn: Bool) -> MovieConversion {
        var conversion = MovieConversion(container: .mov)
        let bounds = settings.bounds.flatMap(storedBounds)
        if isDrawn || isTurned || bounds != nil {
            let isHEVC = track.codec == 0x6876_6331 || track.codec == 0x6865_7631
            conversion.video = .draw(
                codec: isHEVC && !settings.isPreview ? .hevc : .h264,
                maximumWidth: bounds?.width,
                maximumHeight: bounds?.height,
                isShown: isDrawn
            )
        }
        if settings.volume < 1 {
            conversion.audio = .encodeAAC(volume: Double(max(0, settings.volume)))
        }
        return conversion
    }

    private var isTurned: Bool {
        track.transform.a != 1 || track.transform.b != 0 || track.transform.c != 0
            || track.transform.d != 1
    }

    /// Returns the size to which stored frames are scaled so that they fit into `bounds` when
    /// upright; nil if they need no scaling.
    private func storedBounds(_ bounds: PixelSize) -> PixelSize? {
        let isAcross = track.transform.a == 0 && track.transform.d == 0
        let width = isAcross ? bounds.height : bounds.width
        let height = isAcross ? bounds.width : bounds.height
        guard track.width > 0, track.height > 0 else { return nil }
        let scale = min(
            Double(width) / Double(track.width),
            Double(height) / Double(track.height)
        )
        guard scale < 1 else { return nil }
        return PixelSize(
            width: max(16, Int((Double(track.width) * scale).rounded())),
            height: max(16, Int((Double(track.height) * scale).rounded()))
        )
    }

    private static func unwritable(_ url: URL, _ code: Int32) -> LibraryError {
        LibraryError(
            code == ENOSPC || code == EDQUOT ? .noSpace : .inputOutput,
            "“\(url.path)” cannot be written.",
            reason: String(cString: strerror(code)) + ".",
            recovery: "Check the folder, its permissions and the free space.",
            path: url.path
        )
    }
}

/// A renderer for a movie's frames that stops at the first failure.
private struct FrameDrawer {
    let work: ForeignWork
    let draw: ((EditedMovie.Frame) throws -> CIImage)?
    private(set) var failure: (any Error)?
    private var window = FrameWindow()
    private let drawing = CIContext().drawing

    init(work: ForeignWork, draw: ((EditedMovie.Frame) throws -> CIImage)?) {
        self.work = work
        self.draw = draw
    }

    mutating func draw(_ shown: ShownFrame) -> DrawnFrame {
        guard let draw else { return .unchanged }
        let image = CIImage(shown)
        do {
            let drawn = try draw(
                EditedMovie.Frame(image: image, time: CMTime(shown.facts.time))
            )
            guard !work.isCancelled else { return .stopped }
            let (picture, rect) = try window.place(drawn, of: image.extent)
            if picture.isEqual(image), rect == image.extent { return .unchanged }
            return .picture(
                try drawing.frame(
                    picture,
                    in: rect,
                    shown.facts.colors,
                    cancellation: work.cancellation
                )
            )
        } catch {
            failure = work.isCancelled ? nil : error
            return .stopped
        }
    }
}

extension LibraryError {
    /// Creates an error from a worker's failure to edit a movie.
    fileprivate init(_ error: WorkerError, _ url: URL) {
        let code: Code =
            switch error.kind {
            case .unavailable: .workerUnavailable
            case .file, .unsupported: .invalidResource
            case .cancelled: .cancelled
            case .output: .inputOutput
            }
        self.init(
            code,
            code == .cancelled
                ? "The edit of the Live Photo was canceled."
                : "The movie “\(url.lastPathComponent)” cannot be edited.",
            reason: code == .cancelled ? nil : error.message,
            recovery: error.recovery,
            path: url.path
        )
    }
}
