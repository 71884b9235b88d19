public import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerClient
internal import WorkerProtocol

/// A handler for a generated frame.
///
/// Its arguments are the requested time, the image, the frame's actual time, the result, and the
/// error if there is no image.
public typealias AVAssetImageGeneratorCompletionHandler = (
    CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?
) -> Void

/// A generator of still images from a movie's frames.
///
/// The movie is decoded in the confined process `photos-worker`. The image is always the frame that
/// is displayed at the requested time, whatever the tolerances allow, because seeking to a key
/// frame would save little.
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; mutable state is in a Mutex.

    /// The outcome of generating an image.
    public enum Result: Int, Sendable, CaseIterable {
        /// The image was generated.
        case succeeded = 0
        /// Generation failed.
        case failed = 1
        /// The request was canceled.
        case cancelled = 2
    }

    /// The part of a frame that a generated image contains.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        /// The name of the aperture mode, as in AVFoundation.
        public let rawValue: String

        /// Creates an aperture mode from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The clean aperture, the area meant for display.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// The production aperture, with square pixels.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// All encoded pixels.
        public static let encodedPixels = ApertureMode(rawValue: "EncodedPixels")
    }

    private struct State {
        var appliesTransform = false
        var maximumSize = CGSize.zero
        var toleranceBefore = CMTime.positiveInfinity
        var toleranceAfter = CMTime.positiveInfinity
        var apertureMode: ApertureMode?
        var cancellation = WorkCancellation()
    }

    /// The movie that the images come from.
    public let asset: AVAsset
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "photos.movies.frames")

    /// Creates a generator for a movie, which is read at the first request for an image.
    public init(asset: AVAsset) {
        self.asset = asset
        super.init()
    }

    // MARK: - Settings

    /// A Boolean value that indicates whether images are rotated upright by the track's preferred
    /// transform; false by default.
    open var appliesPreferredTrackTransform: Bool {
        get { state.withLock { $0.appliesTransform } }
        set { state.withLock { $0.appliesTransform = newValue } }
    }

    /// The maximum width and height of images in pixels; the aspect ratio is preserved.
    ///
    /// A side of zero is unlimited.
    open var maximumSize: CGSize {
        get { state.withLock { $0.maximumSize } }
        set { state.withLock { $0.maximumSize = newValue } }
    }

    /// The maximum time by which a frame may precede the requested time.
    ///
    /// It only affects requests for times after the movie's end. Positive infinity by default.
    open var requestedTimeToleranceBefore: CMTime {
        get { state.withLock { $0.toleranceBefore } }
        set { state.withLock { $0.toleranceBefore = newValue } }
    }

    /// The maximum time by which a frame may follow the requested time; this setting has no effect.
    open var requestedTimeToleranceAfter: CMTime {
        get { state.withLock { $0.toleranceAfter } }
        set { state.withLock { $0.toleranceAfter = newValue } }
    }

    /// The aperture mode; ignored, because images always show the clean aperture.
    open var apertureMode: ApertureMode? {
        get { state.withLock { $0.apertureMode } }
        set { state.withLock { $0.apertureMode = newValue } }
    }

    // MARK: - Images

    /// Generates an image synchronously.
    ///
    /// - Parameters:
    ///   - requestedTime: A time relative to the movie's start.
    ///   - actualTime: Receives the time at which the frame is displayed.
    /// - Returns: The frame that is displayed at that time, in sRGB.
    /// - Throws: An ``AVError`` with the reason if there is no image.
    open func copyCGImage(
        at requestedTime: CMTime,
        actualTime: UnsafeMutablePointer<CMTime>?
    ) throws -> CGImage {
        let found = try frame(at: requestedTime, state.withLock { $0.cancellation })
        actualTime?.pointee = found.time
        return found.image
    }

    /// Generates images one after another, and calls a handler for each on an unspecified queue.
    ///
    /// - Parameters:
    ///   - requestedTimes: Times made with `NSValue(time:)`.
    ///   - handler: Called exactly once per time, on success, failure and cancellation.
    open func generateCGImagesAsynchronously(
        forTimes requestedTimes: [NSValue],
        completionHandler handler: @escaping AVAssetImageGeneratorCompletionHandler
    ) {
        let handler = UncheckedValue(value: handler)
        let cancellation = state.withLock { $0.cancellation }
        for time in requestedTimes.map(\.timeValue) {
            queue.async { [self] in
                do throws(AVError) {
                    let found = try frame(at: time, cancellation)
                    handler.value(time, found.image, found.time, .succeeded, nil)
                } catch {
                    let isCancelled = error.code == .operationCancelled
                    handler.value(time, nil, .invalid, isCancelled ? .cancelled : .failed, error)
                }
            }
        }
    }

    /// Generates an image, and calls a handler on an unspecified queue.
    ///
    /// The handler receives the image and its actual time, or an error.
    open func generateCGImageAsynchronously(
        for requestedTime: CMTime,
        completionHandler handler: @escaping (CGImage?, CMTime, (any Error)?) -> Void
    ) {
        let handler = UncheckedValue(value: handler)
        let cancellation = state.withLock { $0.cancellation }
        queue.async { [self] in
            do throws(AVError) {
                let found = try frame(at: requestedTime, cancellation)
                handler.value(found.image, found.time, nil)
            } catch {
                handler.value(nil, .invalid, error)
            }
        }
    }

    /// Generates an image.
    ///
    /// - Returns: The image and the time at which its frame is displayed.
    /// - Throws: An ``AVError`` with the reason if there is no image.
    open func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
        try await withCheckedThrowingContinuation { continuation in
            generateCGImageAsynchronously(for: time) { image, actualTime, error in
                if let image {
                    continuation.resume(returning: (image, actualTime))
                } else {
                    continuation.resume(
                        throwing: error ?? AVError(.noImageAtTime, "There is no image.")
                    )
                }
            }
        }
    }

    /// Returns a sequence that generates images one at a time.
    open func images(for times: [CMTime]) -> Images { Images(self, times) }

    /// Cancels all pending requests; their handlers are still called.
    open func cancelAllCGImageGeneration() {
        state.withLock { state in
            state.cancellation.cancel()
            state.cancellation = WorkCancellation()
        }
    }

    // MARK: - Helpers

    private func frame(
        at time: CMTime,
        _ cancellation: WorkCancellation
    ) throws(AVError) -> (image: CGImage, time: CMTime) {
        guard let file = asset.file else {
            throw AVError(
                .operationNotSupportedForAsset,
                "The asset has no file, so it has no images."
            )
        }
        let facts = try asset.facts()
        guard facts.tracks.contains(where: { $0.kind == .video && $0.isDecodable }) else {
            throw AVError(.noImageAtTime, "“\(file.name)” has no video.")
        }
        let state = state.withLock { $0 }
        let duration = CMTime(facts.duration)
        guard time.isNumeric,
            time < duration || CMTimeSubtract(time, duration) <= state.toleranceBefore
        else {
            throw AVError(
                .noImageAtTime,
                "“\(file.name)” has no frame at this time.",
                reason: "It is \(duration.seconds) seconds long.",
                recovery: "Request a time within it, or increase requestedTimeToleranceBefore."
            )
        }
        let moment = MovieTime(value: max(0, time.value), timescale: time.timescale)
        let request = DecodeRequest(
            shape: Self.shape(state.maximumSize),
            layout: .rgba,
            moment: DecodeRequest.Moment(time: moment, isTurned: state.appliesTransform)
        )
        let opened = try file.open()
        let answer: DecodeAnswer
        do throws(WorkerError) {
            answer = try withExtendedLifetime(opened) { () throws(WorkerError) in
                try ForeignWorkers.pool.decode(
                    request,
                    descriptor: opened.number,
                    cancellation: cancellation
                )
            }
        } catch {
            throw AVError(error, doing: "read", file)
        }
        switch answer {
        case .pixels(let facts, let pixels):
            guard let memory = pixels.mapped() else {
                throw AVError(.decodeFailed, "There is not enough memory for the image.")
            }
            let image = CGImage(memory: memory, hasAlpha: facts.hasAlpha)
            return (image, facts.time.map { CMTime($0) } ?? time)
        case .unsupported(let reason), .failed(let reason):
            throw AVError(
                .decodeFailed,
                "A frame of “\(file.name)” cannot be decoded.",
                reason: reason,
                path: file.url.path
            )
        case .cancelled: throw AVError(.operationCancelled, "The image request was canceled.")
        }
    }

    private static func shape(_ maximum: CGSize) -> PixelShape {
        let unlimited = 1 << 20
        func side(_ length: CGFloat) -> Int {
            length >= 1 ? Int(min(length, CGFloat(unlimited))) : unlimited
        }
        guard maximum.width >= 1 || maximum.height >= 1 else { return PixelShape() }
        return PixelShape(size: PixelSize(width: side(maximum.width), height: side(maximum.height)))
    }
}

