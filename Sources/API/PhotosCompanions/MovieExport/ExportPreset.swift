internal import PhotoModel

/// The settings of an export preset.
struct ExportPreset: Sendable {
    enum Pictures: Sendable {
        case copy
        /// Encodes the video with a codec.
        ///
        /// Without a width and height, the size is preserved. Without a bit rate, the video has the
        /// bit rate that it needs.
        case encode(MovieConversion.VideoCodec, width: Int?, height: Int?, bitRate: Int?)
        case none
    }

    let name: String
    let pictures: Pictures
    /// The total audio bit rate in bits per second; nil if the rate depends on the number of
    /// channels.
    let soundBitRate: Int?

    static func named(_ name: String) -> ExportPreset? { all.first { $0.name == name } }

    static let all: [ExportPreset] = [
        ExportPreset(AVAssetExportPresetPassthrough, .copy),
        ExportPreset(
            AVAssetExportPresetLowQuality,
            .encode(.h264, width: 224, height: 224, bitRate: 128_000),
            sound: 32_000
        ),
        ExportPreset(
            AVAssetExportPresetMediumQuality,
            .encode(.h264, width: 568, height: 568, bitRate: 700_000),
            sound: 64_000
        ),
        ExportPreset(
            AVAssetExportPresetHighestQuality,
            .encode(.h264, width: nil, height: nil, bitRate: nil)
        ),
        ExportPreset(
            AVAssetExportPresetHEVCHighestQuality,
            .encode(.hevc, width: nil, height: nil, bitRate: nil)
        ),
        ExportPreset(AVAssetExportPreset640x480, .h264(640, 480)),
        ExportPreset(AVAssetExportPreset960x540, .h264(960, 540)),
        ExportPreset(AVAssetExportPreset1280x720, .h264(1280, 720)),
        ExportPreset(AVAssetExportPreset1920x1080, .h264(1920, 1080)),
        ExportPreset(AVAssetExportPreset3840x2160, .h264(3840, 2160)),
        ExportPreset(AVAssetExportPresetHEVC1920x1080, .hevc(1920, 1080)),
        ExportPreset(AVAssetExportPresetHEVC3840x2160, .hevc(3840, 2160)),
        ExportPreset(AVAssetExportPresetAppleM4A, .none),
    ]

    private init(_ name: String, _ pictures: Pictures, sound: Int? = nil) {
        self.name = name
        self.pictures = pictures
        soundBitRate = sound
    }

    // MARK: - Applying a preset

    /// Returns whether the preset can export a movie.
    func fits(_ facts: MovieFacts) -> Bool {
        guard !facts.hasProtectedContent else { return false }
        switch pictures {
        case .copy:
            let tracks = facts.tracks.filter { $0.kind == .video || $0.kind == .audio }
            return !tracks.isEmpty && tracks.allSatisfy(\.fitsQuickTime)
        case .encode: return facts.tracks.contains { $0.kind == .video && $0.isDecodable }
        case .none: return facts.tracks.contains { $0.kind == .audio && $0.isDecodable }
        }
    }

    /// Returns the file types that the preset can export a movie to.
    func fileTypes(for facts: MovieFacts) -> [AVFileType] {
        guard fits(facts) else { return [] }
        switch pictures {
        case .encode: return [.mov, .mp4, .m4v]
        case .none: return [.m4a]
        case .copy:
            let pictures = facts.tracks.filter { $0.kind == .video }
            let sound = facts.tracks.filter { $0.kind == .audio }
            let areStandard =
                pictures.allSatisfy { Self.isListed($0, Self.pictureCodecs) }
                && sound.allSatisfy { Self.isListed($0, Self.soundCodecs) }
            guard areStandard else { return [.mov] }
            return pictures.isEmpty ? [.mov, .m4a, .mp4, .m4v] : [.mov, .mp4, .m4v]
        }
    }

