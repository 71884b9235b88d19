package import PhotoModel

/// The metadata that the worker found in a file: the values as stated in the file, not yet
/// validated.
///
/// The worker only reads values. The importer interprets them: it decides, for example, which date
/// is the capture date and whether an image is a panorama. Text is valid UTF-8 without control
/// characters, at most 4,096 bytes each; a caption in XMP has at most 32,768.
package struct MediaFacts: Codable, Hashable, Sendable {
    package var format: MediaFormat
    /// The uniform type identifier detected from the content, such as `public.jpeg`.
    package var contentType: String
    /// The stored size in pixels, before rotation.
    package var storedSize: PixelSize?
    /// The displayed size in pixels, with orientation, HEIF transforms and the movie's matrix
    /// applied.
    package var displaySize: PixelSize?
    /// The EXIF orientation; `up` when it is absent or invalid.
    ///
    /// For HEIF and AVIF it is `up`, because `displaySize` already includes their transforms.
    package var orientation: Orientation
    /// The number of frames of an animation or a movie, if known; 1 for a still.
    package var frameCount: Int?
    /// Indicates whether a file in a still image format contains several frames with durations.
    package var isAnimated: Bool
    /// All dates in the file; dates of the same kind are sorted by descending precedence.
    package var dates: [WrittenDate]
    package var location: Location?
    /// Indicates whether the camera that wrote the EXIF dates also wrote `location`.
    ///
    /// This is the case if the location is in EXIF, together with the camera's make and model.
    package var isLocationOfCamera: Bool
    /// The UTC time from GPS: `YYYY:MM:DD HH:MM:SS[.fff]`.
    package var gpsDateTime: String?
    package var camera: CameraFacts
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// Indicates whether the title, the caption or the list of keywords was truncated.
    package var isTextCut: Bool
    /// The rating, -1...5: 0 for none, -1 for rejected.
    package var rating: Int?
    /// The date of the last XMP change (xmp:MetadataDate).
    package var metadataDate: WrittenDate?
    /// The metadata that stays only in the file because a library has no fields for it; nil if
    /// there is none.
    package var kept: KeptMetadata?
    /// Indicates whether the XMP states all metadata of an asset, as in exported libraries.
    ///
    /// A value that such XMP omits is then known to be absent.
    package var isComplete: Bool
    /// Indicates whether the XMP contains darktable's edits.
    package var hasDarktableHistory: Bool
    package var userComment: String?
    /// Apple's content identifier, which both files of a Live Photo share (MakerNote 0x0011,
    /// QuickTime key).
    package var contentIdentifier: String?
    /// Apple's burst identifier (MakerNote 0x000b), or Google's (XMP GCamera BurstID).
    package var burstIdentifier: String?
    /// Indicates whether the camera selected this frame of its burst (XMP GCamera BurstPrimary).
    package var isBurstPrimary: Bool
    /// The value of EXIF CustomRendered.
    package var customRendered: Int?
    /// Apple's HDR image type (MakerNote 0x000a): 3 for the HDR image, 4 for the original beside
    /// it.
    package var appleHDRImageType: Int?
    /// The HDR markers found: `aux-gainmap`, `apple-gainmap-xmp`, `hdrgm-xmp`, `iso-21496-1`, `pq`,
    /// `hlg`.
    package var hdr: Set<String>
    /// The depth markers found: `aux-depth`, `apple-depth-xmp`, `portrait-matte`, `gdepth`,
    /// `google-portrait`.
    package var depth: Set<String>
    /// The value of XMP GPano ProjectionType.
    package var panoramaProjection: String?
    /// Indicates whether the file declares the image to be a panorama.
    ///
    /// Either XMP GPano states a full panorama that is wider than the image, or the camera marked
    /// it as one.
    package var isPanorama: Bool
    /// The length in bytes of a movie that is embedded in the still, as in Android's motion photos.
    ///
    /// The movie is at the end of the file, before `embeddedMovieTail`.
    package var embeddedMovieLength: Int64?
    /// The number of bytes that follow the embedded movie; usually 0.
    package var embeddedMovieTail: Int64
    /// Indicates whether the file contains images for the left and the right eye (spatial photo or
    /// movie).
    package var isStereo: Bool
    package var movie: MovieSummary?
    /// The tags of a still as written in the file; empty unless requested.
    package var tags: [WrittenTag]
    /// The name of the color profile; nil without a profile.
    package var profileName: String?
    /// The format identifier of an adjustment envelope.
    package var adjustmentFormat: String?
    /// Indicates whether the image is expected to be decodable, as determined without decoding it
    /// in full.
    ///
    /// It is if a preview was decoded or a decoder accepts the header. Otherwise the first of
    /// `warnings` is the reason.
    package var hasReadableHeader: Bool
    /// Indicates whether the file is truncated, so that a part of the image is missing.
    ///
    /// The reason is in `warnings`.
    package var isCutShort: Bool
    /// The warnings of the libraries that read the file, as text for users.
    package var warnings: [String]

    package init(format: MediaFormat, contentType: String) {
        self.format = format
        self.contentType = contentType
        self.orientation = .up
        self.isAnimated = false
        self.dates = []
        self.isLocationOfCamera = false
        self.camera = CameraFacts()
        self.keywords = []
        self.isTextCut = false
        self.isComplete = false
        self.hasDarktableHistory = false
        self.hdr = []
        self.depth = []
        self.isPanorama = false
        self.isBurstPrimary = false
        self.embeddedMovieTail = 0
        self.isStereo = false
        self.hasReadableHeader = true
        self.isCutShort = false
        self.warnings = []
        self.tags = []
    }

    /// Records that the image cannot be decoded.
    ///
    /// - Parameter reason: A sentence. It precedes all other warnings, because hosts show the first
    ///   one.
    package mutating func markUnreadable(_ reason: String) {
        hasReadableHeader = false
        warnings.insert(reason, at: 0)
    }
}

