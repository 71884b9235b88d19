public import Foundation

/// The number of a request for data, to cancel it by.
public typealias PHAssetResourceDataRequestID = Int32

/// The number of no request.
public var PHInvalidAssetResourceDataRequestID: PHAssetResourceDataRequestID { 0 }

/// Hears how much of a resource has been read, from 0 to 1.
public typealias PHAssetResourceProgressHandler = (Double) -> Void

/// How a resource is read.
open class PHAssetResourceRequestOptions: NSObject, NSCopying {
    /// Whether bytes may be downloaded.
    ///
    /// The files of a library on this machine never have to be.
    open var isNetworkAccessAllowed = false

    /// Called with the part that has been read, on the same serial queue as the data.
    open var progressHandler: PHAssetResourceProgressHandler?

    /// Options that ask for nothing in particular.
    public override init() {
        super.init()
    }

    /// A copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = PHAssetResourceRequestOptions()
        copy.isNetworkAccessAllowed = isNetworkAccessAllowed
        copy.progressHandler = progressHandler
        return copy
    }

    /// A copy with the same values.
    open override func copy() -> Any { copy(with: nil) }
}
