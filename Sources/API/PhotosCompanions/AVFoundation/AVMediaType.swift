/// The type of media in a track.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// The media type's four-character code.
    public let rawValue: String

    /// Creates a media type from its four-character code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a media type from its four-character code.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Video.
    public static let video = AVMediaType("vide")
    /// Audio.
    public static let audio = AVMediaType("soun")
    /// Text.
    public static let text = AVMediaType("text")
    /// Closed captions.
    public static let closedCaption = AVMediaType("clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType("sbtl")
    /// Time codes.
    public static let timecode = AVMediaType("tmcd")
    /// Timed metadata.
    public static let metadata = AVMediaType("meta")
    /// Muxed video and audio.
    public static let muxed = AVMediaType("muxx")
    /// Depth data.
    public static let depthData = AVMediaType("dpth")
}

/// A characteristic of a track's media.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// The name of the media characteristic, as in AVFoundation.
    public let rawValue: String

    /// Creates a media characteristic from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a media characteristic from its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The characteristic of visual media.
    public static let visual = AVMediaCharacteristic("AVMediaCharacteristicVisual")
    /// The characteristic of audible media.
    public static let audible = AVMediaCharacteristic("AVMediaCharacteristicAudible")
    /// The characteristic of media that consists of readable text.
    public static let legible = AVMediaCharacteristic("AVMediaCharacteristicLegible")
    /// The characteristic of HDR video.
    public static let containsHDRVideo = AVMediaCharacteristic(
        "AVMediaCharacteristicContainsHDRVideo"
    )
}

/// A file type, represented by its uniform type identifier.
///
/// As in AVFoundation, `AVFileType.heic as CFString` is the identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    /// The uniform type identifier.
    public let rawValue: String

    /// Creates a file type from its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a file type from its identifier.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// QuickTime.
    public static let mov = AVFileType("com.apple.quicktime-movie")
    /// MPEG-4.
    public static let mp4 = AVFileType("public.mpeg-4")
    /// MPEG-4 with Apple's own type identifier.
    public static let m4v = AVFileType("com.apple.m4v-video")
    /// MPEG-4 with audio only.
    public static let m4a = AVFileType("com.apple.m4a-audio")
    /// 3GPP.
    public static let mobile3GPP = AVFileType("public.3gpp")
    /// 3GPP2.
    public static let mobile3GPP2 = AVFileType("public.3gpp2")
    /// JPEG.
    public static let jpg = AVFileType("public.jpeg")
    /// HEIF with HEVC-coded images.
    public static let heic = AVFileType("public.heic")
    /// HEIF with AVC-coded images.
    public static let avci = AVFileType("public.avci")
    /// HEIF.
    public static let heif = AVFileType("public.heif")
    /// TIFF.
    public static let tif = AVFileType("public.tiff")
    /// Adobe Digital Negative.
    public static let dng = AVFileType("com.adobe.raw-image")
}

/// The identifier of a track in its file.
public typealias CMPersistentTrackID = Int32

/// The track identifier that refers to no track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
