public import Foundation

/// The identifier of a data request, used to cancel it.
public typealias PHAssetResourceDataRequestID = Int32

/// An identifier that never refers to a request.
public var PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID { 0 }

/// A handler that receives the progress of reading a resource, from 0 to 1.
public typealias PHAssetResourceProgressHandler = (Double) -> Void

/// Options for reading a resource.
open class PHAssetResourceRequestOptions: NSObject, NSCopying {
    /// Indicates whether the request may download files.
    ///
    /// Only a library that is part of a cloud library has files to download. Without permission, a
    /// request for such a file fails with `networkAccessRequired`.
    open var isNetworkAccessAllowed = false

    /// The progress handler, called with the fraction read, on the same serial queue as the data
    /// handler.
    ///
    /// If the file is downloaded first, the download is the first half of the progress.
    open var progressHandler: PHAssetResourceProgressHandler?

    /// Creates options with default values.
    public override init() {
        super.init()
    }

    /// Returns a copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceRequestOptions()
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.progressHandler = progressHandler
        return copy
    }

    /// Returns a copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
