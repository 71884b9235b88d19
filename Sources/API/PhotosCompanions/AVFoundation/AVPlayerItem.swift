public import Foundation
internal import Synchronization

/// A movie as a player would take it.
///
/// There is no player here: it says what a player's own code asks of it, and hands out its asset. Give
/// the asset's file to whatever plays movies.
open class AVPlayerItem: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; what it stores is immutable but for a Mutex.

    /// Whether it could be played.
    public enum Status: Int, Sendable, CaseIterable {
        /// The file has not been read yet.
        case unknown = 0
        /// It has been read.
        case readyToPlay = 1
        /// It can't be read.
        case failed = 2
    }

    /// The movie.
    public let asset: AVAsset
    private let mix: Mutex<AVAudioMix?>

    /// An item of a movie.
    public init(asset: AVAsset) {
        self.asset = asset
        mix = Mutex(nil)
        super.init()
    }

    /// An item of a movie of which values are read at once, in the background.
    public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        self.init(asset: asset)
        if let keys = automaticallyLoadedAssetKeys, !keys.isEmpty {
            asset.loadValuesAsynchronously(forKeys: keys)
        }
    }

    /// An item of a file.
    public convenience init(url: URL) {
        self.init(asset: AVURLAsset(url: url))
    }

    /// Another item of the same movie.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVPlayerItem(asset: asset)
        copy.audioMix = audioMix
        return copy
    }

    /// Another item of the same movie.
    open override func copy() -> Any { copy(with: nil) }

    /// Whether the file has been read, without waiting for it.
    open var status: Status {
        switch asset.statusOfValue(forKey: "tracks") {
        case .unknown, .loading, .cancelled: .unknown
        case .loaded: .readyToPlay
        case .failed: .failed
        }
    }

    /// Why the file can't be read.
    open var error: (any Error)? {
        var error: NSError?
        _ = asset.statusOfValue(forKey: "tracks", error: &error)
        return error
    }

    /// How long it is, once the file has been read; indefinite before.
    open var duration: CMTime { status == .readyToPlay ? asset.duration : .indefinite }

    /// The size of the upright picture in pixels, once the file has been read; zero before.
    open var presentationSize: CGSize {
        guard status == .readyToPlay, let track = asset.tracks(withMediaType: .video).first else {
            return .zero
        }
        let size = track.naturalSize.applying(track.preferredTransform)
        return CGSize(width: abs(size.width), height: abs(size.height))
    }

    /// Where it is: at its begin, since nothing plays it.
    open func currentTime() -> CMTime { .zero }

    /// How loud the tracks are meant to be; nil for as they are.
    open var audioMix: AVAudioMix? {
        get { mix.withLock { $0 } }
        set { mix.withLock { $0 = newValue } }
    }
}
