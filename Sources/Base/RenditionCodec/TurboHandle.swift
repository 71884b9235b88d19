import CTurboJPEG
import Synchronization

/// The owner of a TurboJPEG instance.
///
/// An instance holds the state of one call and cannot be shared, so each call has its own. Creating
/// a decompressor costs a tenth of the time to decode a small image, so it is cached after a
/// successful call. After a failure the instance is in an intermediate state and is destroyed.
struct TurboHandle: ~Copyable {
    /// The decompressors available for reuse.
    ///
    /// Unchecked because pointers are not Sendable. A pointer is used only by the call that removed
    /// it.
    private struct Idle: @unchecked Sendable {
        var pointers: [tjhandle] = []
    }

    /// The maximum number of idle decompressors.
    ///
    /// More are rarely used at once, and each takes a few kilobytes.
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

    /// Returns a decompressor to the cache after a successful call.
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

    /// The library's message about the last failure of this instance, copied from its buffer.
    var lastError: String {
        guard let text = tjGetErrorStr2(pointer) else { return "libjpeg-turbo reported no reason." }
        return "libjpeg-turbo: " + String(cString: text) + "."
    }

    private static var outOfMemory: RenditionCodecError {
        RenditionCodecError(
            .outOfMemory,
            "No JPEG codec can be created.",
            recovery: "Quit other programs, or allow this program more memory."
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
