public import Foundation

/// What a request for a Live Photo asks for besides a size.
open class PHLivePhotoRequestOptions: NSObject, NSCopying {
    /// Which of the asset's Live Photos; the current one unless it says otherwise.
    open var version: PHImageRequestOptionsVersion = .current

    /// How many results, and how good; opportunistic unless it says otherwise.
    open var deliveryMode: PHImageRequestOptionsDeliveryMode = .opportunistic

    /// Whether bytes may be downloaded.
    ///
    /// The files of a library on this machine never have to be.
    open var isNetworkAccessAllowed = false

    /// Hears of downloads, on a serial queue; never of a file that is on this machine.
    open var progressHandler: PHAssetImageProgressHandler?

    /// Options that ask for nothing in particular.
    public override init() {
        super.init()
    }

    /// A copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHLivePhotoRequestOptions()
        copy.version = version
        copy.deliveryMode = deliveryMode
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.progressHandler = progressHandler
        return copy
    }

    /// A copy with the same values.
    open override func copy() -> Any { copy(with: nil) }

    /// The same for the still.
    var forImage: PHImageRequestOptions {
        let options = PHImageRequestOptions()
        options.version = version
        options.deliveryMode = deliveryMode
        options.isNetworkAccessAllowed = isNetworkAccessAllowed
        return options
    }
}
