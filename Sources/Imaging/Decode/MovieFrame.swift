internal import CFFmpegShim
internal import PhotoModel

/// The first frame of a movie that shows something, as stored; also what FFmpeg reads of a still.
///
/// Owns FFmpeg's memory.
final class MovieFrame {
    private var frame = ph_frame()

    init(
        _ descriptor: Int32,
        container: String,
        maximumPixels: Int,
        sink: any RowSink
    ) throws(DecodeFailure) {
        var words = [CChar](repeating: 0, count: 256)
        let watch = CancellationWatch(sink)
        let code = withExtendedLifetime(watch) {
            ph_movie_frame(
                descriptor,
                container,
                UInt64(max(0, maximumPixels)),
                { CancellationWatch.isCancelled($0) },
                watch.pointer,
                &frame,
                &words,
                words.count
            )
        }
        switch code {
        case 0: break
        case 1: throw .cancelled
        case 2: throw .damaged("its picture has more pixels than are decoded")
        default: throw .damaged(ErrorWords.first(inBuffer: words))
        }
    }

    deinit { ph_frame_release(&frame) }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: frame.pixels, count: frame.length)
    }
    var size: PixelSize { PixelSize(width: Int(frame.width), height: Int(frame.height)) }
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
