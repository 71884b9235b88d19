/// A four-character code, with the first character in the highest byte.
public typealias FourCharCode = UInt32

/// The format of a track's samples.
public final class CMFormatDescription: Sendable, Hashable {
    /// A media type.
    public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// A four-character code.
        public let rawValue: FourCharCode

        /// Creates a media type from its four-character code.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }

        /// Video.
        public static let video = MediaType(rawValue: code("vide"))
        /// Audio.
        public static let audio = MediaType(rawValue: code("soun"))
        /// Subtitles.
        public static let subtitle = MediaType(rawValue: code("sbtl"))
        /// Time codes.
        public static let timeCode = MediaType(rawValue: code("tmcd"))
        /// Timed metadata.
        public static let metadata = MediaType(rawValue: code("meta"))

        /// The four characters in quotes.
        public var description: String { letters(rawValue) }
    }

    /// A codec.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// A four-character code.
        public let rawValue: FourCharCode

        /// Creates a codec from its four-character code.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }

        /// H.264.
        public static let h264 = MediaSubType(rawValue: code("avc1"))
        /// HEVC.
        public static let hevc = MediaSubType(rawValue: code("hvc1"))
        /// Motion JPEG.
        public static let jpeg = MediaSubType(rawValue: code("jpeg"))
        /// MPEG-4 Part 2.
        public static let mpeg4Video = MediaSubType(rawValue: code("mp4v"))
        /// ProRes 422.
        public static let proRes422 = MediaSubType(rawValue: code("apcn"))
        /// AV1.
        public static let av1 = MediaSubType(rawValue: code("av01"))
        /// AAC.
        public static let mpeg4AAC = MediaSubType(rawValue: code("aac "))

        /// The four characters in quotes.
        public var description: String { letters(rawValue) }
    }

    /// The media type of the samples.
    public let mediaType: MediaType
    /// The codec as the container's four-character code, such as `mp4a` for AAC audio.
    public let mediaSubType: MediaSubType
    /// The frame size in pixels, before rotation; 0 for media other than video.
    public let dimensions: CMVideoDimensions
    /// The audio format; nil for media other than audio.
    public let audioStreamBasicDescription: AudioStreamBasicDescription?

    package init(
        mediaType: MediaType,
        mediaSubType: MediaSubType,
        dimensions: CMVideoDimensions = CMVideoDimensions(),
        audioStreamBasicDescription: AudioStreamBasicDescription? = nil
    ) {
        self.mediaType = mediaType
        self.mediaSubType = mediaSubType
        self.dimensions = dimensions
        self.audioStreamBasicDescription = audioStreamBasicDescription
    }

    /// Returns whether both descriptions have the same values.
    public static func == (one: CMFormatDescription, other: CMFormatDescription) -> Bool {
        one.mediaType == other.mediaType && one.mediaSubType == other.mediaSubType
            && one.dimensions == other.dimensions
            && one.audioStreamBasicDescription == other.audioStreamBasicDescription
    }

    /// Hashes the media type, the codec and the frame size.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaType)
        hasher.combine(mediaSubType)
        hasher.combine(dimensions)
    }
}

private func code(_ letters: StaticString) -> FourCharCode {
    letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | FourCharCode($1) } }
}

private func letters(_ code: FourCharCode) -> String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return "'" + String(decoding: bytes, as: Unicode.ASCII.self) + "'"
}

/// The format of a video track's samples.
public typealias CMVideoFormatDescription = CMFormatDescription

/// The format of an audio track's samples.
public typealias CMAudioFormatDescription = CMFormatDescription

/// A size in pixels.
public struct CMVideoDimensions: Sendable, Hashable {
    /// The width in pixels.
    public var width: Int32
    /// The height in pixels.
    public var height: Int32

    /// Creates dimensions with zero width and height.
    public init() {
        self.init(width: 0, height: 0)
    }

    /// Creates dimensions in pixels.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// The format of an audio stream.
///
/// Values that the container does not state for compressed audio are 0.
public struct AudioStreamBasicDescription: Sendable, Hashable {
    /// The sample rate in samples per second.
    public var mSampleRate: Double
    /// The codec as a four-character code.
    public var mFormatID: FourCharCode
    /// The flags of the format.
    public var mFormatFlags: UInt32
    /// The number of bytes per packet; 0 if the number varies.
    public var mBytesPerPacket: UInt32
    /// The number of frames per packet; 0 if the number varies.
    public var mFramesPerPacket: UInt32
    /// The number of bytes per frame; 0 for compressed audio.
    public var mBytesPerFrame: UInt32
    /// The number of channels.
    public var mChannelsPerFrame: UInt32
    /// The number of bits per sample; 0 for compressed audio.
    public var mBitsPerChannel: UInt32
    /// A reserved field, always 0.
    public var mReserved: UInt32

    /// Creates a description from its fields.
    public init(
        mSampleRate: Double = 0,
        mFormatID: FourCharCode = 0,
        mFormatFlags: UInt32 = 0,
        mBytesPerPacket: UInt32 = 0,
        mFramesPerPacket: UInt32 = 0,
        mBytesPerFrame: UInt32 = 0,
        mChannelsPerFrame: UInt32 = 0,
        mBitsPerChannel: UInt32 = 0,
        mReserved: UInt32 = 0
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }
}

/// Returns the media type of the samples.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> FourCharCode {
    desc.mediaType.rawValue
}

/// Returns the codec of the samples.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
    desc.mediaSubType.rawValue
}

/// Returns the frame size in pixels, before rotation.
public func CMVideoFormatDescriptionGetDimensions(
    _ videoDesc: CMVideoFormatDescription
) -> CMVideoDimensions {
    videoDesc.dimensions
}

/// Video.
public var kCMMediaType_Video: FourCharCode { CMFormatDescription.MediaType.video.rawValue }

/// Audio.
public var kCMMediaType_Audio: FourCharCode { CMFormatDescription.MediaType.audio.rawValue }

/// H.264.
public var kCMVideoCodecType_H264: FourCharCode { CMFormatDescription.MediaSubType.h264.rawValue }

/// HEVC.
public var kCMVideoCodecType_HEVC: FourCharCode { CMFormatDescription.MediaSubType.hevc.rawValue }
