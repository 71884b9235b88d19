public import Foundation
internal import PhotoModel
internal import Synchronization

/// A movie or a sound file: its tracks and what it says of itself.
///
/// The file is read when a value is first asked for, in the confined process `photos-worker`; damaged
/// and hostile files cost an error. Plain properties wait for it and say nothing (no tracks, an invalid
/// duration) where the file can't be read; `load` waits elsewhere and throws why. An asset never
/// changes, and can be used from any thread.
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, AVAssetOpening,
    @unchecked Sendable
{
    // Unchecked because the class is open; what it stores is immutable but for a Mutex.

    private struct Made {
        var tracks: [AVAssetTrack]?
        var metadata: [AVMetadataItem]?
    }

    /// The file; nil for an asset of none.
    package let file: MovieFile?
    private let made = Mutex(Made())

    /// An asset of no file.
    public override init() {
        file = nil
        super.init()
    }

    package init(file: MovieFile) {
        self.file = file
        super.init()
    }

    /// Itself: an asset never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: an asset never changes.
    open override func copy() -> Any { self }

    // MARK: - Times

    /// How long it is; invalid where the file can't be read.
    open var duration: CMTime { (try? loadedDuration()) ?? .invalid }

    /// How fast it is meant to be played: 1.
    open var preferredRate: Float { 1 }

    /// How loud it is meant to be played: 1.
    open var preferredVolume: Float { 1 }

    /// Whether times are exact: they are those that the file's index says.
    open var providesPreciseDurationAndTiming: Bool { true }

    // MARK: - Tracks

    /// Its tracks, in the file's order; none where the file can't be read.
    open var tracks: [AVAssetTrack] { (try? loadedTracks()) ?? [] }

    /// The track with a number.
    open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        tracks.first { $0.trackID == trackID }
    }

    /// The tracks of a kind.
    open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// The tracks of which something can be said.
    open func tracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// The track with a number.
    ///
    /// - Throws: An ``AVError``: why the file can't be read.
    open func loadTrack(
        withTrackID trackID: CMPersistentTrackID
    ) async throws -> AVAssetTrack? {
        try await load(.tracks).first { $0.trackID == trackID }
    }

    /// The tracks of a kind.
    ///
    /// - Throws: An ``AVError``: why the file can't be read.
    open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try await load(.tracks).filter { $0.mediaType == mediaType }
    }

    /// The tracks of which something can be said.
    ///
    /// - Throws: An ``AVError``: why the file can't be read.
    open func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVAssetTrack] {
        try await load(.tracks).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// The tracks of a kind, in a callback on no particular queue; nil and an ``AVError`` where the file
    /// can't be read.
    open func loadTracks(
        withMediaType mediaType: AVMediaType,
        completionHandler: @escaping ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        let handler = UncheckedValue(value: completionHandler)
        movieQueue.async { [self] in
            do {
                let found = try loadedTracks().filter { $0.mediaType == mediaType }
                handler.value(found, nil)
            } catch {
                handler.value(nil, error)
            }
        }
    }

    /// How the picture of the first video track is laid out for display.
    open var preferredTransform: CGAffineTransform {
        tracks(withMediaType: .video).first?.preferredTransform ?? .identity
    }

    /// The pixels of the first video track, not turned.
    open var naturalSize: CGSize {
        tracks(withMediaType: .video).first?.naturalSize ?? .zero
    }

    // MARK: - Metadata

    /// What it says of itself, in the file's order.
    open var metadata: [AVMetadataItem] { (try? loadedMetadata()) ?? [] }

    /// What it says of itself that has a name in all kinds of files.
    open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    /// Where in the file it says something of itself.
    open var availableMetadataFormats: [AVMetadataFormat] {
        AVMetadataFormat.formats(of: metadata)
    }

    /// What it says of itself at one place of the file.
    open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        metadata.filter { $0.keySpace == format.keySpace }
    }

    /// What it says of itself at one place of the file.
    ///
    /// - Throws: An ``AVError``: why the file can't be read.
    open func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        try await load(.metadata).filter { $0.keySpace == format.keySpace }
    }

    /// When it was made.
    open var creationDate: AVMetadataItem? { try? loadedCreationDate() }

    // MARK: - Uses

    /// Whether it has a track that is not encrypted and of a kind that is known here.
    ///
    /// Nothing here plays it.
    open var isPlayable: Bool { isReadable && tracks.contains(where: \.isDecodable) }

    /// Whether it can be exported: ``isReadable``.
    open var isExportable: Bool { isReadable }

    /// Whether it has a track, and none that is encrypted.
    open var isReadable: Bool { !tracks.isEmpty && !hasProtectedContent }

    /// Whether its tracks could be joined with others: ``isReadable``.
    open var isComposable: Bool { isReadable }

    /// Whether a track is encrypted.
    open var hasProtectedContent: Bool { (try? facts())?.hasProtectedContent ?? false }

    // MARK: - Loading

    /// Whether a value is known, without waiting.
    open func statusOfValue(
        forKey key: String,
        error outError: NSErrorPointer = nil
    ) -> AVKeyValueStatus {
        switch file?.knowledge ?? .failure(noFile) {
        case .nothing: return .unknown
        case .awaited: return .loading
        case .facts: return .loaded
        case .failure(let error):
            outError?.pointee = error.bridged
            return .failed
        }
    }

    /// Reads the file, and calls back on no particular queue: once, whatever comes of it.
    open func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)? = nil
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async { [self] in
            _ = try? facts()
            handler.value?()
        }
    }

    /// Does nothing: a file that is being read is read to its end, which takes a moment.
    open func cancelLoading() {}

    func facts() throws(AVError) -> MovieFacts {
        guard let file else { throw noFile }
        return try file.facts()
    }

    func loadedDuration() throws(AVError) -> CMTime { CMTime(try facts().duration) }

    func loadedTracks() throws(AVError) -> [AVAssetTrack] {
        let facts = try facts()
        return made.withLock { made in
            if let tracks = made.tracks { return tracks }
            let tracks = facts.tracks.map { AVAssetTrack($0, of: self) }
            made.tracks = tracks
            return tracks
        }
    }

    func loadedMetadata() throws(AVError) -> [AVMetadataItem] {
        let facts = try facts()
        return made.withLock { made in
            if let metadata = made.metadata { return metadata }
            let metadata = facts.metadata.map { AVMetadataItem($0) }
            made.metadata = metadata
            return metadata
        }
    }

    func loadedCreationDate() throws(AVError) -> AVMetadataItem? {
        guard let text = try facts().creationDate else { return nil }
        return AVMetadataItem(
            MovieMetadataItem(
                keySpace: AVMetadataKeySpace.common.rawValue,
                key: AVMetadataKey.commonKeyCreationDate.rawValue,
                value: text
            )
        )
    }

    private var noFile: AVError {
        AVError(
            .operationNotSupportedForAsset,
            "The asset has no file, so nothing can be read of it.",
            recovery: "Make it with AVURLAsset(url:), or ask PHImageManager for it."
        )
    }
}

extension CMTime {
    /// A time that a worker read.
    init(_ time: MovieTime) {
        self.init(value: time.value, timescale: time.timescale)
    }
}
