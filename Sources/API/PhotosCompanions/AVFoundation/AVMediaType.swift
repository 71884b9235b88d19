/// What a track is for.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// Four letters.
    public let rawValue: String

    /// A kind by its letters.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A kind by its letters.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Pictures.
    public static let video = AVMediaType("vide")
    /// Sound.
    public static let audio = AVMediaType("soun")
    /// Text.
    public static let text = AVMediaType("text")
    /// Captions.
    public static let closedCaption = AVMediaType("clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType("sbtl")
    /// Time codes.
    public static let timecode = AVMediaType("tmcd")
    /// Facts that change with time.
    public static let metadata = AVMediaType("meta")
    /// Pictures and sound in one.
    public static let muxed = AVMediaType("muxx")
    /// Depth.
    public static let depthData = AVMediaType("dpth")
}

/// What can be said of a track.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
    /// AVFoundation's name of it.
    public let rawValue: String

    /// A characteristic by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A characteristic by its name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// It is seen.
    public static let visual = AVMediaCharacteristic("AVMediaCharacteristicVisual")
    /// It is heard.
    public static let audible = AVMediaCharacteristic("AVMediaCharacteristicAudible")
    /// It is read.
    public static let legible = AVMediaCharacteristic("AVMediaCharacteristicLegible")
    /// Its pictures are brighter than a plain screen shows.
    public static let containsHDRVideo = AVMediaCharacteristic(
        "AVMediaCharacteristicContainsHDRVideo"
    )
}

/// A kind of file, by its uniform type identifier.
///
/// `AVFileType.heic as CFString` is the identifier, as with AVFoundation.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    /// The identifier.
    public let rawValue: String

    /// A kind by its identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A kind by its identifier.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// QuickTime.
    public static let mov = AVFileType("com.apple.quicktime-movie")
    /// MPEG-4.
    public static let mp4 = AVFileType("public.mpeg-4")
    /// MPEG-4 as Apple names it.
    public static let m4v = AVFileType("com.apple.m4v-video")
    /// MPEG-4 with sound only.
    public static let m4a = AVFileType("com.apple.m4a-audio")
    /// 3GPP.
    public static let mobile3GPP = AVFileType("public.3gpp")
    /// 3GPP2.
    public static let mobile3GPP2 = AVFileType("public.3gpp2")
    /// JPEG.
    public static let jpg = AVFileType("public.jpeg")
    /// HEIF with HEVC.
    public static let heic = AVFileType("public.heic")
    /// HEIF with AVC.
    public static let avci = AVFileType("public.avci")
    /// HEIF.
    public static let heif = AVFileType("public.heif")
    /// TIFF.
    public static let tif = AVFileType("public.tiff")
    /// Adobe's digital negative.
    public static let dng = AVFileType("com.adobe.raw-image")
}

/// The number of a track in its file.
public typealias CMPersistentTrackID = Int32

/// The number of no track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
