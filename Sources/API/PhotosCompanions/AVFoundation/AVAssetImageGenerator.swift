public import Foundation
internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerClient
internal import WorkerProtocol

/// Takes a frame that was wanted at a time, or why there is none: the time that was asked for, the picture,
/// when it is shown, and what came of it.
public typealias AVAssetImageGeneratorCompletionHandler = (
    CMTime, CGImage?, CMTime, AVAssetImageGenerator.Result, (any Error)?
) -> Void

/// Makes pictures of a movie's frames.
///
/// The movie is decoded in the confined process `photos-worker`. A picture is always that which is shown at
/// the time that was asked for, whatever the tolerances allow: looking for a key frame saves little here.
open class AVAssetImageGenerator: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; what changes is in a Mutex.

    /// What came of a frame.
    public enum Result: Int, Sendable, CaseIterable {
        /// There is a picture.
        case succeeded = 0
        /// There is none.
        case failed = 1
        /// The program did not want it any more.
        case cancelled = 2
    }

    /// Which part of a frame is shown.
    public struct ApertureMode: RawRepresentable, Hashable, Sendable {
        /// AVFoundation's name.
        public let rawValue: String

        /// A mode by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// What is meant to be seen.
        public static let cleanAperture = ApertureMode(rawValue: "CleanAperture")
        /// That with square pixels.
        public static let productionAperture = ApertureMode(rawValue: "ProductionAperture")
        /// All pixels as they are stored.
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

    /// The movie.
    public let asset: AVAsset
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "photos.movies.frames")

    /// Pictures of a movie, which is read when one is first asked for.
    public init(asset: AVAsset) {
        self.asset = asset
        super.init()
    }

    // MARK: - Settings

    /// Whether pictures are turned upright, as the movie says; false unless it says otherwise.
    open var appliesPreferredTrackTransform: Bool {
        get { state.withLock { $0.appliesTransform } }
        set { state.withLock { $0.appliesTransform = newValue } }
    }

    /// Pixels across and down at most, the aspect being kept; a side of zero has no limit.
    open var maximumSize: CGSize {
        get { state.withLock { $0.maximumSize } }
        set { state.withLock { $0.maximumSize = newValue } }
    }

    /// How much earlier than asked for a picture may be; it matters for times after the movie's end.
    open var requestedTimeToleranceBefore: CMTime {
        get { state.withLock { $0.toleranceBefore } }
        set { state.withLock { $0.toleranceBefore = newValue } }
    }

    /// How much later than asked for a picture may be; none ever is.
    open var requestedTimeToleranceAfter: CMTime {
        get { state.withLock { $0.toleranceAfter } }
        set { state.withLock { $0.toleranceAfter = newValue } }
    }

    /// Which part of frames is shown: always what is meant to be seen, whatever it says.
    open var apertureMode: ApertureMode? {
        get { state.withLock { $0.apertureMode } }
        set { state.withLock { $0.apertureMode = newValue } }
    }

    // MARK: - Pictures

    /// Makes a picture, and waits for it.
    ///
    /// - Parameters:
    ///   - requestedTime: From the movie's begin.
    ///   - actualTime: Gets when the picture is shown.
    /// - Returns: The frame that is shown at that time, in sRGB.
    /// - Throws: An ``AVError``: why there is none.
    open func copyCGImage(
        at requestedTime: CMTime,
        actualTime: UnsafeMutablePointer<CMTime>?
    ) throws -> CGImage {
        let found = try frame(at: requestedTime, state.withLock { $0.cancellation })
        actualTime?.pointee = found.time
        return found.image
    }

    /// Makes pictures one after another, and calls back on no particular queue for each of them.
    ///
    /// - Parameters:
    ///   - requestedTimes: Made with `NSValue(time:)`.
    ///   - handler: Called once for each time, whatever comes of it.
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

    /// Makes a picture, and calls back on no particular queue with it and when it is shown, or with an error.
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

    /// Makes a picture.
    ///
    /// - Returns: It, and when it is shown.
    /// - Throws: An ``AVError``: why there is none.
    open func image(at time: CMTime) async throws -> (image: CGImage, actualTime: CMTime) {
        try await withCheckedThrowingContinuation { continuation in
            generateCGImageAsynchronously(for: time) { image, actualTime, error in
                if let image {
                    continuation.resume(returning: (image, actualTime))
                } else {
                    continuation.resume(
                        throwing: error ?? AVError(.noImageAtTime, "There is no picture.")
                    )
                }
            }
        }
    }

    /// Makes pictures one after another.
    open func images(for times: [CMTime]) -> Images { Images(self, times) }

    /// Cancels all that is not done yet: each handler is still called.
    open func cancelAllCGImageGeneration() {
        state.withLock { state in
            state.cancellation.cancel()
            state.cancellation = WorkCancellation()
        }
    }

    // MARK: - Parts

    private func frame(
        at time: CMTime,
        _ cancellation: WorkCancellation
    ) throws(AVError) -> (image: CGImage, time: CMTime) {
        guard let file = asset.file else {
            throw AVError(
                .operationNotSupportedForAsset,
                "The asset has no file, so there are no pictures of it."
            )
        }
        let facts = try asset.facts()
        guard facts.tracks.contains(where: { $0.kind == .video && $0.isDecodable }) else {
            throw AVError(.noImageAtTime, "“\(file.url.lastPathComponent)” has no pictures.")
        }
        let state = state.withLock { $0 }
        let duration = CMTime(facts.duration)
        guard time.isNumeric,
            time < duration || CMTimeSubtract(time, duration) <= state.toleranceBefore
        else {
            throw AVError(
                .noImageAtTime,
                "“\(file.url.lastPathComponent)” has no picture at that time.",
                reason: "It is \(duration.seconds) seconds long.",
                recovery: "Ask for a time in it, or allow more with requestedTimeToleranceBefore."
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
            throw AVError(error, doing: "read", file.url)
        }
        switch answer {
        case .pixels(let facts, let pixels):
            guard let memory = pixels.mapped() else {
                throw AVError(.decodeFailed, "There is no memory for the picture.")
            }
            let image = CGImage(memory: memory, hasAlpha: facts.hasAlpha)
            return (image, facts.time.map { CMTime($0) } ?? time)
        case .unsupported(let reason), .failed(let reason):
            throw AVError(
                .decodeFailed,
                "A picture of “\(file.url.lastPathComponent)” can't be decoded.",
                reason: reason,
                path: file.url.path
            )
        case .cancelled: throw AVError(.operationCancelled, "The picture was cancelled.")
        }
    }

    private static func shape(_ maximum: CGSize) -> PixelShape {
        func side(_ length: CGFloat) -> Int {
            length.isFinite && length >= 1 ? min(Int(length), 1 << 20) : 1 << 20
        }
        guard maximum.width >= 1 || maximum.height >= 1 else { return PixelShape() }
        return PixelShape(size: PixelSize(width: side(maximum.width), height: side(maximum.height)))
    }
}