    /// Returns the estimated length of the exported file in bytes.
    ///
    /// The estimate is accurate for copied tracks.
    func estimatedLength(of facts: MovieFacts, seconds: Double) -> Int64 {
        let whole = facts.duration.seconds
        let pictures = facts.tracks.filter { $0.kind == .video }
        let sound = facts.tracks.filter { $0.kind == .audio }
        var bits = 0.0
        switch self.pictures {
        case .copy:
            let bytes = facts.tracks.reduce(0.0) { $0 + Double($1.totalSampleDataLength) }
            return Int64(clamped: whole > 0 ? bytes * min(1, seconds / whole) : bytes)
        case .encode(let codec, let width, let height, let bitRate):
            if let track = pictures.first {
                let size = Self.fitted(track, width, height)
                let rate = track.nominalFrameRate > 0 ? track.nominalFrameRate : 30
                // The bits per pixel that typical footage needs at the quality of the encoder
                // settings.
                let each = codec == .h264 ? 0.1 : 0.06
                bits += bitRate.map { Double($0) } ?? size * min(rate, 240) * each
            }
        case .none: break
        }
        let channels = sound.first.map { min(max($0.channels, 1), 8) } ?? 0
        if channels > 0 { bits += Double(soundBitRate ?? 64_000 * channels) }
        return Int64(clamped: bits / 8 * max(0, seconds))
    }

    /// Returns the number of pixels in a track's frame after the frame is scaled down to fit into
    /// the bounds.
    ///
    /// The larger bound applies to the longer side of the frame.
    private static func fitted(_ track: MovieTrack, _ width: Int?, _ height: Int?) -> Double {
        let (w, h) = (Double(max(1, track.width)), Double(max(1, track.height)))
        guard let width, let height else { return w * h }
        let (long, short) = (Double(max(width, height)), Double(min(width, height)))
        let scale = min(1, long / max(w, h), short / min(w, h))
        return w * h * scale * scale
    }

    private static func isListed(_ track: MovieTrack, _ codecs: Set<String>) -> Bool {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: track.codec >> $0) }
        return codecs.contains(String(decoding: bytes, as: Unicode.ASCII.self))
    }

    private static let pictureCodecs: Set = [
        "avc1", "avc3", "hvc1", "hev1", "mp4v", "av01", "dvh1", "dvhe",
    ]
    private static let soundCodecs: Set = ["mp4a", "alac", "ac-3", "ec-3", "Opus", "fLaC"]
}

extension ExportPreset.Pictures {
    fileprivate static func h264(_ width: Int, _ height: Int) -> Self {
        .encode(.h264, width: width, height: height, bitRate: nil)
    }

    fileprivate static func hevc(_ width: Int, _ height: Int) -> Self {
        .encode(.hevc, width: width, height: height, bitRate: nil)
    }
}

extension Int64 {
    /// Creates an integer number of bytes from a floating-point number, clamped to 0...9e18; 0 for
    /// infinity and NaN.
    init(clamped number: Double) {
        self = number.isFinite ? Int64(Swift.min(Swift.max(number, 0), 9e18)) : 0
    }
}

/// A preset that copies the tracks unchanged.
public let AVAssetExportPresetPassthrough = "AVAssetExportPresetPassthrough"
/// A preset for H.264 with at most 224 pixels per side, at 128,000 bits per second.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// A preset for H.264 with at most 568 pixels per side, at 700,000 bits per second.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// A preset for H.264 in full size.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// A preset for HEVC in full size.
public let AVAssetExportPresetHEVCHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
/// A preset for H.264 within 640 × 480 pixels, or 480 × 640; never enlarges.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// A preset for H.264 within 960 × 540 pixels, or 540 × 960; never enlarges.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// A preset for H.264 within 1280 × 720 pixels, or 720 × 1280; never enlarges.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// A preset for H.264 within 1920 × 1080 pixels, or 1080 × 1920; never enlarges.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// A preset for H.264 within 3840 × 2160 pixels, or 2160 × 3840; never enlarges.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"
/// A preset for HEVC within 1920 × 1080 pixels, or 1080 × 1920; never enlarges.
public let AVAssetExportPresetHEVC1920x1080 = "AVAssetExportPresetHEVC1920x1080"
/// A preset for HEVC within 3840 × 2160 pixels, or 2160 × 3840; never enlarges.
public let AVAssetExportPresetHEVC3840x2160 = "AVAssetExportPresetHEVC3840x2160"
/// A preset for AAC audio without video.
public let AVAssetExportPresetAppleM4A = "AVAssetExportPresetAppleM4A"
