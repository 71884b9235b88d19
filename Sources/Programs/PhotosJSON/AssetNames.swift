public import Photos

// The names of enumeration cases and options, as in Swift.

extension PHAssetMediaType {
    /// The name of the case in Swift.
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
    /// The name of the case in Swift.
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
    /// The name of the case in Swift.
    public var name: String {
        switch self {
        case .userAdjusted: "userAdjusted"
        case .cameraAutoAdjusted: "cameraAutoAdjusted"
        default: "none"
        }
    }
}

extension PHAsset.Rating {
    /// The name of the case in Swift.
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
    /// The names of the options in Swift.
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
    /// The names of the options in Swift.
    public var names: [String] {
        [(Self.autoPick, "autoPick"), (.userPick, "userPick")].filter { contains($0.0) }.map(\.1)
    }
}

extension PHAssetSourceType {
    /// The names of the options in Swift.
    public var names: [String] {
        [
            (Self.typeUserLibrary, "typeUserLibrary"), (.typeCloudShared, "typeCloudShared"),
            (.typeiTunesSynced, "typeiTunesSynced"),
        ].filter { contains($0.0) }.map(\.1)
    }
}

extension PHAssetResourceType {
    /// The name of the case in Swift.
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
