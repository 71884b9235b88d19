public import Foundation

/// The number of a request for what an editor begins with, to cancel it by; 0 is that of no request.
public typealias PHContentEditingInputRequestID = Int

/// The info key that says whether the files are elsewhere and may not be downloaded: an `NSNumber`.
///
/// Always false: the files of a library on this machine are there.
public let PHContentEditingInputResultIsInCloudKey = "PHContentEditingInputResultIsInCloudKey"

/// The info key that says whether the request was cancelled: an `NSNumber`.
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"

/// The info key for the reason why there is no input: an `NSError`.
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"

/// What an editor wants to begin with.
open class PHContentEditingInputRequestOptions: NSObject {
    /// Whether the editor can go on with an edit that was saved.
    ///
    /// Asked only about assets that carry adjustment data, on no particular queue. With true the
    /// editor gets the files to which the adjustments apply, and the adjustments; with false, as it is
    /// unless it is set, the files as they are shown now, and no adjustments.
    open var canHandleAdjustmentData: (PHAdjustmentData) -> Bool = { _ in false }

    /// Whether files may be downloaded.
    ///
    /// The files of a library on this machine never have to be.
    open var isNetworkAccessAllowed = false

    /// Hears how far the request is, from 0 to 1, on the serial queue of its completion handler.
    ///
    /// Setting the flag to true cancels the request.
    open var progressHandler: ((Double, UnsafeMutablePointer<ObjCBool>) -> Void)?

    /// Whether ``PHContentEditingInput/displaySizeImage`` stays nil, for editors that do not need it.
    open var skipsDisplaySizeImage = false

    /// Which original of an asset with a RAW and a compressed one is begun with, where what is begun
    /// with is not an edit.
    ///
    /// Unless it is set, the one that counts for the asset (``PHAsset/originalResourceChoice``) is.
    open var originalResourceChoice: PHAsset.OriginalResourceChoice {
        get { chosenOriginal ?? .compressed }
        set { chosenOriginal = newValue }
    }

    /// Nil for whichever counts for the asset.
    private(set) var chosenOriginal: PHAsset.OriginalResourceChoice?

    /// Options of an editor that begins anew.
    public override init() {
        super.init()
    }
}
