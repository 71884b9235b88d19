public import Foundation

/// Hears how much of a movie has been downloaded.
///
/// - Parameters:
///   - progress: From 0 to 1.
///   - error: Why the download stopped.
///   - stop: Set to true, it cancels the request.
///   - info: As in a request's result.
public typealias PHAssetVideoProgressHandler = (
    _ progress: Double, _ error: (any Error)?, _ stop: UnsafeMutablePointer<ObjCBool>,
    _ info: [AnyHashable: Any]?
) -> Void

/// Which of an asset's movies is meant.
public enum PHVideoRequestOptionsVersion: Int, Sendable, CaseIterable {
    /// As edited; the original where there are no edits.
    case current = 0
    /// As it came into the library.
    case original = 1
}

/// How good a movie is.
///
/// The modes differ for movies that are still on another machine. One that is on this machine is
/// given as it is, in all of them.
public enum PHVideoRequestOptionsDeliveryMode: Int, Sendable, CaseIterable {
    /// As is best for where the movie is.
    case automatic = 0
    /// The movie itself.
    case highQualityFormat = 1
    /// A smaller one, where the movie itself would have to be downloaded.
    case mediumQualityFormat = 2
    /// Whatever comes soonest.
    case fastFormat = 3
}

/// What a request for a movie asks for.
open class PHVideoRequestOptions: NSObject {
    /// Which of the asset's movies; the current one unless it says otherwise.
    open var version: PHVideoRequestOptionsVersion = .current

    /// How good; automatic unless it says otherwise.
    open var deliveryMode: PHVideoRequestOptionsDeliveryMode = .automatic

    /// Whether bytes may be downloaded.
    ///
    /// The files of a library on this machine never have to be.
    open var isNetworkAccessAllowed = false

    /// Hears of downloads, on a serial queue; never of a file that is on this machine.
    open var progressHandler: PHAssetVideoProgressHandler?

    /// Options that ask for nothing in particular.
    public override init() {
        super.init()
    }
}