/// A file format, detected from the content and never from the name.
package enum MediaFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg, heic, heif, avif, png, gif, webp, tiff, jpegXL, jpeg2000, bmp, psd
    /// DNG and the manufacturers' RAW formats.
    case raw
    case mov, mp4, m4v, threeGP, avi, mkv
    /// MPEG transport streams, including AVCHD; program streams, as on DVDs; Windows Media.
    case mpegTS, mpegPS, asf
    /// Apple's adjustment envelope.
    case aae
    /// An XMP sidecar.
    case xmp

    package var isMovie: Bool {
        switch self {
        case .mov, .mp4, .m4v, .threeGP, .avi, .mkv, .mpegTS, .mpegPS, .asf: true
        default: false
        }
    }

    /// Indicates whether the format is a movie format that consists of boxes, such as QuickTime and
    /// MPEG-4.
    package var isBoxedMovie: Bool {
        switch self {
        case .mov, .mp4, .m4v, .threeGP: true
        default: false
        }
    }

    package var isSidecar: Bool { self == .aae || self == .xmp }

    /// Indicates whether the decoder of this format leaves images in their stored orientation, so
    /// that the orientation tag must be applied.
    ///
    /// The decoders of the other formats orient images upright themselves.
    package var leavesTurning: Bool {
        switch self {
        case .jpeg, .png, .webp, .tiff, .gif, .jpeg2000, .bmp, .psd: true
        default: false
        }
    }
}

/// A date, as written in the file.
package struct WrittenDate: Codable, Hashable, Sendable {
    package var source: CaptureTime.Source
    /// The date as `YYYY:MM:DD HH:MM:SS`, unchanged even if it is impossible.
    package var text: String
    /// The fraction of a second, as the decimal digits written in the file.
    package var subseconds: String?
    /// The offset from UTC, as written: `+HH:MM`, `-HH:MM` or `Z`.
    package var offset: String?

    package init(
        source: CaptureTime.Source,
        text: String,
        subseconds: String? = nil,
        offset: String? = nil
    ) {
        self.source = source
        self.text = text
        self.subseconds = subseconds
        self.offset = offset
    }
}

/// The properties of a movie's tracks that an import needs.
package struct MovieSummary: Codable, Hashable, Sendable {
    /// The duration in seconds.
    package var duration: Double
    /// The average frame rate of the first video track in frames per second.
    package var frameRate: Double?
    /// FFmpeg's name of the video codec; nil without a video track.
    package var videoCodec: String?
    package var audioCodec: String?
    /// Indicates whether the file is truncated, so that some video or audio data are missing.
    package var isCutShort = false
    /// The QuickTime keys that classify a movie, such as
    /// `com.apple.quicktime.full-frame-rate-playback-intent`.
    package var keys: [String: String]

    package init(duration: Double) {
        self.duration = duration
        self.keys = [:]
    }
}
