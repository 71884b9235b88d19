/// The identifier of a request for a Live Photo from files, used to cancel it.
public typealias PHLivePhotoRequestID = Int32

/// An identifier that never refers to a request.
public var PHLivePhotoRequestIDInvalid: PHLivePhotoRequestID { 0 }

/// An info key for the ``PHPhotosError`` that explains why there is no Live Photo.
public let PHLivePhotoInfoErrorKey = "PHLivePhotoInfoErrorKey"

/// An info key for whether a better result follows; always present, as `Bool`.
public let PHLivePhotoInfoIsDegradedKey = "PHLivePhotoInfoIsDegradedKey"

/// An info key that is true, as `Bool`, if the request was canceled.
public let PHLivePhotoInfoCancelledKey = "PHLivePhotoInfoCancelledKey"
