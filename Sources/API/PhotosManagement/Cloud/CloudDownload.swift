internal import PhotoModel
internal import RemoteLibrary

/// The result of downloading the files of one photo.
public struct CloudDownload: Sendable, Hashable {
    /// The outcome of a download.
    public enum Outcome: String, Sendable, Hashable {
        /// All files are now on this computer.
        case downloaded
        /// All files were already on this computer.
        case here
        /// At least one file is still only in the cloud.
        case failed
    }

    /// The local identifier of the photo.
    public var localIdentifier: String
    /// The outcome.
    public var outcome: Outcome
    /// The reason for a failure, with a recovery suggestion; nil for the other outcomes.
    public var reason: String?

    init(_ download: CloudReply.Download) {
        localIdentifier = download.localIdentifier
        outcome = Outcome(rawValue: download.outcome.rawValue) ?? .failed
        reason = download.error?.description
    }
}
