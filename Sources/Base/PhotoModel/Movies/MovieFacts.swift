/// An exact time in a movie, stored as a number of units with `timescale` units per second.
package struct MovieTime: Codable, Hashable, Sendable {
    package var value: Int64
    /// The number of units per second, more than 0.
    package var timescale: Int32

    /// Creates a time of `value` / `timescale` seconds.
    ///
    /// - Parameters:
    ///   - value: The number of units.
    ///   - timescale: The number of units per second; a value below 1 is replaced with 1.
    package init(value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = max(1, timescale)
    }

    package var seconds: Double { Double(value) / Double(timescale) }

    /// The time rounded to whole microseconds; 0 for times that are too large (1e17 or more).
    package var microseconds: Int64 {
        let count = (seconds * 1_000_000).rounded()
        return abs(count) < 1e17 ? Int64(count) : 0
    }

    package static let zero = MovieTime(value: 0, timescale: 1)
}

/// The metadata of a movie's container and its tracks, read by a worker.
///
/// Nothing is validated yet: sizes, counts and times are the values in the file.
package struct MovieFacts: Codable, Hashable, Sendable {
    /// The uniform type identifier detected from the content, such as `com.apple.quicktime-movie`.
    package var containerType: String
    package var duration: MovieTime
    /// The tracks in the container's order.
    package var tracks: [MovieTrack]
    /// The metadata entries, in the file's order.
    ///
    /// An entry whose value is not text is included only if the value is a number.
    package var metadata: [MovieMetadataItem]
    /// The creation date as written in the file.
    ///
    /// A date in QuickTime's key for creation dates takes precedence over the header's UTC date.
    package var creationDate: String?
    /// Indicates whether a track is encrypted (FairPlay, Common Encryption).
    package var hasProtectedContent: Bool
    /// The capture time of a Live Photo's still, relative to the start of the movie; nil if
    /// unknown.
    package var stillImageTime: MovieTime?

    package init(
        containerType: String,
        duration: MovieTime = .zero,
        tracks: [MovieTrack] = [],
        metadata: [MovieMetadataItem] = [],
        creationDate: String? = nil,
        hasProtectedContent: Bool = false
    ) {
        self.containerType = containerType
        self.duration = duration
        self.tracks = tracks
        self.metadata = metadata
        self.creationDate = creationDate
        self.hasProtectedContent = hasProtectedContent
    }
}

/// A track of a movie.
package struct MovieTrack: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        case video, audio, metadata, subtitle, timecode, other
    }

    /// The track's number in the container.
    package var id: Int32
    package var kind: Kind
    /// The four-character code, with the first character in the highest byte: `avc1`, `mp4a`; 0 if
    /// there is none.
    package var codec: UInt32
    /// The display name of the codec, such as `H.264`.
    package var mediaSubtypeName: String
    /// The start time of the track, relative to the start of the movie.
    package var start: MovieTime
    package var duration: MovieTime
    /// The number of units per second in the track's own timestamps.
    package var timescale: Int32
    /// The display width before rotation, in square pixels; 0 for tracks without video.
    package var width: Int
    package var height: Int
    package var transform: MovieTransform
    /// Average frames per second; 0 for tracks without frames.
    package var nominalFrameRate: Double
    /// The shortest frame duration; nil if unknown.
    package var minFrameDuration: MovieTime?
    /// The average bit rate in bits per second; 0 if unknown.
    package var estimatedDataRate: Double
    /// The total size of all samples in bytes; 0 if the container does not list them.
    package var totalSampleDataLength: Int64
    /// The ISO 639-2 language code; nil if the container has none.
    package var language: String?
    package var isEnabled: Bool
    /// The number of audio channels; 0 for other tracks.
    package var channels: Int
    /// Audio samples per second; 0 for other tracks.
    package var sampleRate: Double
    /// Indicates whether the video is HLG, PQ or Dolby Vision.
    package var isHDR: Bool
    /// Indicates whether the worker has a decoder for the track.
    package var isDecodable: Bool
    /// Indicates whether a QuickTime file can contain the track unchanged.
    package var fitsQuickTime: Bool

    package init(id: Int32, kind: Kind) {
        self.id = id
        self.kind = kind
        self.codec = 0
        self.mediaSubtypeName = ""
        self.start = .zero
        self.duration = .zero
        self.timescale = 1
        self.width = 0
        self.height = 0
        self.transform = .identity
        self.nominalFrameRate = 0
        self.estimatedDataRate = 0
        self.totalSampleDataLength = 0
        self.isEnabled = true
        self.channels = 0
        self.sampleRate = 0
        self.isHDR = false
        self.isDecodable = false
        self.fitsQuickTime = true
    }
}

/// The display transform of a video track: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty.
package struct MovieTransform: Codable, Hashable, Sendable {
    package var a: Double
    package var b: Double
    package var c: Double
    package var d: Double
    /// The horizontal translation in pixels.
    package var tx: Double
    package var ty: Double

    package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    package static let identity = MovieTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
}

/// A metadata entry of a movie.
package struct MovieMetadataItem: Codable, Hashable, Sendable {
    /// The entry's key space: `mdta` (QuickTime keys), `udta` (QuickTime user data), `itsk`
    /// (iTunes), or `ffmp` for entries of other containers, which have FFmpeg's names.
    package var keySpace: String
    /// The entry's key, such as `com.apple.quicktime.make`, `©xyz` or `title`.
    package var key: String
    package var value: String

    package init(keySpace: String, key: String, value: String) {
        self.keySpace = keySpace
        self.key = key
        self.value = value
    }
}
