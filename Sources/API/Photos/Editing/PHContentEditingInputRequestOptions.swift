public import Foundation

/// The identifier of an editing input request, used to cancel it; 0 identifies no request.
public typealias PHContentEditingInputRequestID = Int

/// The info key for whether the files are only in the cloud and must not be downloaded: an
/// `NSNumber`.
///
/// It is always present. Only a library that is part of a cloud library has such files.
public let PHContentEditingInputResultIsInCloudKey = "PHContentEditingInputResultIsInCloudKey"

/// The info key for whether the request was canceled: an `NSNumber`.
public let PHContentEditingInputCancelledKey = "PHContentEditingInputCancelledKey"

/// The info key for an `NSError` that states why there is no input.
public let PHContentEditingInputErrorKey = "PHContentEditingInputErrorKey"

/// Options for requesting the input of an editing session.
open class PHContentEditingInputRequestOptions: NSObject {
    /// A closure that returns whether the editor can continue from the adjustments of a saved edit.
    ///
    /// It is called only for assets with adjustment data, on an unspecified queue. If it returns
    /// true, the editor receives the adjustments and the files that they apply to. If it returns
    /// false, which is the default, the editor receives the files as currently shown, without
    /// adjustments.
    open var canHandleAdjustmentData: (PHAdjustmentData) -> Bool = { _ in false }

    /// Indicates whether the request may download files.
    ///
    /// Only a library that is part of a cloud library has files to download. Without permission, a
    /// request for such a file fails with `networkAccessRequired`.
    open var isNetworkAccessAllowed = false

    /// A closure that receives the progress from 0 to 1, called on the serial queue of the
    /// completion handler.
    ///
    /// Setting the flag to true cancels the request.
    open var progressHandler: ((Double, UnsafeMutablePointer<ObjCBool>) -> Void)?

    /// Indicates whether to leave ``PHContentEditingInput/displaySizeImage`` nil because it is not
    /// needed.
    open var skipsDisplaySizeImage = false

    /// The original from which the editor of a RAW+JPEG asset starts, unless it continues from a
    /// saved edit.
    ///
    /// The default is the asset's own choice (``PHAsset/originalResourceChoice``).
    open var originalResourceChoice: PHAsset.OriginalResourceChoice {
        get { chosenOriginal ?? .compressed }
        set { chosenOriginal = newValue }
    }

    /// The original that the client chose, or nil to use the asset's
    /// ``PHAsset/originalResourceChoice``.
    private(set) var chosenOriginal: PHAsset.OriginalResourceChoice?

    /// Creates options for an editor that cannot continue from saved edits.
    public override init() {
        super.init()
    }
}
