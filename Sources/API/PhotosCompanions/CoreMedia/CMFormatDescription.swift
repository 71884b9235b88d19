/// Four letters as a number, the first in the highest byte.
public typealias FourCharCode = UInt32

/// What the samples of a track are.
public final class CMFormatDescription: Sendable, Hashable {
    /// What samples are for.
    public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Four letters.
        public let rawValue: FourCharCode

        /// A kind by its letters.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }

        /// Pictures.
        public static let video = MediaType(rawValue: code("vide"))
        /// Sound.
        public static let audio = MediaType(rawValue: code("soun"))
        /// Subtitles.
        public static let subtitle = MediaType(rawValue: code("sbtl"))
        /// Time codes.
        public static let timeCode = MediaType(rawValue: code("tmcd"))
        /// Facts that change with time.
        public static let metadata = MediaType(rawValue: code("meta"))

        /// The letters.
        public var description: String { letters(rawValue) }
    }

    /// How samples are encoded.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Four letters.
        public let rawValue: FourCharCode

        /// A kind by its letters.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }

        /// H.264.
        public static let h264 = MediaSubType(rawValue: code("avc1"))
        /// HEVC.
        public static let hevc = MediaSubType(rawValue: code("hvc1"))
        /// Motion JPEG.
        public static let jpeg = MediaSubType(rawValue: code("jpeg"))
        /// MPEG-4 part 2.
        public static let mpeg4Video = MediaSubType(rawValue: code("mp4v"))
        /// ProRes 422.
        public static let proRes422 = MediaSubType(rawValue: code("apcn"))
        /// AV1.
        public static let av1 = MediaSubType(rawValue: code("av01"))
        /// AAC.
        public static let mpeg4AAC = MediaSubType(rawValue: code("aac "))

        /// The letters.
        public var description: String { letters(rawValue) }
    }

    /// What the samples are for.
    public let mediaType: MediaType
    /// How they are encoded, as the container says it: sound in AAC is `mp4a` there.
    public let mediaSubType: MediaSubType
    /// The pixels of pictures, not turned; 0 for anything else.
    public let dimensions: CMVideoDimensions
    /// How sound is sampled; nil for anything else.
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

    /// Equal when all that is known is.
    public static func == (one: CMFormatDescription, other: CMFormatDescription) -> Bool {
        one.mediaType == other.mediaType && one.mediaSubType == other.mediaSubType
            && one.dimensions == other.dimensions
            && one.audioStreamBasicDescription == other.audioStreamBasicDescription
    }

    /// Agrees with equality.
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

/// What the samples of a video track are.
public typealias CMVideoFormatDescription = CMFormatDescription

/// What the samples of a sound track are.
public typealias CMAudioFormatDescription = CMFormatDescription

/// The pixels of a picture.
public struct CMVideoDimensions: Sendable, Hashable {
    /// Pixels across.
    public var width: Int32
    /// Pixels down.
    public var height: Int32

    /// Nothing.
    public init() {
        self.init(width: 0, height: 0)
    }

    /// So many pixels.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// How sound is sampled.
///
/// What a container does not say of compressed sound is 0.
public struct AudioStreamBasicDescription: Sendable, Hashable {
    /// Samples per second.
    public var mSampleRate: Double
    /// How they are encoded: four letters.
    public var mFormatID: FourCharCode
    /// What else there is to say of the encoding.
    public var mFormatFlags: UInt32
    /// Bytes of a packet; 0 where packets differ.
    public var mBytesPerPacket: UInt32
    /// Frames of a packet; 0 where packets differ.
    public var mFramesPerPacket: UInt32
    /// Bytes of a frame; 0 for compressed sound.
    public var mBytesPerFrame: UInt32
    /// Channels.
    public var mChannelsPerFrame: UInt32
    /// Bits of a sample; 0 for compressed sound.
    public var mBitsPerChannel: UInt32
    /// Always 0.
    public var mReserved: UInt32

    /// A description by its parts.
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

/// What the samples are for.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> FourCharCode {
    desc.mediaType.rawValue
}

/// How the samples are encoded.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode {
    desc.mediaSubType.rawValue
}

/// The pixels of pictures, not turned.
public func CMVideoFormatDescriptionGetDimensions(
    _ videoDesc: CMVideoFormatDescription
) -> CMVideoDimensions {
    videoDesc.dimensions
}

/// Pictures.
public var kCMMediaType_Video: FourCharCode { CMFormatDescription.MediaType.video.rawValue }

/// Sound.
public var kCMMediaType_Audio: FourCharCode { CMFormatDescription.MediaType.audio.rawValue }

/// H.264.
public var kCMVideoCodecType_H264: FourCharCode { CMFormatDescription.MediaSubType.h264.rawValue }

/// HEVC.
public var kCMVideoCodecType_HEVC: FourCharCode { CMFormatDescription.MediaSubType.hevc.rawValue }
