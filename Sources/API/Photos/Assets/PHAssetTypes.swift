// Enumerations and option sets are Codable because Foundation's `#Predicate` requires it of values.

/// The media type of an asset.
public enum PHAssetMediaType: Int, Hashable, Codable, Sendable {
    /// An unknown media type.
    case unknown = 0
    /// A photo or another image.
    case image = 1
    /// A movie.
    case video = 2
    /// An audio recording.
    case audio = 3
}

/// The media subtypes of an asset.
///
/// An asset can have several.
public struct PHAssetMediaSubtype: OptionSet, Hashable, Codable, Sendable {
    /// The raw bit mask.
    public let rawValue: UInt

    /// Creates subtypes from a raw bit mask.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A panorama.
    public static let photoPanorama = PHAssetMediaSubtype(rawValue: 1 << 0)
    /// A photo with high dynamic range.
    public static let photoHDR = PHAssetMediaSubtype(rawValue: 1 << 1)
    /// A screenshot.
    public static let photoScreenshot = PHAssetMediaSubtype(rawValue: 1 << 2)
    /// A Live Photo: a still image with its movie.
    public static let photoLive = PHAssetMediaSubtype(rawValue: 1 << 3)
    /// A portrait with a depth effect.
    public static let photoDepthEffect = PHAssetMediaSubtype(rawValue: 1 << 4)
    /// An animated image.
    public static let photoAnimation = PHAssetMediaSubtype(rawValue: 1 << 6)
    /// A stereoscopic photo or movie.
    public static let spatialMedia = PHAssetMediaSubtype(rawValue: 1 << 10)
    /// A movie that is streamed and not stored locally.
    public static let videoStreamed = PHAssetMediaSubtype(rawValue: 1 << 16)
    /// A movie with a high frame rate, played in slow motion.
    public static let videoHighFrameRate = PHAssetMediaSubtype(rawValue: 1 << 17)
    /// A time-lapse movie.
    public static let videoTimelapse = PHAssetMediaSubtype(rawValue: 1 << 18)
    /// A screen recording.
    public static let videoScreenRecording = PHAssetMediaSubtype(rawValue: 1 << 19)
    /// A movie whose focus can be changed later.
    public static let videoCinematic = PHAssetMediaSubtype(rawValue: 1 << 21)
}

/// The ways in which a frame of a burst was picked.
///
/// A frame can be picked in both ways.
public struct PHAssetBurstSelectionType: OptionSet, Hashable, Codable, Sendable {
    /// The raw bit mask.
    public let rawValue: UInt

    /// Creates selection types from a raw bit mask.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A frame that the library picked.
    public static let autoPick = PHAssetBurstSelectionType(rawValue: 1 << 0)
    /// A frame that the user picked.
    public static let userPick = PHAssetBurstSelectionType(rawValue: 1 << 1)
}

/// The source of an asset.
public struct PHAssetSourceType: OptionSet, Hashable, Codable, Sendable {
    /// The raw bit mask.
    public let rawValue: UInt

    /// Creates source types from a raw bit mask.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The user's own library.
    public static let typeUserLibrary = PHAssetSourceType(rawValue: 1 << 0)
    /// A shared album.
    public static let typeCloudShared = PHAssetSourceType(rawValue: 1 << 1)
    /// A computer that the asset was synced from.
    public static let typeiTunesSynced = PHAssetSourceType(rawValue: 1 << 2)
}

/// An operation on an asset.
///
/// See ``PHAsset/canPerform(_:)``.
public enum PHAssetEditOperation: Int, Hashable, Codable, Sendable {
    /// Deleting the asset.
    case delete = 1
    /// Editing the pixels or frames.
    case content = 2
    /// Changing the properties.
    case properties = 3
}
