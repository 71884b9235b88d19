/// The bits that are defined in the bit masks of an asset.
///
/// Other bits are removed from values of unknown origin before they are stored.
package enum KnownBits {
    package static let mediaSubtypes: UInt = [
        MediaSubtypes.photoPanorama, .photoHDR, .photoScreenshot, .photoLive, .photoDepthEffect,
        .photoAnimation, .spatialMedia, .videoStreamed, .videoHighFrameRate, .videoTimelapse,
        .videoScreenRecording, .videoCinematic,
    ].reduce(0) { $0 | $1.rawValue }

    package static let sourceTypes: UInt = [
        SourceTypes.userLibrary, .cloudShared, .computerSynced,
    ].reduce(0) { $0 | $1.rawValue }

    package static let burstSelections: UInt = [
        BurstSelectionTypes.autoPick, .userPick, .alone,
    ].reduce(0) { $0 | $1.rawValue }

    package static let settableFacts: Int = [
        SettableFacts.location, .title, .caption, .keywords, .rating,
    ].reduce(0) { $0 | $1.rawValue }
}