extension AVAssetImageGenerator {
    /// Pictures of a movie, one after another, as they are made.
    public struct Images: AsyncSequence, Sendable {
        /// What came of one of the times.
        public enum Element: Sendable {
            /// A picture, and when it is shown.
            case success(requestedTime: CMTime, image: CGImage, actualTime: CMTime)
            /// Why there is none.
            case failure(requestedTime: CMTime, error: any Error)

            /// The time that was asked for.
            public var requestedTime: CMTime {
                switch self {
                case .success(let time, _, _), .failure(let time, _): time
                }
            }

            /// The picture.
            ///
            /// - Throws: Why there is none.
            public var image: CGImage {
                get throws {
                    switch self {
                    case .success(_, let image, _): return image
                    case .failure(_, let error): throw error
                    }
                }
            }

            /// When the picture is shown.
            ///
            /// - Throws: Why there is none.
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

        /// Begins with the first time.
        public func makeAsyncIterator() -> Iterator { Iterator(generator, times) }

        /// Makes one picture when it is asked for.
        public struct Iterator: AsyncIteratorProtocol {
            private let generator: AVAssetImageGenerator
            private var times: ArraySlice<CMTime>

            init(_ generator: AVAssetImageGenerator, _ times: [CMTime]) {
                self.generator = generator
                self.times = times[...]
            }

            /// What came of the next time; nil after the last one, and when the task is cancelled.
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
