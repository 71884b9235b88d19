/// What a movie is to become.
package struct MovieConversion: Codable, Hashable, Sendable {
    package enum Container: String, Codable, Hashable, Sendable {
        case mov, mp4, m4v, m4a
    }

    package enum VideoCodec: String, Codable, Hashable, Sendable {
        case h264, hevc
    }

    /// What happens to the pictures.
    package enum VideoTreatment: Codable, Hashable, Sendable {
        /// The packets as they are.
        case copy
        /// Made smaller to fit, never larger, and encoded.
        ///
        /// The bounds are of the picture as stored; they are turned when the picture is higher than
        /// wide and they are not. nil for none. `bitRate` is in bits per second; nil encodes for
        /// constant quality.
        case encode(
            codec: VideoCodec,
            maximumWidth: Int? = nil,
            maximumHeight: Int? = nil,
            bitRate: Int? = nil
        )
        /// Made smaller to fit, turned upright, brought to plain colours of 8 bits and encoded.
        ///
        /// The bounds are of the picture as stored. With `isShown` each picture is shown to the host
        /// first, which may put another one in its place.
        case draw(
            codec: VideoCodec,
            maximumWidth: Int? = nil,
            maximumHeight: Int? = nil,
            isShown: Bool
        )
        case drop
    }

    /// What happens to the sound.
    package enum AudioTreatment: Codable, Hashable, Sendable {
        case copy
        /// `bitRate` in bits per second; nil takes 64,000 for each channel.
        ///
        /// `volume` is what samples are multiplied with, 0...1.
        case encodeAAC(bitRate: Int? = nil, volume: Double = 1)
        case drop
    }

    package var container: Container
    package var video: VideoTreatment
    package var audio: AudioTreatment
    /// Where the range begins; nil is the movie's begin.
    package var start: MovieTime?
    /// How long the range is; nil goes on to the end.
    package var duration: MovieTime?
    /// Whether the index comes before the data, for playing while it is loaded.
    package var movesIndexToFront: Bool
    /// Whether what the movie says of itself is kept.
    package var keepsMetadata: Bool
    /// Entries that are added, in place of kept ones of the same key.
    package var metadata: [MovieMetadataItem]
    /// The result is no longer than this: encoding keeps below it, copying more is an error.
    package var maximumBytes: Int64?

    package init(
        container: Container,
        video: VideoTreatment = .copy,
        audio: AudioTreatment = .copy,
        start: MovieTime? = nil,
        duration: MovieTime? = nil,
        movesIndexToFront: Bool = true,
        keepsMetadata: Bool = true,
        metadata: [MovieMetadataItem] = [],
        maximumBytes: Int64? = nil
    ) {
        self.container = container
        self.video = video
        self.audio = audio
        self.start = start
        self.duration = duration
        self.movesIndexToFront = movesIndexToFront
        self.keepsMetadata = keepsMetadata
        self.metadata = metadata
        self.maximumBytes = maximumBytes
    }
}

/// What came of a conversion.
package struct MovieConversionReport: Codable, Hashable, Sendable {
    package var duration: MovieTime
    /// FFmpeg's name of the codec of the pictures (`h264`, `hevc`, `prores`); nil without pictures.
    package var videoCodec: String?
    /// The result's length.
    package var bytes: Int64

    package init(duration: MovieTime, videoCodec: String?, bytes: Int64) {
        self.duration = duration
        self.videoCodec = videoCodec
        self.bytes = bytes
    }
}
