internal import CFFmpegShim
package import PhotoModel
package import WorkerProtocol

/// A converter of movies, which accesses only the descriptors of the source and of the result.
///
/// A movie that need not be re-encoded is copied by ``MovieCopier`` if possible; FFmpeg's libraries
/// convert all others.
package struct MovieConverter {
    /// The maximum number of threads; more would use memory without any benefit.
    private static let maximumThreads = 4

    let conversion: MovieConversion
    let maximumPixels: Int
    let processors: Int

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - conversion: The parameters of the conversion.
    ///   - maximumPixels: The maximum number of pixels of a frame to decode.
    ///   - processors: The number of processors.
    package init(conversion: MovieConversion, maximumPixels: Int, processors: Int) {
        self.conversion = conversion
        self.maximumPixels = maximumPixels
        self.processors = processors
    }

    /// A handler that receives the progress and returns whether to stop.
    ///
    /// The progress is in 0...1 and never decreases.
    package typealias Progress = (Double) -> Bool

    /// A decoded frame, which the host may replace before it is encoded.
    package struct Frame {
        package var facts: MovieFrameFacts
        /// The rows, with four bytes per pixel, which are valid only until the handler of the frame
        /// returns.
        package var pixels: UnsafeRawBufferPointer
    }

    /// The host's answer to a frame.
    package enum Drawing {
        case unchanged
        /// A replacement: rows with four bytes per pixel, valid until the next frame.
        case picture(PixelSize, UnsafeRawPointer)
        case stopped
        /// The frame or its replacement could not be transferred.
        case failed
    }

    /// Converts the movie `input` into the empty file `output`; both are file descriptors.
    ///
    /// - Parameters:
    ///   - input: The movie, readable at any offset.
    ///   - output: A file that is writable, readable and seekable.
    ///   - format: The format detected from the movie's content.
    ///   - facts: The movie's metadata.
    ///   - progress: Called very often.
    ///   - draw: Receives each frame in order if the conversion has `isShown`.
    /// - Returns: A report on the result.
    /// - Throws: `MovieFailure`; the output is then unusable.
    package func convert(
        _ input: Int32,
        to output: Int32,
        format: MediaFormat,
        facts: MovieFacts,
        progress: @escaping Progress,
        draw: @escaping (Frame) -> Drawing
    ) throws(MovieFailure) -> MovieConversionReport {
        guard !facts.hasProtectedContent else {
            throw .source("it is copy-protected")
        }
        if let copier = try MovieCopier(input, format: format, conversion: conversion),
            let bytes = try copier.copy(to: output, progress: progress)
        {
            if progress(1) { throw .cancelled }
            return MovieConversionReport(
                duration: facts.duration,
                videoCodec: facts.tracks.first { $0.kind == .video }.flatMap(Self.codecName),
                bytes: bytes
            )
        }
        let source = format.isBoxedMovie ? MovieLayout(descriptor: input) : nil
        let index = source?.index
        let host = Host(progress: { progress($0 * share) }, draw: draw)
        let result = try run(input, output, format: format, scale: index?.timescale, host: host)
        let finisher = MovieFinisher(
            conversion: conversion,
            source: source,
            index: index,
            identifiers: Self.identifiers(in: result)
        )
        let length = try finisher.finish(output, facts: facts) { done in
            progress(min(0.999, share + (1 - share) * done))
        }
        if progress(1) { throw .cancelled }
        return MovieConversionReport(
            duration: MovieTime(value: max(0, result.duration), timescale: 1_000_000),
            videoCodec: withUnsafeBytes(of: result.videoCodec) { Text.clean($0) },
            bytes: length
        )
    }

    /// The fraction of the progress that FFmpeg's work accounts for; moving the index accounts for
    /// the rest.
    private var share: Double {
        guard conversion.movesIndexToFront else { return 1 }
        return conversion.video == .copy || conversion.video == .drop ? 0.6 : 0.98
    }

    private func run(
        _ input: Int32,
        _ output: Int32,
        format: MediaFormat,
        scale: Int?,
        host: Host
    ) throws(MovieFailure) -> cphotos_conversion_result {
        var result = cphotos_conversion_result()
        var words = [CChar](repeating: 0, count: 256)
        let code = withExtendedLifetime(host) {
            withSettings(source: MovieReader.demuxer(for: format), scale: scale) { settings in
                cphotos_movie_convert(
                    input,
                    output,
                    &settings,
                    { context, done in
                        guard let context else { return 0 }
                        return Host.at(context).progress(done) ? 1 : 0
                    },
                    Unmanaged.passUnretained(host).toOpaque(),
                    &result,
                    &words,
                    words.count
                )
            }
        }
        switch Int(code) {
        case cphotos_converted: break
        case cphotos_stopped: throw .cancelled
        case cphotos_unwritable: throw .output(MovieReader.clause(words))
        default: throw .source(MovieReader.clause(words))
        }
        return result
    }

    /// Returns the result's track numbers, keyed by the source's track numbers; FFmpeg numbers
    /// tracks from 1.
    private static func identifiers(in result: cphotos_conversion_result) -> [Int: Int] {
        withUnsafeBytes(of: result.sources) { bytes in
            let sources = bytes.bindMemory(to: Int32.self).prefix(Int(result.trackCount))
            let pairs = sources.enumerated().map { (Int($0.element), $0.offset + 1) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    /// Returns FFmpeg's name of a track's codec.
    private static func codecName(of track: MovieTrack) -> String? {
        cphotos_codec_name(track.codec).flatMap { Text.clean(String(cString: $0)) }
    }

    /// The handlers for progress and frames, as a context for C callbacks.
    private final class Host {
        let progress: Progress
        private let draw: (Frame) -> Drawing

        init(progress: @escaping Progress, draw: @escaping (Frame) -> Drawing) {
            self.progress = progress
            self.draw = draw
        }

        static func at(_ context: UnsafeMutableRawPointer) -> Host {
            Unmanaged<Host>.fromOpaque(context).takeUnretainedValue()
        }

        /// Passes a frame to the handler and, if the handler returns a replacement, replaces the
        /// frame.
        func draw(_ drawn: inout cphotos_drawn, _ colors: PixelColors, _ time: MovieTime) -> Int {
            guard let pixels = drawn.pixels else { return cphotos_draw_fail }
            let size = PixelSize(width: Int(drawn.width), height: Int(drawn.height))
            let frame = Frame(
                facts: MovieFrameFacts(size: size, colors: colors, time: time),
                pixels: UnsafeRawBufferPointer(start: pixels, count: size.width * size.height * 4)
            )
            switch draw(frame) {
            case .unchanged: return 0
            case .picture(let size, let pixels):
                drawn.pixels = pixels.assumingMemoryBound(to: UInt8.self)
                drawn.width = Int32(clamping: size.width)
                drawn.height = Int32(clamping: size.height)
                drawn.stride = size.width * 4
                return 0
            case .stopped: return cphotos_draw_stop
            case .failed: return cphotos_draw_fail
            }
        }
    }

    // MARK: - Settings

    /// Calls `body` with the conversion's settings as a C structure, which is valid only during the
    /// call.
    private func withSettings<Result>(
        source: String,
        scale: Int?,
        _ body: (inout cphotos_conversion_settings) -> Result
    ) -> Result {
        source.withCString { source in
            (conversion.container == .mov ? "mov" : "mp4").withCString { container in
                (brand ?? "").withCString { brand in
                    var settings = cphotos_conversion_settings()
                    settings.source = source
                    settings.container = container
                    settings.brand = brand
                    settings.start = Self.microseconds(conversion.start) ?? 0
                    settings.duration =
                        Self.microseconds(conversion.duration) ?? cphotos_to_the_end
                    settings.keepsMetadata = conversion.keepsMetadata ? 1 : 0
                    settings.maximumBytes = max(0, conversion.maximumBytes ?? 0)
                    settings.maximumPixels = UInt64(max(0, maximumPixels))
                    settings.threads = Int32(max(1, min(processors, Self.maximumThreads)))
                    // A coarser timescale would truncate times, and a finer one would overflow.
                    if let scale, (100...1_000_000).contains(scale) {
                        settings.movieScale = Int32(scale)
                    }
                    describeVideo(in: &settings)
                    describeAudio(in: &settings)
                    return body(&settings)
                }
            }
        }
    }

    private var brand: String? {
        switch conversion.container {
        case .mov, .mp4: nil
        case .m4v: "M4V "
        case .m4a: "M4A "
        }
    }

    private func describeVideo(in settings: inout cphotos_conversion_settings) {
        switch conversion.video {
        case .drop: settings.video = Int32(cphotos_drop)
        case .copy: settings.video = Int32(cphotos_copy)
        case .encode(let codec, let width, let height, let bitRate):
            settings.video = Int32(cphotos_encode)
            settings.codec = Int32(codec == .hevc ? cphotos_codec_hevc : cphotos_codec_h264)
            settings.maximumWidth = Int32(clamping: max(0, width ?? 0))
            settings.maximumHeight = Int32(clamping: max(0, height ?? 0))
            settings.videoBitRate = Int64(max(0, bitRate ?? 0))
        case .draw(let codec, let width, let height, let isShown):
            settings.video = Int32(cphotos_draw)
            settings.codec = Int32(codec == .hevc ? cphotos_codec_hevc : cphotos_codec_h264)
            settings.maximumWidth = Int32(clamping: max(0, width ?? 0))
            settings.maximumHeight = Int32(clamping: max(0, height ?? 0))
            guard isShown else { break }
            settings.draw = { context, drawn, isDisplayP3, time, timescale in
                guard let context else { return Int32(cphotos_draw_fail) }
                return Int32(
                    Host.at(context).draw(
                        &drawn.pointee,
                        isDisplayP3 != 0 ? .displayP3 : .sRGB,
                        MovieTime(value: time, timescale: timescale)
                    )
                )
            }
        }
        // An audio file has no video track.
        if conversion.container == .m4a { settings.video = Int32(cphotos_drop) }
    }

    private func describeAudio(in settings: inout cphotos_conversion_settings) {
        settings.volume = 1
        switch conversion.audio {
        case .drop: settings.audio = Int32(cphotos_drop)
        case .copy: settings.audio = Int32(cphotos_copy)
        case .encodeAAC(let bitRate, let volume):
            settings.audio = Int32(cphotos_encode)
            settings.volume = min(max(volume, 0), 1)
            settings.audioBitRate = Int64(max(0, bitRate ?? 0))
        }
    }

    /// Converts a time to microseconds, clamped to a supported range.
    static func microseconds(_ time: MovieTime?) -> Int64? {
        guard let time else { return nil }
        let scale = Int64(max(1, time.timescale))
        let (whole, rest) = time.value.quotientAndRemainder(dividingBy: scale)
        let (million, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow, abs(million / 2) < Int64.max / 4 else {
            return time.value < 0 ? -1 : Int64.max / 4
        }
        // Rounds to the nearest value, as FFmpeg does.
        let part = (Double(rest) * 1_000_000 / Double(scale)).rounded()
        return million + Int64(part)
    }
}
