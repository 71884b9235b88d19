public import Foundation

/// Options for requesting a Live Photo.
open class PHLivePhotoRequestOptions: NSObject, NSCopying {
    /// The version of the asset's Live Photo; the default is the current version.
    open var version: PHImageRequestOptionsVersion = .current

    /// The mode that determines the number and quality of the results; the default is
    /// opportunistic.
    open var deliveryMode: PHImageRequestOptionsDeliveryMode = .opportunistic

    /// Indicates whether the request may download files.
    ///
    /// Only a library that is part of a cloud library has files to download. Without permission, a
    /// request for such a file fails with `networkAccessRequired`.
    open var isNetworkAccessAllowed = false

    /// The download progress handler, called on a serial queue, and only during a download.
    open var progressHandler: PHAssetImageProgressHandler?

    /// Creates options with default values.
    public override init() {
        super.init()
    }

    /// Returns a copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHLivePhotoRequestOptions()
        copy.version = version
        copy.deliveryMode = deliveryMode
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.progressHandler = progressHandler
        return copy
    }

    /// Returns a copy with the same values.
    open override func copy() -> Any { copy(with: nil) }

    /// The corresponding options for the still image.
    var forImage: PHImageRequestOptions {
        let options = PHImageRequestOptions()
        options.version = version
        options.deliveryMode = deliveryMode
        options.isNetworkAccessAllowed = isNetworkAccessAllowed
        return options
    }
}
