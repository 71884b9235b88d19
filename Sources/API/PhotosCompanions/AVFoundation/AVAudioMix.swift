public import Foundation

/// How loud the tracks of a movie are.
///
/// PhotoKit gives one with a slow-motion video that is edited; there are none of those yet, so nothing
/// here gives one.
open class AVAudioMix: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; it stores nothing that changes.

    /// What is said of each track; a track that is not named is as loud as it is.
    public let inputParameters: [AVAudioMixInputParameters]

    /// A mix that leaves every track as it is.
    public override init() {
        inputParameters = []
        super.init()
    }

    /// Itself: a mix never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: a mix never changes.
    open override func copy() -> Any { self }
}

/// What an `AVAudioMix` says of a track.
open class AVAudioMixInputParameters: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; it stores nothing that changes.

    /// The track.
    public let trackID: CMPersistentTrackID

    /// What leaves no track in particular as it is.
    public override init() {
        trackID = kCMPersistentTrackID_Invalid
        super.init()
    }

    /// Itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: it never changes.
    open override func copy() -> Any { self }
}
