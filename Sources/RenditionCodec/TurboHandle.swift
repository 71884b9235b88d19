import CTurboJPEG

/// The one owner of a TurboJPEG instance.
///
/// An instance holds the state of one call and is not safe to share; making one costs microseconds
/// against the milliseconds of a picture. So each call makes its own, and the codec as a whole can
/// be used from any number of threads.
struct TurboHandle: ~Copyable {
    let pointer: tjhandle

    static func compressor() throws(RenditionCodecError) -> TurboHandle {
        guard let pointer = tjInitCompress() else { throw outOfMemory }
        return TurboHandle(pointer: pointer)
    }

    static func decompressor() throws(RenditionCodecError) -> TurboHandle {
        guard let pointer = tjInitDecompress() else { throw outOfMemory }
        return TurboHandle(pointer: pointer)
    }

    private init(pointer: tjhandle) { self.pointer = pointer }

    deinit { tjDestroy(pointer) }

    /// What the library says of the last failure on this instance, copied out of its buffer.
    var lastError: String {
        guard let text = tjGetErrorStr2(pointer) else { return "libjpeg-turbo gave no reason." }
        return "libjpeg-turbo: " + String(cString: text) + "."
    }

    private static var outOfMemory: RenditionCodecError {
        RenditionCodecError(
            .outOfMemory,
            "No JPEG codec could be made.",
            recovery: "Close other programs, or allow this one more memory."
        )
    }
}

extension PixelLayout {
    var turboFormat: Int32 {
        switch self {
        case .rgb: Int32(TJPF_RGB.rawValue)
        case .rgbx: Int32(TJPF_RGBX.rawValue)
        case .gray: Int32(TJPF_GRAY.rawValue)
        }
    }
}
