public import Foundation
internal import Synchronization

/// An asset with its playback state, as expected by code written for AVFoundation's players.
///
/// swift-photos contains no player. The item supplies the state that player code queries, and its
/// asset. Pass the asset's file to the player of your choice.
open class AVPlayerItem: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; its stored state is immutable or in a Mutex.

    /// The readiness of an item for playback.
    public enum Status: Int, Sendable, CaseIterable {
        /// The file has not been read yet.
        case unknown = 0
        /// The file has been read.
        case readyToPlay = 1
        /// The file can't be read.
        case failed = 2
    }

    /// The item's asset.
    public let asset: AVAsset
    private let mix: Mutex<AVAudioMix?>

    /// Creates an item for an asset.
    public init(asset: AVAsset) {
        self.asset = asset
        mix = Mutex(nil)
        super.init()
    }

    /// Creates an item for an asset.
    ///
    /// If any keys are given, the asset's values start loading at once, in the background.
    public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        self.init(asset: asset)
        if let keys = automaticallyLoadedAssetKeys, !keys.isEmpty {
            asset.loadValuesAsynchronously(forKeys: keys)
        }
    }

    /// Creates an item for a file.
    public convenience init(url: URL) {
        self.init(asset: AVURLAsset(url: url))
    }

    /// Returns a new item for the same asset, with the same audio mix.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = AVPlayerItem(asset: asset)
        copy.audioMix = audioMix
        return copy
    }

    /// Returns a new item for the same asset, with the same audio mix.
    open override func copy() -> Any { copy(with: nil) }

    /// The item's current status.
    ///
    /// Reading it does not start to load the file.
    open var status: Status {
        switch asset.statusOfValue(forKey: "tracks") {
        case .unknown, .loading, .cancelled: .unknown
        case .loaded: .readyToPlay
        case .failed: .failed
        }
    }

    /// The error if the file can't be read.
    open var error: (any Error)? {
        var error: NSError?
        _ = asset.statusOfValue(forKey: "tracks", error: &error)
        return error
    }

    /// The item's duration; indefinite until the file has been read.
    open var duration: CMTime { status == .readyToPlay ? asset.duration : .indefinite }

    /// The size of the upright video in pixels; zero until the file has been read.
    open var presentationSize: CGSize {
        guard status == .readyToPlay, let track = asset.tracks(withMediaType: .video).first else {
            return .zero
        }
        let size = track.naturalSize.applying(track.preferredTransform)
        return CGSize(width: abs(size.width), height: abs(size.height))
    }

    /// Returns the current playback time; always zero, because nothing plays the item.
    open func currentTime() -> CMTime { .zero }

    /// The volumes of the tracks; nil leaves them unchanged.
    open var audioMix: AVAudioMix? {
        get { mix.withLock { $0 } }
        set { mix.withLock { $0 = newValue } }
    }
}
