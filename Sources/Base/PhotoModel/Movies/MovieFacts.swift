/// A time in a movie, exactly: so many units of which there are `timescale` in a second.
package struct MovieTime: Codable, Hashable, Sendable {
    package var value: Int64
    /// Units per second, more than 0.
    package var timescale: Int32

    /// - Parameters:
    ///   - value: The units.
    ///   - timescale: Units per second; anything below 1 is taken for 1.
    package init(value: Int64, timescale: Int32) {
        self.value = value
        self.timescale = max(1, timescale)
    }

    package var seconds: Double { Double(value) / Double(timescale) }

    /// Whole microseconds, the nearest; 0 for times that no movie has.
    package var microseconds: Int64 {
        let count = (seconds * 1_000_000).rounded()
        return abs(count) < 1e17 ? Int64(count) : 0
    }

    package static let zero = MovieTime(value: 0, timescale: 1)
}

/// What a movie's container says of itself and of its tracks, read by a worker.
///
/// Nothing of it is believed yet: sizes, counts and times are what is written there.
package struct MovieFacts: Codable, Hashable, Sendable {
    /// Uniform type identifier by content, such as `com.apple.quicktime-movie`.
    package var containerType: String
    package var duration: MovieTime
    /// In the container's order.
    package var tracks: [MovieTrack]
    /// In the file's order; of values that are no text, only numbers.
    package var metadata: [MovieMetadataItem]
    /// When it was made, as written; the date with the best claim first (QuickTime's key before the
    /// header's UTC).
    package var creationDate: String?
    /// Whether a track is encrypted (FairPlay, Common Encryption).
    package var hasProtectedContent: Bool
    /// When the still of a Live Photo was taken, from the movie's begin; nil where nothing says so.
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

/// One track of a movie.
package struct MovieTrack: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        case video, audio, metadata, subtitle, timecode, other
    }

    /// The container's own number of the track.
    package var id: Int32
    package var kind: Kind
    /// Four letters, the first in the highest byte: `avc1`, `mp4a`; 0 where there are none.
    package var codec: UInt32
    /// The codec's name for people, such as `H.264`.
    package var mediaSubtypeName: String
    /// When the track begins to be shown, from the movie's begin.
    package var start: MovieTime
    package var duration: MovieTime
    /// Units per second of the track's own times.
    package var timescale: Int32
    /// Pixels as shown before turning, with pixels made square; 0 where there is no picture.
    package var width: Int
    package var height: Int
    package var transform: MovieTransform
    /// Average frames per second; 0 where there are none.
    package var nominalFrameRate: Double
    /// The shortest time that a frame is shown; nil where it is not known.
    package var minFrameDuration: MovieTime?
    /// Bits per second on average; 0 where it is not known.
    package var estimatedDataRate: Double
    /// Bytes of all samples; 0 where the container does not list them.
    package var totalSampleDataLength: Int64
    /// ISO 639-2, nil where it is not said.
    package var language: String?
    package var isEnabled: Bool
    /// Of sound; 0 for other tracks.
    package var channels: Int
    /// Samples per second of sound; 0 for other tracks.
    package var sampleRate: Double
    /// Whether the picture is in HLG, PQ or Dolby Vision.
    package var isHDR: Bool
    /// Whether the worker has a decoder for it.
    package var isDecodable: Bool
    /// Whether a QuickTime file can hold the track as it is.
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

/// How a track's picture is laid out for display: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty.
package struct MovieTransform: Codable, Hashable, Sendable {
    package var a: Double
    package var b: Double
    package var c: Double
    package var d: Double
    /// Pixels.
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

/// A movie's entry about itself.
package struct MovieMetadataItem: Codable, Hashable, Sendable {
    /// Where it is written: `mdta` (QuickTime's keys), `udta` (QuickTime's user data), `itsk`
    /// (iTunes), or `ffmp` for what other containers hold, by FFmpeg's names.
    package var keySpace: String
    /// `com.apple.quicktime.make`, `©xyz`, `title`.
    package var key: String
    package var value: String

    package init(keySpace: String, key: String, value: String) {
        self.keySpace = keySpace
        self.key = key
        self.value = value
    }
}
