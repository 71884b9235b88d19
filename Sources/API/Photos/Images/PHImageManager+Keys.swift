public import Foundation

/// The identifier of a request, used to cancel it.
public typealias PHImageRequestID = Int32

/// An identifier that never refers to a request; returned for synchronous requests.
public let PHInvalidImageRequestID: PHImageRequestID = 0

/// The target size that requests all pixels of an image, without scaling or cropping.
///
/// It overrides the options.
public let PHImageManagerMaximumSize = CGSize(width: -1, height: -1)

/// An info key for whether the file is stored only remotely; always present, as `Bool`.
///
/// It is true for a degraded image whose file would have to be downloaded, and if a request fails
/// because it may not use the network.
public let PHImageResultIsInCloudKey = "PHImageResultIsInCloudKey"

/// An info key for whether the result is below the requested quality; always present, as `Bool`.
public let PHImageResultIsDegradedKey = "PHImageResultIsDegradedKey"

/// An info key for the request's identifier; always present, as `PHImageRequestID`.
public let PHImageResultRequestIDKey = "PHImageResultRequestIDKey"

/// An info key that is true, as `Bool`, if the request was canceled.
public let PHImageCancelledKey = "PHImageCancelledKey"

/// An info key for the ``PHPhotosError`` that explains why there is no image.
///
/// If there is an image, the error is the reason that part of it is missing. A photo from a
/// truncated file shows the part that can be decoded.
public let PHImageErrorKey = "PHImageErrorKey"

/// An info key for the file that was read, as `URL`.
///
/// Existing programs rely on it.
///
/// Absent for a program that uses the daemon without owning the library.
let imageFileURLKey = "PHImageFileURLKey"
