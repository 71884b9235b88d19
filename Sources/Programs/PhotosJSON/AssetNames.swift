public import Photos

// Enums and option sets by the names that Swift programs use for them.

extension PHAssetMediaType {
    /// As Swift programs write it.
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
    /// As Swift programs write it.
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
    /// As Swift programs write it.
    public var name: String {
        switch self {
        case .userAdjusted: "userAdjusted"
        case .cameraAutoAdjusted: "cameraAutoAdjusted"
        default: "none"
        }
    }
}

extension PHAsset.Rating {
    /// As Swift programs write it.
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
    /// As Swift programs write them.
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
    /// As Swift programs write them.
    public var names: [String] {
        [(Self.autoPick, "autoPick"), (.userPick, "userPick")].filter { contains($0.0) }.map(\.1)
    }
}

extension PHAssetSourceType {
    /// As Swift programs write them.
    public var names: [String] {
        [
            (Self.typeUserLibrary, "typeUserLibrary"), (.typeCloudShared, "typeCloudShared"),
            (.typeiTunesSynced, "typeiTunesSynced"),
        ].filter { contains($0.0) }.map(\.1)
    }
}

extension PHAssetResourceType {
    /// As Swift programs write it.
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
