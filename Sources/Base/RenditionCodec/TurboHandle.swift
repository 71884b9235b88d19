import CTurboJPEG
import Synchronization

/// The one owner of a TurboJPEG instance.
///
/// An instance holds the state of one call and is not safe to share, so each call has its own. A
/// decompressor that is made anew costs a tenth of a small picture: after a call that went well it is
/// kept for another. One that failed is in the middle of what it read, and goes.
struct TurboHandle: ~Copyable {
    /// Decompressors that wait for their next call.
    ///
    /// Unchecked because a pointer can't say so: whoever takes one is alone with it.
    private struct Idle: @unchecked Sendable {
        var pointers: [tjhandle] = []
    }

    /// More are not used at once as a rule; each is some kilobytes.
    private static let idleLimit = 8
    private static let idle = Mutex(Idle())

    let pointer: tjhandle

    static func compressor() throws(RenditionCodecError) -> TurboHandle {
        guard let pointer = tjInitCompress() else { throw outOfMemory }
        return TurboHandle(pointer: pointer)
    }

    static func decompressor() throws(RenditionCodecError) -> TurboHandle {
        guard let pointer = idle.withLock({ $0.pointers.popLast() }) ?? tjInitDecompress() else {
            throw outOfMemory
        }
        return TurboHandle(pointer: pointer)
    }

    private init(pointer: tjhandle) { self.pointer = pointer }

    deinit { tjDestroy(pointer) }

    /// Keeps a decompressor whose call went well for another.
    consuming func keep() {
        let kept = pointer
        discard self
        let isKept = Self.idle.withLock { idle in
            guard idle.pointers.count < Self.idleLimit else { return false }
            idle.pointers.append(kept)
            return true
        }
        if !isKept { tjDestroy(kept) }
    }

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
