public import Foundation

/// The volumes of a movie's tracks.
///
/// PhotoKit supplies a mix with an edited slow-motion video. Those are not supported yet, so
/// nothing creates a mix with parameters.
open class AVAudioMix: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; its stored state is immutable.

    /// The parameters of each track; a track without parameters keeps its volume.
    public let inputParameters: [AVAudioMixInputParameters]

    /// Creates a mix that leaves every track unchanged.
    public override init() {
        inputParameters = []
        super.init()
    }

    /// Returns the mix itself, because mixes are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the mix itself, because mixes are immutable.
    open override func copy() -> Any { self }
}

/// The parameters of one track in an `AVAudioMix`.
open class AVAudioMixInputParameters: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; its stored state is immutable.

    /// The track's identifier.
    public let trackID: CMPersistentTrackID

    /// Creates parameters that apply to no track.
    public override init() {
        trackID = kCMPersistentTrackID_Invalid
        super.init()
    }

    /// Returns the parameters themselves, because they are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the parameters themselves, because they are immutable.
    open override func copy() -> Any { self }
}
