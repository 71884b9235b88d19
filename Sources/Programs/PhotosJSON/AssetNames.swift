public import Photos

// The names of enumeration cases and options, as in Swift.

extension PHAssetMediaType {
    /// The name of the media type in Swift, such as `image`; `unknown` for other values.
    public var name: String {
        switch self {
        case .image: "image"
        case .video: "video"
        case .audio: "audio"
        default: "unknown"
        }
    }
}

extension PHAsset.PlaybackStyle {
    /// The name of the playback style in Swift, such as `livePhoto`.
    public var name: String {
        switch self {
        case .image: "image"
        case .imageAnimated: "imageAnimated"
        case .livePhoto: "livePhoto"
        case .video: "video"
        case .videoLooping: "videoLooping"
        default: "unsupported"
        }
    }
}

extension PHAsset.AdjustmentsState {
    /// The name of the adjustments state in Swift, such as `userAdjusted`.
    public var name: String {
        switch self {
        case .userAdjusted: "userAdjusted"
        case .cameraAutoAdjusted: "cameraAutoAdjusted"
        default: "none"
        }
    }
}

extension PHAsset.Rating {
    /// The name of the rating in Swift: `one` to `five`, or `unset`.
    public var name: String {
        switch self {
        case .one: "one"
        case .two: "two"
        case .three: "three"
        case .four: "four"
        case .five: "five"
        default: "unset"
        }
    }
}

extension PHAssetMediaSubtype {
    /// The names of the media subtypes in this set, as in Swift.
    public var names: [String] {
        let known: [(PHAssetMediaSubtype, String)] = [
            (.photoPanorama, "photoPanorama"), (.photoHDR, "photoHDR"),
            (.photoScreenshot, "photoScreenshot"), (.photoLive, "photoLive"),
            (.photoDepthEffect, "photoDepthEffect"), (.photoAnimation, "photoAnimation"),
            (.spatialMedia, "spatialMedia"), (.videoStreamed, "videoStreamed"),
            (.videoHighFrameRate, "videoHighFrameRate"), (.videoTimelapse, "videoTimelapse"),
            (.videoScreenRecording, "videoScreenRecording"), (.videoCinematic, "videoCinematic"),
        ]
        return known.filter { contains($0.0) }.map(\.1)
    }
}

extension PHAssetBurstSelectionType {
    /// The names of the burst selection types in this set, as in Swift.
    public var names: [String] {
        [(Self.autoPick, "autoPick"), (.userPick, "userPick")].filter { contains($0.0) }.map(\.1)
    }
}

extension PHAssetSourceType {
    /// The names of the source types in this set, as in Swift.
    public var names: [String] {
        [
            (Self.typeUserLibrary, "typeUserLibrary"), (.typeCloudShared, "typeCloudShared"),
            (.typeiTunesSynced, "typeiTunesSynced"),
        ].filter { contains($0.0) }.map(\.1)
    }
}

extension PHAssetResourceType {
    /// The name of the type's Swift case, such as `photo`.
    ///
    /// Values without a case are sidecar files, with the name `sidecar`.
    public var name: String {
        switch self {
        case .photo: "photo"
        case .video: "video"
        case .audio: "audio"
        case .alternatePhoto: "alternatePhoto"
        case .fullSizePhoto: "fullSizePhoto"
        case .fullSizeVideo: "fullSizeVideo"
        case .adjustmentData: "adjustmentData"
        case .adjustmentBasePhoto: "adjustmentBasePhoto"
        case .pairedVideo: "pairedVideo"
        case .fullSizePairedVideo: "fullSizePairedVideo"
        case .adjustmentBasePairedVideo: "adjustmentBasePairedVideo"
        case .adjustmentBaseVideo: "adjustmentBaseVideo"
        case .photoProxy: "photoProxy"
        default: "sidecar"
        }
    }
}
