internal import PhotoModel
internal import RemoteLibrary

/// What became of the files of a photo that was to be downloaded.
public struct CloudDownload: Sendable, Hashable {
    /// The outcome of a download.
    public enum Outcome: String, Sendable, Hashable {
        /// All files are here now.
        case downloaded
        /// All files were here before.
        case here
        /// A file is still only in the cloud.
        case failed
    }

    /// The local identifier of the photo.
    public var localIdentifier: String
    /// The outcome.
    public var outcome: Outcome
    /// The reason of a failure, with a recovery suggestion.
    public var reason: String?

    init(_ download: CloudReply.Download) {
        localIdentifier = download.localIdentifier
        outcome = Outcome(rawValue: download.outcome.rawValue) ?? .failed
        reason = download.error?.description
    }
}
