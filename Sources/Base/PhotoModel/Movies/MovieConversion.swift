/// The parameters of a movie conversion.
package struct MovieConversion: Codable, Hashable, Sendable {
    package enum Container: String, Codable, Hashable, Sendable {
        case mov, mp4, m4v, m4a
    }

    package enum VideoCodec: String, Codable, Hashable, Sendable {
        case h264, hevc
    }

    /// The treatment of the video track.
    package enum VideoTreatment: Codable, Hashable, Sendable {
        /// Copies the packets unchanged.
        case copy
        /// Downscales the frames to fit, never enlarges them, and encodes them.
        ///
        /// The bounds apply to the stored frame. They are swapped if the frame is portrait and they
        /// are landscape. nil means no bound. `bitRate` is in bits per second; nil encodes for
        /// constant quality.
        case encode(
            codec: VideoCodec,
            maximumWidth: Int? = nil,
            maximumHeight: Int? = nil,
            bitRate: Int? = nil
        )
        /// Downscales the frames to fit, rotates them upright, converts them to 8-bit SDR and
        /// encodes them.
        ///
        /// The bounds apply to the stored frame. If `isShown` is true, each frame is first sent to
        /// the host process, which may replace it.
        case draw(
            codec: VideoCodec,
            maximumWidth: Int? = nil,
            maximumHeight: Int? = nil,
            isShown: Bool
        )
        case drop
    }

    /// The treatment of the audio track.
    package enum AudioTreatment: Codable, Hashable, Sendable {
        case copy
        /// Encodes AAC at `bitRate` bits per second; nil stands for 64,000 per channel.
        ///
        /// `volume` is the factor for samples, 0...1.
        case encodeAAC(bitRate: Int? = nil, volume: Double = 1)
        case drop
    }

    package var container: Container
    package var video: VideoTreatment
    package var audio: AudioTreatment
    /// The start of the part to convert, which is not negative; nil for the start of the movie.
    package var start: MovieTime?
    /// The duration of the part to convert, which is positive; nil for all of the movie after
    /// `start`.
    package var duration: MovieTime?
    /// Indicates whether the index precedes the data, for playback during download.
    package var movesIndexToFront: Bool
    /// Indicates whether the metadata of the source movie is kept.
    package var keepsMetadata: Bool
    /// Metadata entries to add; they replace kept entries with the same key.
    package var metadata: [MovieMetadataItem]
    /// The maximum length of the result in bytes; nil for no limit.
    ///
    /// Encoding chooses its bit rate to stay below the limit. Copying fails if the result would
    /// exceed it.
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

/// The result of a conversion.
package struct MovieConversionReport: Codable, Hashable, Sendable {
    package var duration: MovieTime
    /// FFmpeg's name of the video codec (`h264`, `hevc`, `prores`); nil without a video track.
    package var videoCodec: String?
    /// The length of the result in bytes.
    package var bytes: Int64

    package init(duration: MovieTime, videoCodec: String?, bytes: Int64) {
        self.duration = duration
        self.videoCodec = videoCodec
        self.bytes = bytes
    }
}
