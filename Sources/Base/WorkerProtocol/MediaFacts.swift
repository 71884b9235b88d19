package import PhotoModel

/// What the worker found in a file: facts as they are written there, not yet believed.
///
/// Deciding which date counts or what makes a panorama is the importer's business; the worker only
/// reads. Text is valid UTF-8 without control characters, at most 4,096 bytes each.
package struct MediaFacts: Codable, Hashable, Sendable {
    package var format: MediaFormat
    /// Uniform type identifier by content, such as `public.jpeg`.
    package var contentType: String
    /// Pixels as stored, before turning.
    package var storedSize: PixelSize?
    /// Pixels as displayed: orientation, HEIF transforms and the movie's matrix applied.
    package var displaySize: PixelSize?
    /// As an EXIF number; 1 where nothing says otherwise or what says so is not valid.
    ///
    /// For HEIF and AVIF 1: their transforms are in `displaySize`.
    package var orientation: Orientation
    /// Frames of an animation or a movie, where known; 1 for a still.
    package var frameCount: Int?
    /// Whether a still format holds more than one timed frame.
    package var isAnimated: Bool
    /// All dates found, in the order of their weight within one kind.
    package var dates: [WrittenDate]
    package var location: Location?
    /// Whether the camera that wrote the EXIF dates wrote `location`: it is in EXIF, beside the
    /// camera's maker and model.
    package var isLocationOfCamera: Bool
    /// UTC by the satellites: `YYYY:MM:DD HH:MM:SS[.fff]`.
    package var gpsDateTime: String?
    package var camera: CameraFacts
    package var title: String?
    package var caption: String?
    package var keywords: [String]
    /// -1...5: 0 for none, -1 for rejected.
    package var rating: Int?
    /// When the XMP was last written (xmp:MetadataDate).
    package var metadataDate: WrittenDate?
    /// Whether darktable keeps its edits in the XMP.
    package var hasDarktableHistory: Bool
    package var userComment: String?
    /// Apple's content identifier of a Live Photo half (MakerNote 0x0011, QuickTime key).
    package var contentIdentifier: String?
    /// Apple's burst identifier (MakerNote 0x000b), or Google's (XMP GCamera BurstID).
    package var burstIdentifier: String?
    /// Whether the camera itself chose it, of the frames of its burst (XMP GCamera BurstPrimary).
    package var isBurstPrimary: Bool
    /// EXIF CustomRendered.
    package var customRendered: Int?
    /// Apple's HDR image type (MakerNote 0x000a): 3 the HDR, 4 the original beside it.
    package var appleHDRImageType: Int?
    /// `aux-gainmap`, `apple-gainmap-xmp`, `hdrgm-xmp`, `iso-21496-1`, `pq`, `hlg`.
    package var hdr: Set<String>
    /// `apple-depth-xmp`, `aux-depth`, `portrait-matte`, `gdepth`, `google-portrait`.
    package var depth: Set<String>
    /// XMP GPano ProjectionType.
    package var panoramaProjection: String?
    /// Whether XMP GPano names a full panorama wider than the picture, or the camera's own mark of one.
    package var isPanorama: Bool
    /// A movie inside the still (Android's motion photo): its length in bytes.
    ///
    /// It lies at the file's end, before `embeddedMovieTail`.
    package var embeddedMovieLength: Int64?
    /// How many bytes of the still follow that movie; 0 for most.
    package var embeddedMovieTail: Int64
    /// Whether the left and right eye's pictures are in it (spatial photo or movie).
    package var isStereo: Bool
    package var movie: MovieSummary?
    /// The tags of a still as they are written; none unless they were asked for.
    package var tags: [WrittenTag]
    /// What the color profile calls itself; nil without one.
    package var profileName: String?
    /// Whose format an adjustment envelope is of.
    package var adjustmentFormat: String?
    /// Whether the pixels were seen to decode: a preview was decoded, or a header was read that a
    /// decoder accepts.
    ///
    /// When false, the first of `warnings` is the reason.
    package var hasReadableHeader: Bool
    /// Whether a part of the picture lies behind the end of the file, with a reason in `warnings`.
    package var isCutShort: Bool
    /// What the libraries complained of; for people.
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

    /// Records that the picture cannot be decoded.
    ///
    /// - Parameter reason: A sentence. It comes before all other warnings, since hosts show the first.
    package mutating func markUnreadable(_ reason: String) {
        hasReadableHeader = false
        warnings.insert(reason, at: 0)
    }
}

/// A container as told by its bytes, never by its name.
package enum MediaFormat: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg, heic, heif, avif, png, gif, webp, tiff, jpegXL, jpeg2000, bmp, psd
    /// DNG and the makers' RAW formats.
    case raw
    case mov, mp4, m4v, threeGP, avi, mkv
    /// Transport streams, AVCHD's among them; program streams, as on DVDs; Windows Media.
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

    /// Whether it is a movie of boxes, as QuickTime and MPEG-4 have them.
    package var isBoxedMovie: Bool {
        switch self {
        case .mov, .mp4, .m4v, .threeGP: true
        default: false
        }
    }

    package var isSidecar: Bool { self == .aae || self == .xmp }
}

/// A date as a file writes it.
package struct WrittenDate: Codable, Hashable, Sendable {
    package var source: CaptureTime.Source
    /// `YYYY:MM:DD HH:MM:SS`, as written, even when impossible.
    package var text: String
    /// Digits of the fraction of a second.
    package var subseconds: String?
    /// `+HH:MM`, `-HH:MM` or `Z`, as written.
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

/// What an import needs to know of a movie's tracks.
package struct MovieSummary: Codable, Hashable, Sendable {
    /// Seconds.
    package var duration: Double
    /// Average frames per second of the first video track.
    package var frameRate: Double?
    /// FFmpeg's name of the codec; nil without a video track.
    package var videoCodec: String?
    package var audioCodec: String?
    /// Whether pictures or sound lie behind the end of the file.
    package var isCutShort = false
    /// QuickTime keys that say what a movie is, such as
    /// `com.apple.quicktime.full-frame-rate-playback-intent`.
    package var keys: [String: String]

    package init(duration: Double) {
        self.duration = duration
        self.keys = [:]
    }
}
