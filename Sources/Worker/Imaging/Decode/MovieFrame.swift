internal import CFFmpegShim
internal import PhotoModel

/// A movie frame or a still image that FFmpeg decoded, in its stored orientation.
///
/// Owns FFmpeg's memory.
final class MovieFrame {
    private var frame = cphotos_frame()

    /// Decodes a still image.
    convenience init(
        _ still: StillFrame,
        maximumPixels: Int,
        sink: any RowSink
    ) throws(DecodeFailure) {
        try self.init(
            still.descriptor,
            container: still.container,
            still: cphotos_still(
                isOpaque: still.hasAlpha ? 0 : 1,
                isFullRange: still.isFullRange ? 1 : 0
            ),
            maximumPixels: maximumPixels,
            sink: sink
        )
        if still.isMatted { removeMatte() }
    }

    /// Decodes a movie's frame at `time`; if `time` is nil, the first frame that is not dark.
    ///
    /// If the frames at the start are all dark, the first of them is used. A `still` that is not
    /// nil decodes a still image instead.
    init(
        _ descriptor: Int32,
        container: String,
        still: cphotos_still? = nil,
        at time: MovieTime? = nil,
        maximumPixels: Int,
        sink: any RowSink
    ) throws(DecodeFailure) {
        var moment = cphotos_moment(time: time?.microseconds ?? 0)
        var words = [CChar](repeating: 0, count: 256)
        let watch = CancellationWatch(sink)
        let code = withExtendedLifetime(watch) {
            withUnsafePointer(to: still ?? cphotos_still()) { rules in
                withUnsafeMutablePointer(to: &moment) { moment in
                    cphotos_movie_frame(
                        descriptor,
                        container,
                        UInt64(max(0, maximumPixels)),
                        still == nil ? nil : rules,
                        time == nil ? nil : UnsafePointer(moment),
                        { CancellationWatch.isCancelled($0) },
                        watch.pointer,
                        &frame,
                        &words,
                        words.count
                    )
                }
            }
        }
        switch code {
        case 0: break
        case 1: throw .cancelled
        case 2: throw .damaged("its image exceeds the limit of pixels")
        default: throw .damaged(ErrorWords.first(inBuffer: words))
        }
    }

    deinit { cphotos_frame_release(&frame) }

    /// Recovers the original colors of pixels that were stored blended with white according to
    /// their alpha.
    private func removeMatte() {
        guard bands == 4, let pixels = frame.pixels else { return }
        func remove<Sample: FixedWidthInteger>(_: Sample.Type) {
            let most = Int(Sample.max)
            let samples = UnsafeMutableRawBufferPointer(start: pixels, count: frame.length)
                .bindMemory(to: Sample.self)
            for pixel in stride(from: 0, to: samples.count - 3, by: 4) {
                let alpha = Int(samples[pixel + 3])
                guard alpha < most else { continue }
                for band in pixel..<pixel + 3 {
                    let rest = (Int(samples[band]) - (most - alpha)) * most
                    samples[band] = alpha == 0 ? 0 : Sample(min(max(rest / alpha, 0), most))
                }
            }
        }
        if bytesPerSample == 2 { remove(UInt16.self) } else { remove(UInt8.self) }
    }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: frame.pixels, count: frame.length)
    }
    var size: PixelSize { PixelSize(width: Int(frame.width), height: Int(frame.height)) }
    /// The presentation time of a frame that was requested by time; nil for other images.
    var time: MovieTime? {
        frame.timescale > 0
            ? MovieTime(value: frame.time, timescale: Int32(clamping: frame.timescale)) : nil
    }
    var bands: Int { Int(frame.bands) }
    var bytesPerSample: Int { Int(frame.bytesPerSample) }

    var signal: PictureSignal {
        PictureSignal(primaries: Int(frame.primaries), transfer: Int(frame.transfer))
    }

    var profile: [UInt8]? {
        ColorProfile.make(primaries: Int(frame.primaries), transfer: Int(frame.transfer))
    }

    var orientation: Orientation {
        .turned(quarterTurns: Int(frame.quarterTurns), isMirrored: frame.isMirrored != 0)
    }
}
