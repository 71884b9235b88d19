public import Foundation
internal import PhotoModel

/// A track of a movie: its pictures, its sound, or something else.
///
/// Tracks are of a file that has been read, so all that they say is at hand.
open class AVAssetTrack: NSObject, NSCopying, AVAsynchronousKeyValueLoading, @unchecked Sendable {
    // Unchecked because the class is open; what it stores never changes.

    private let facts: MovieTrack
    /// The asset that it is of, as long as that is there.
    public private(set) weak var asset: AVAsset?

    init(_ facts: MovieTrack, of asset: AVAsset) {
        self.facts = facts
        self.asset = asset
        super.init()
    }

    /// Itself: a track never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: a track never changes.
    open override func copy() -> Any { self }

    // MARK: - Kind

    /// Its number in the file.
    open var trackID: CMPersistentTrackID { facts.id }

    /// What it is for.
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

    /// How its samples are encoded: one `CMFormatDescription`.
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

    /// Whether it can be decoded here.
    open var isDecodable: Bool { facts.isDecodable }

    /// Whether it can be decoded here; nothing here plays it.
    open var isPlayable: Bool { facts.isDecodable }

    /// Whether the file says that it is in use.
    open var isEnabled: Bool { facts.isEnabled }

    /// Whether its samples are in the same file: always.
    open var isSelfContained: Bool { true }

    /// Whether something can be said of it.
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

    // MARK: - Time

    /// When it is shown, in the movie's time.
    open var timeRange: CMTimeRange {
        CMTimeRange(start: CMTime(facts.start), duration: CMTime(facts.duration))
    }

    /// Units per second of its samples' times.
    open var naturalTimeScale: CMTimeScale { facts.timescale }

    // MARK: - Data

    /// Bits per second on average; 0 where it is not known.
    open var estimatedDataRate: Float { Float(finite: facts.estimatedDataRate) }

    /// Bytes of all samples; 0 where the file does not list them.
    open var totalSampleDataLength: Int64 { facts.totalSampleDataLength }

    /// The language of its sound or text in ISO 639-2/T; nil where the file does not say.
    open var languageCode: String? { facts.language }

    /// The language of its sound or text in BCP 47; nil where the file does not say.
    open var extendedLanguageTag: String? {
        facts.language.map { Locale.Components(identifier: $0).languageComponents }
            .flatMap { $0.languageCode?.identifier(.alpha2) ?? $0.languageCode?.identifier }
    }

    // MARK: - Pictures and sound

    /// The pixels of its pictures, not turned; zero for anything else.
    open var naturalSize: CGSize { CGSize(width: facts.width, height: facts.height) }

    /// How its pictures are laid out for display.
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

    /// Frames per second on average; 0 for what has no pictures.
    open var nominalFrameRate: Float { Float(finite: facts.nominalFrameRate) }

    /// The shortest time that a frame is shown; invalid where it is not known.
    open var minFrameDuration: CMTime { facts.minFrameDuration.map { CMTime($0) } ?? .invalid }

    /// How loud it is meant to be played: 1 for sound.
    open var preferredVolume: Float { facts.kind == .audio ? 1 : 0 }

    // MARK: - Loading

    /// Whether a value is known: always.
    open func statusOfValue(
        forKey key: String,
        error outError: NSErrorPointer = nil
    ) -> AVKeyValueStatus { .loaded }

    /// Calls back on no particular queue: all values are known.
    open func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)? = nil
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async { handler.value?() }
    }

    /// Number, kind and codec, for a person.
    open override var description: String {
        "<\(type(of: self)) \(trackID) \(mediaType.rawValue) \(facts.mediaSubtypeName)>"
    }
}

extension Float {
    /// A number that a file says; 0 where it is none.
    fileprivate init(finite number: Double) {
        self = number.isFinite ? Float(number) : 0
    }
}
