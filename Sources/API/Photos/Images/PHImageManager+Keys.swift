public import Foundation

/// The number of a request, to cancel it by.
public typealias PHImageRequestID = Int32

/// The number of no request, and of synchronous ones.
public let PHInvalidImageRequestID: PHImageRequestID = 0

/// Asks for all pixels that a picture has: nothing is scaled or cropped, whatever the options say.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// In a result's information: whether the file is not on this machine; always present, as `Bool`.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"

/// In a result's information: whether it is less than was asked for; always present, as `Bool`.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"

/// In a result's information: the request's number; always present, as `PHImageRequestID`.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"

/// In a result's information: true, as `Bool`, when the request was cancelled.
public let PHImageCancelledKey = "PHImageCancelledKey"

/// In a result's information: why there is no picture, a ``PHPhotosError``.
///
/// Beside a picture: why a part of it is missing. A photo whose file was cut short shows what there is.
public let PHImageErrorKey = "PHImageErrorKey"

/// In a result's information: the file that was read, as `URL`; a habit of programs.
let imageFileURLKey = "PHImageFileURLKey"
