/// The number of a request for a Live Photo of files, to cancel it by.
public typealias PHLivePhotoRequestID = Int32

/// The number of no request.
public var PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID { 0 }

/// In a result's information: why there is no Live Photo, a ``PHPhotosError``.
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"

/// In a result's information: whether a better one comes; always present, as `Bool`.
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"

/// In a result's information: true, as `Bool`, when the request was cancelled.
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"
