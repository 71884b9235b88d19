public import Foundation

/// A handler that receives the download progress of a movie.
///
/// - Parameters:
///   - progress: The progress from 0 to 1.
///   - error: The reason that the download stopped.
///   - stop: Setting this to true cancels the request.
///   - info: The info dictionary, as in a request's result.
public typealias PHAssetVideoProgressHandler = (
    _ progress: Double, _ error: (any Error)?, _ stop: UnsafeMutablePointer<ObjCBool>,
    _ info: [AnyHashable: Any]?
) -> Void

/// The version of an asset's movie to load.
public enum PHVideoRequestOptionsVersion: Int, Sendable, CaseIterable {
    /// The edited version, or the original if there are no edits.
    case current = 0
    /// The original, as imported.
    case original = 1
}

/// The quality of a requested movie.
///
/// The mode has no effect: a movie is always delivered in full quality. As in PhotoKit, a file on
/// this computer is delivered as it is. Neither a library nor the store of a cloud library has
/// smaller versions of a movie, so a download is of the whole file, too.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable, CaseIterable {
    /// The quality that the library chooses; this is the default.
    case automatic = 0
    /// The movie in full quality.
    case highQualityFormat = 1
    /// The movie in medium quality; here, it is in full quality.
    case mediumQualityFormat = 2
    /// The version that is available soonest; here, it is the movie in full quality.
    case fastFormat = 3
}

/// Options for requesting a movie.
open class PHVideoRequestOptions: NSObject {
    /// The version of the asset's movie; the default is the current version.
    open var version: PHVideoRequestOptionsVersion = .current

    /// The quality of the movie, which has no effect; the default is automatic.
    open var deliveryMode: PHVideoRequestOptionsDeliveryMode = .automatic

    /// Indicates whether the request may download files.
    ///
    /// Only a library that is part of a cloud library has files to download. Without permission, a
    /// request for such a file fails with `networkAccessRequired`.
    open var isNetworkAccessAllowed = false

    /// The download progress handler, called on a serial queue, and only during a download.
    open var progressHandler: PHAssetVideoProgressHandler?

    /// Creates options with default values.
    public override init() {
        super.init()
    }
}
