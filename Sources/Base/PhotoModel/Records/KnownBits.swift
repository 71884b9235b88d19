/// The bits that are defined in masks of an asset.
///
/// Values from outside are limited to them before they are stored.
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
