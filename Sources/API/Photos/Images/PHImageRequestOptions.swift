public import Foundation

/// Hears how much of a picture has been downloaded.
///
/// - Parameters:
///   - progress: From 0 to 1.
///   - error: Why the download stopped.
///   - stop: Set to true, it cancels the request.
///   - info: As in a request's result.
public typealias PHAssetImageProgressHandler = (
    _ progress: Double, _ error: (any Error)?, _ stop: UnsafeMutablePointer<ObjCBool>,
    _ info: [AnyHashable: Any]?
) -> Void

/// Which of an asset's pictures is meant.
public enum PHImageRequestOptionsVersion: Int, Sendable, CaseIterable {
    /// As edited; the original where there are no edits.
    case current = 0
    /// Without edits.
    case unadjusted = 1
    /// The best original: of a RAW and JPEG pair the RAW.
    case original = 2
}

/// How many results a request gives, and how good.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable, CaseIterable {
    /// What is at hand first, and the picture that was asked for last: one result or more.
    case opportunistic = 0
    /// One result: what was asked for, or better.
    case highQualityFormat = 1
    /// One result: what is at hand, which may be less than was asked for; only for asynchronous
    /// requests.
    case fastFormat = 2
}

/// How a picture is scaled.
public enum PHImageRequestOptionsResizeMode: Int, Sendable, CaseIterable {
    /// Not at all.
    case none = 0
    /// As is quickest: never to fewer pixels than asked for, unless there are no more.
    case fast = 1
    /// To exactly the pixels asked for.
    case exact = 2
}

/// How a picture goes into a size of another aspect.
public enum PHImageContentMode: Int, Sendable, CaseIterable {
    /// Wholly inside it.
    case aspectFit = 0
    /// Covers it, and may reach beyond.
    case aspectFill = 1

    /// ``aspectFit``.
    public static var `default`: PHImageContentMode { .aspectFit }
}

/// What a request for a picture asks for besides a size.
open class PHImageRequestOptions: NSObject, NSCopying {
    /// Which of the asset's pictures; the current one unless it says otherwise.
    open var version: PHImageRequestOptionsVersion = .current

    /// How many results, and how good; opportunistic unless it says otherwise.
    open var deliveryMode: PHImageRequestOptionsDeliveryMode = .opportunistic

    /// How the picture is scaled; fast unless it says otherwise.
    open var resizeMode: PHImageRequestOptionsResizeMode = .fast

    /// A part of the upright picture, in fractions of its sides from the upper left corner; zero for
    /// all of it.
    ///
    /// It is taken in every resize mode; only ``PHImageRequestOptionsResizeMode/exact`` makes the
    /// part exactly as large as asked for. `PHImageManagerMaximumSize` takes all of the picture.
    open var normalizedCropRect: CGRect = .zero

    /// Whether bytes may be downloaded.
    ///
    /// The files of a library on this machine never have to be.
    open var isNetworkAccessAllowed = false

    /// Whether the call returns only when it has called the handler: once, on the calling thread, as
    /// for ``PHImageRequestOptionsDeliveryMode/highQualityFormat``.
    open var isSynchronous = false

    /// Hears of downloads, on a serial queue; never of a file that is on this machine.
    open var progressHandler: PHAssetImageProgressHandler?

    /// Whether an opportunistic request may give a second picture that is less than was asked for,
    /// between the first and the last.
    open var allowSecondaryDegradedImage = false

    /// Whether the picture may be brighter than a plain screen's white, where the file says so: by a
    /// gain map, or by its transfer function (PQ, HLG).
    ///
    /// The last result then has half-precision pixels in extended linear Display P3, whatever the file:
    /// of one without highlights none is above 1. Earlier results are plain.
    open var preferHDR = false

    /// How many times brighter than white the brightest pixel of a picture for which ``preferHDR`` is
    /// set may be; 0, the default, for as bright as the file says.
    open var targetHDRHeadroom: CGFloat = 0

    /// Options that ask for nothing in particular.
    public override init() {
        super.init()
    }

    /// A copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHImageRequestOptions()
        copy.version = version
        copy.deliveryMode = deliveryMode
        copy.resizeMode = resizeMode
        copy.normalizedCropRect = normalizedCropRect
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.isSynchronous = isSynchronous
        copy.progressHandler = progressHandler
        copy.allowSecondaryDegradedImage = allowSecondaryDegradedImage
        copy.preferHDR = preferHDR
        copy.targetHDRHeadroom = targetHDRHeadroom
        return copy
    }

    /// A copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