extension AVAssetImageGenerator {
    /// An asynchronous sequence of a movie's images, in the order of the requested times.
    public struct Images: AsyncSequence, Sendable {
        /// The outcome of generating the image for one of the requested times.
        public enum Element: Sendable {
            /// An image and the time at which its frame is displayed.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// The error that prevented generating the image for a requested time.
            case failure(requestedTime: CMTime, error: any Error)

            /// The time that was requested.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// The image.
            ///
            /// - Throws: The error of a failed request.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): return image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// The time at which the frame is displayed.
            ///
            /// - Throws: The error of a failed request.
            public var actualTime: CMTime {
                get throws {
                    switch self {
                    case .success(_, _, let time): return time
                    case .failure(_, let error): throw error
                    }
                }
            }
        }

        private let generator: AVAssetImageGenerator
        private let times: [CMTime]

        init(_ generator: AVAssetImageGenerator, _ times: [CMTime]) {
            self.generator = generator
            self.times = times
        }

        /// Returns an iterator that starts at the first time.
        public func makeAsyncIterator() -> Iterator { Iterator(generator, times) }

        /// An iterator that generates each image on demand.
        public struct Iterator: AsyncIteratorProtocol {
            private let generator: AVAssetImageGenerator
            private var times: ArraySlice<CMTime>

            init(_ generator: AVAssetImageGenerator, _ times: [CMTime]) {
                self.generator = generator
                self.times = times[...]
            }

            /// Returns the outcome for the next requested time, or nil after the last time or if
            /// the task was canceled.
            public mutating func next() async -> Element? {
                guard !Task.isCancelled, let time = times.popFirst() else { return nil }
                do {
                    let (image, actualTime) = try await generator.image(at: time)
                    return .success(requestedTime: time, image: image, actualTime: actualTime)
                } catch {
                    return .failure(requestedTime: time, error: error)
                }
            }
        }
    }
}
