public import Foundation

/// A handler that receives the download progress of an image.
///
/// - Parameters:
///   - progress: The progress from 0 to 1.
///   - error: The reason that the download stopped.
///   - stop: Setting this to true cancels the request.
///   - info: The info dictionary, as in a request's result.
public typealias PHAssetImageProgressHandler = (
    _ progress: Double, _ error: (any Error)?, _ stop: UnsafeMutablePointer<ObjCBool>,
    _ info: [AnyHashable: Any]?
) -> Void

/// The version of an asset's image to load.
public enum PHImageRequestOptionsVersion: Int, Sendable, CaseIterable {
    /// The edited version, or the original if there are no edits.
    case current = 0
    /// The version without edits.
    case unadjusted = 1
    /// The best original, which is the RAW file of a RAW+JPEG pair.
    case original = 2
}

/// The mode that determines the number and quality of a request's results.
public enum PHImageRequestOptionsDeliveryMode: Int, Sendable, CaseIterable {
    /// Delivers one or more results: first a readily available image, and last the requested image.
    case opportunistic = 0
    /// Delivers one result, of the requested quality or better.
    case highQualityFormat = 1
    /// Delivers one readily available result, possibly of lower quality; only for asynchronous
    /// requests.
    case fastFormat = 2
}

/// The way in which an image is scaled.
public enum PHImageRequestOptionsResizeMode: Int, Sendable, CaseIterable {
    /// No scaling.
    case none = 0
    /// The fastest scaling. The result is smaller than requested only if the image itself is
    /// smaller.
    case fast = 1
    /// Scaling to exactly the requested size.
    case exact = 2
}

/// The way to fit an image to a size of another aspect ratio.
public enum PHImageContentMode: Int, Sendable, CaseIterable {
    /// Fits the whole image inside the size.
    case aspectFit = 0
    /// Fills the size, and may extend beyond it.
    case aspectFill = 1

    /// The default content mode, ``aspectFit``.
    public static var `default`: PHImageContentMode { .aspectFit }
}

/// Options for requesting an image.
open class PHImageRequestOptions: NSObject, NSCopying {
    /// The version of the asset's image; the default is the current version.
    open var version: PHImageRequestOptionsVersion = .current

    /// The mode that determines the number and quality of the results; the default is
    /// opportunistic.
    open var deliveryMode: PHImageRequestOptionsDeliveryMode = .opportunistic

    /// The way in which the image is scaled; the default is fast.
    open var resizeMode: PHImageRequestOptionsResizeMode = .fast

    /// The crop rectangle in the upright image, as fractions of its sides from the upper left
    /// corner.
    ///
    /// Zero selects the whole image. The crop applies in every resize mode, but only
    /// ``PHImageRequestOptionsResizeMode/exact`` scales the cropped part to exactly the requested
    /// size. `PHImageManagerMaximumSize` always returns the whole image.
    open var normalizedCropRect: CGRect = .zero

    /// Indicates whether the request may download files.
    ///
    /// Only a library that is part of a cloud library has files to download. Without permission, a
    /// request for such a file fails with `networkAccessRequired`.
    open var isNetworkAccessAllowed = false

    /// Indicates whether the request blocks the calling thread until its handler has returned.
    ///
    /// A synchronous request calls the handler once, on the calling thread, as with
    /// ``PHImageRequestOptionsDeliveryMode/highQualityFormat``.
    open var isSynchronous = false

    /// The download progress handler, called on a serial queue, and only during a download.
    open var progressHandler: PHAssetImageProgressHandler?

    /// Indicates whether an opportunistic request may deliver a second degraded image.
    ///
    /// It is delivered between the first and the last image.
    open var allowSecondaryDegradedImage = false

    /// Indicates whether the image may contain pixels brighter than the white of a standard dynamic
    /// range display.
    ///
    /// It does so if the file has a gain map or an HDR transfer function (PQ, HLG). The last result
    /// then has half-precision pixels in extended linear Display P3 for every file; in a file
    /// without highlights, no pixel value exceeds 1. Earlier results have standard dynamic range.
    open var preferHDR = false

    /// The maximum brightness of a pixel relative to white, used only if ``preferHDR`` is set.
    ///
    /// The default, 0, allows the headroom that the file specifies.
    open var targetHDRHeadroom: CGFloat = 0

    /// Creates options with default values.
    public override init() {
        super.init()
    }

    /// Returns a copy with the same values.
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

    /// Returns a copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
