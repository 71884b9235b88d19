/// The media type of an asset.
///
/// Raw values are PhotoKit's.
package enum MediaType: Int, Codable, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case image = 1
    case video = 2
    case audio = 3
}

/// The media subtypes of an asset: a bit mask with PhotoKit's raw values.
package struct MediaSubtypes: OptionSet, Codable, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let photoPanorama = MediaSubtypes(rawValue: 1 << 0)
    package static let photoHDR = MediaSubtypes(rawValue: 1 << 1)
    package static let photoScreenshot = MediaSubtypes(rawValue: 1 << 2)
    package static let photoLive = MediaSubtypes(rawValue: 1 << 3)
    package static let photoDepthEffect = MediaSubtypes(rawValue: 1 << 4)
    package static let photoAnimation = MediaSubtypes(rawValue: 1 << 6)
    package static let spatialMedia = MediaSubtypes(rawValue: 1 << 10)
    package static let videoStreamed = MediaSubtypes(rawValue: 1 << 16)
    package static let videoHighFrameRate = MediaSubtypes(rawValue: 1 << 17)
    package static let videoTimelapse = MediaSubtypes(rawValue: 1 << 18)
    package static let videoScreenRecording = MediaSubtypes(rawValue: 1 << 19)
    package static let videoCinematic = MediaSubtypes(rawValue: 1 << 21)
}

/// The playback style of an asset.
///
/// Raw values are PhotoKit's.
package enum PlaybackStyle: Int, Codable, Hashable, Sendable, CaseIterable {
    case unsupported = 0
    case image = 1
    case imageAnimated = 2
    case livePhoto = 3
    case video = 4
    case videoLooping = 5
}

/// The sources of an asset: a bit mask with PhotoKit's raw values.
package struct SourceTypes: OptionSet, Codable, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let userLibrary = SourceTypes(rawValue: 1 << 0)
    package static let cloudShared = SourceTypes(rawValue: 1 << 1)
    package static let computerSynced = SourceTypes(rawValue: 1 << 2)
}

/// The selection of a burst frame by the camera or the user: a bit mask with PhotoKit's raw values.
package struct BurstSelectionTypes: OptionSet, Codable, Hashable, Sendable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let autoPick = BurstSelectionTypes(rawValue: 1 << 0)
    package static let userPick = BurstSelectionTypes(rawValue: 1 << 1)
    /// Marks the only remaining frame of a burst; such a frame is no longer treated as a burst
    /// frame.
    ///
    /// This value is not PhotoKit's and stays internal.
    package static let alone = BurstSelectionTypes(rawValue: 1 << 8)
}

/// The role of a stored file in its asset.
///
/// Raw values are those of `PHAssetResourceType`; values from 1000 on are not PhotoKit's and stay
/// internal.
package enum ResourceType: Int, Codable, Hashable, Sendable, CaseIterable {
    case photo = 1
    case video = 2
    case audio = 3
    case alternatePhoto = 4
    case fullSizePhoto = 5
    case fullSizeVideo = 6
    case adjustmentData = 7
    case adjustmentBasePhoto = 8
    case pairedVideo = 9
    case fullSizePairedVideo = 10
    case adjustmentBasePairedVideo = 11
    case adjustmentBaseVideo = 12
    case photoProxy = 19
    /// An XMP sidecar.
    ///
    /// PhotoKit has no such type; clients see an unknown resource type.
    case sidecar = 1001

    /// Indicates whether files of this type are created by editing; they are stored apart from
    /// originals.
    package var isMadeByEditing: Bool {
        switch self {
        case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo, .adjustmentData,
            .adjustmentBasePhoto, .adjustmentBaseVideo, .adjustmentBasePairedVideo:
            true
        case .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy, .sidecar: false
        }
    }
}
