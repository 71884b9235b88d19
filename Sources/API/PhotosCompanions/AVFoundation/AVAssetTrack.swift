public import Foundation
internal import PhotoModel

/// A track of an asset: video, audio or another kind.
///
/// Tracks come from a file that has already been read, so all properties are available at once.
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Unchecked because the class is open; its stored state is immutable.

    private let facts: MovieTrack
    /// The asset that contains the track, or nil after the asset has been released.
    public private(set) weak var asset: AVAsset?

    init(_ facts: MovieTrack, of asset: AVAsset) {
        self.facts = facts
        self.asset = asset
        super.init()
    }

    /// Returns the track itself, because tracks are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the track itself, because tracks are immutable.
    open override func copy() -> Any { self }

    // MARK: - Media type

    /// The track's identifier in the file.
    open var trackID: CMPersistentTrackID { facts.id }

    /// The type of media in the track.
    open var mediaType: AVMediaType {
        switch facts.kind {
        case .video: .video
        case .audio: .audio
        case .metadata: .metadata
        case .subtitle: .subtitle
        case .timecode: .timecode
        case .other: AVMediaType("")
        }
    }

    /// The sample formats, in an array with exactly one `CMFormatDescription`.
    open var formatDescriptions: [Any] { [format] }

    var format: CMFormatDescription {
        let type = mediaType.rawValue.utf8.reduce(0) { $0 << 8 | FourCharCode($1) }
        return CMFormatDescription(
            mediaType: CMFormatDescription.MediaType(rawValue: type),
            mediaSubType: CMFormatDescription.MediaSubType(rawValue: facts.codec),
            dimensions: CMVideoDimensions(
                width: Int32(clamping: facts.width),
                height: Int32(clamping: facts.height)
            ),
            audioStreamBasicDescription: facts.kind == .audio
                ? AudioStreamBasicDescription(
                    mSampleRate: facts.sampleRate,
                    mFormatID: facts.codec,
                    mChannelsPerFrame: UInt32(clamping: facts.channels)
                ) : nil
        )
    }

    /// A Boolean value that indicates whether swift-photos can decode the track.
    open var isDecodable: Bool { facts.isDecodable }

    /// A Boolean value that indicates whether swift-photos can decode the track; equal to
    /// ``isDecodable``.
    ///
    /// swift-photos itself contains no player.
    open var isPlayable: Bool { facts.isDecodable }

    /// A Boolean value that indicates whether the file marks the track as enabled.
    open var isEnabled: Bool { facts.isEnabled }

    /// A Boolean value that indicates whether the samples are stored in the file itself; always
    /// true.
    open var isSelfContained: Bool { true }

    /// Returns whether the track has a media characteristic.
    open func hasMediaCharacteristic(
        _ mediaCharacteristic: AVMediaCharacteristic
    ) -> Bool {
        mediaCharacteristics.contains(mediaCharacteristic)
    }

    var mediaCharacteristics: [AVMediaCharacteristic] {
        switch facts.kind {
        case .video: facts.isHDR ? [.visual, .containsHDRVideo] : [.visual]
        case .audio: [.audible]
        case .subtitle: [.legible]
        case .metadata, .timecode, .other: []
        }
    }

    // MARK: - Timing

    /// The time range of the track in the movie's timeline.
    open var timeRange: CMTimeRange {
        CMTimeRange(start: CMTime(facts.start), duration: CMTime(facts.duration))
    }

    /// The timescale of the samples' times, in units per second.
    open var naturalTimeScale: CMTimeScale { facts.timescale }

    // MARK: - Data

    /// The average data rate in bits per second; 0 if unknown.
    open var estimatedDataRate: Float { Float(finite: facts.estimatedDataRate) }

    /// The total size of the samples in bytes; 0 if the file does not list them.
    open var totalSampleDataLength: Int64 { facts.totalSampleDataLength }

    /// The ISO 639-2/T code of the track's language; nil if the file does not state one.
    open var languageCode: String? { facts.language }

    /// The BCP 47 tag of the track's language; nil if the file does not state one.
    open var extendedLanguageTag: String? {
        facts.language.map { Locale.Components(identifier: $0).languageComponents }
            .flatMap { $0.languageCode?.identifier(.alpha2) ?? $0.languageCode?.identifier }
    }

    // MARK: - Video and audio

    /// The frame size in pixels, before ``preferredTransform``; zero for tracks without video.
    open var naturalSize: CGSize { CGSize(width: facts.width, height: facts.height) }

    /// The transform that orients the frames for display.
    open var preferredTransform: CGAffineTransform {
        let transform = facts.transform
        return CGAffineTransform(
            a: transform.a,
            b: transform.b,
            c: transform.c,
            d: transform.d,
            tx: transform.tx,
            ty: transform.ty
        )
    }

    /// The average frame rate in frames per second; 0 for tracks without video.
    open var nominalFrameRate: Float { Float(finite: facts.nominalFrameRate) }

    /// The shortest frame duration; invalid if unknown.
    open var minFrameDuration: CMTime { facts.minFrameDuration.map { CMTime($0) } ?? .invalid }

    /// The preferred playback volume: 1 for audio, 0 for other tracks.
    open var preferredVolume: Float { facts.kind == .audio ? 1 : 0 }

    // MARK: - Loading

    /// Returns `loaded`, because all values are available from the start.
    open func statusOfValue(
        forKey key: String,
        error outError: NSErrorPointer = nil
    ) -> AVKeyValueStatus { .loaded }

    /// Calls the handler on an unspecified queue without loading anything.
    open func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)? = nil
    ) {
        let handler = UncheckedValue(value: handler)
        MovieQueues.call { handler.value?() }
    }

    /// A debug description with identifier, media type and codec.
    open override var description: String {
        "<\(type(of: self)) \(trackID) \(mediaType.rawValue) \(facts.mediaSubtypeName)>"
    }
}

extension Float {
    /// Converts a number from a file; infinite numbers and NaN become 0.
    fileprivate init(finite number: Double) {
        self = number.isFinite ? Float(number) : 0
    }
}
