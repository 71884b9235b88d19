// Enumerations and option sets are Codable, since Foundation's `#Predicate` asks that of the values in it.

/// What kind of medium an asset is.
public enum PHAssetMediaType: Int, Hashable, Codable, Sendable {
    /// Not known.
    case unknown = 0
    /// A photo or another image.
    case image = 1
    /// A movie.
    case video = 2
    /// A sound.
    case audio = 3
}

/// What is special about an asset's medium.
///
/// Several can hold at once.
public struct PHAssetMediaSubtype: OptionSet, Hashable, Codable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// The subtypes with these bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A panorama.
    public static let photoPanorama = PHAssetMediaSubtype(rawValue: 1 << 0)
    /// A photo with a high dynamic range.
    public static let photoHDR = PHAssetMediaSubtype(rawValue: 1 << 1)
    /// A picture of a screen.
    public static let photoScreenshot = PHAssetMediaSubtype(rawValue: 1 << 2)
    /// A Live Photo: a still with its movie.
    public static let photoLive = PHAssetMediaSubtype(rawValue: 1 << 3)
    /// A portrait with depth.
    public static let photoDepthEffect = PHAssetMediaSubtype(rawValue: 1 << 4)
    /// An image that moves.
    public static let photoAnimation = PHAssetMediaSubtype(rawValue: 1 << 6)
    /// A photo or movie for two eyes.
    public static let spatialMedia = PHAssetMediaSubtype(rawValue: 1 << 10)
    /// A movie that is not stored here.
    public static let videoStreamed = PHAssetMediaSubtype(rawValue: 1 << 16)
    /// A movie with a high frame rate, shown in slow motion.
    public static let videoHighFrameRate = PHAssetMediaSubtype(rawValue: 1 << 17)
    /// A time-lapse movie.
    public static let videoTimelapse = PHAssetMediaSubtype(rawValue: 1 << 18)
    /// A movie of a screen.
    public static let videoScreenRecording = PHAssetMediaSubtype(rawValue: 1 << 19)
    /// A movie whose focus can be changed.
    public static let videoCinematic = PHAssetMediaSubtype(rawValue: 1 << 21)
}

/// Who picked a frame of a burst.
///
/// Both may have.
public struct PHAssetBurstSelectionType: OptionSet, Hashable, Codable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// The selections with these bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The library picked it.
    public static let autoPick = PHAssetBurstSelectionType(rawValue: 1 << 0)
    /// The user picked it.
    public static let userPick = PHAssetBurstSelectionType(rawValue: 1 << 1)
}

/// Where an asset came from.
public struct PHAssetSourceType: OptionSet, Hashable, Codable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// The sources with these bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The user's own library.
    public static let typeUserLibrary = PHAssetSourceType(rawValue: 1 << 0)
    /// A shared album.
    public static let typeCloudShared = PHAssetSourceType(rawValue: 1 << 1)
    /// A computer that it was synced from.
    public static let typeiTunesSynced = PHAssetSourceType(rawValue: 1 << 2)
}

/// What can be done to an asset.
///
/// See ``PHAsset/canPerform(_:)``.
public enum PHAssetEditOperation: Int, Hashable, Codable, Sendable {
    /// Delete it.
    case delete = 1
    /// Change its pixels or frames.
    case content = 2
    /// Change its properties.
    case properties = 3
}
