public import Foundation
internal import PhotoModel
internal import Synchronization

/// An audiovisual asset: the tracks and metadata of a movie or sound file.
///
/// The file is read on the first access to a value, in the confined process `photos-worker`, so a
/// damaged or hostile file causes only an error. Plain properties block until the file has been
/// read. If it can't be read, they return an empty or invalid value (no tracks, an invalid
/// duration) and report no error. `load` waits off the caller's thread and throws the reason. An
/// asset is immutable and can be used from any thread.
open class AVAsset: NSObject, NSCopying, AVAsynchronousKeyValueLoading, AVAssetOpening,
    @unchecked Sendable
{
    // Unchecked because the class is open; its stored state is immutable or in a Mutex.

    private struct Made {
        var tracks: [AVAssetTrack]?
        var metadata: [AVMetadataItem]?
    }

    /// The file; nil for an asset without one.
    package let file: MovieFile?
    private let made = Mutex(Made())

    /// Creates an asset without a file.
    public override init() {
        file = nil
        super.init()
    }

    package init(file: MovieFile) {
        self.file = file
        super.init()
    }

    /// Returns the asset itself, because assets are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the asset itself, because assets are immutable.
    open override func copy() -> Any { self }

    // MARK: - Timing

    /// The asset's duration; invalid if the file can't be read.
    open var duration: CMTime { (try? loadedDuration()) ?? .invalid }

    /// The natural playback rate, always 1.
    open var preferredRate: Float { 1 }

    /// The preferred playback volume, always 1.
    open var preferredVolume: Float { 1 }

    /// A Boolean value that indicates whether durations and times are exact; always true, because
    /// they come from the file's index.
    open var providesPreciseDurationAndTiming: Bool { true }

    // MARK: - Tracks

    /// The tracks, in file order; empty if the file can't be read.
    open var tracks: [AVAssetTrack] { (try? loadedTracks()) ?? [] }

    /// Returns the track with an identifier.
    open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
        tracks.first { $0.trackID == trackID }
    }

    /// Returns the tracks with a media type.
    open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// Returns the tracks with a media characteristic.
    open func tracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> [AVAssetTrack] {
        tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Loads the track with an identifier.
    ///
    /// - Throws: An ``AVError`` with the reason if the file can't be read.
    open func loadTrack(
        withTrackID trackID: CMPersistentTrackID
    ) async throws -> AVAssetTrack? {
        try await load(.tracks).first { $0.trackID == trackID }
    }

    /// Loads the tracks with a media type.
    ///
    /// - Throws: An ``AVError`` with the reason if the file can't be read.
    open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
        try await load(.tracks).filter { $0.mediaType == mediaType }
    }

    /// Loads the tracks with a media characteristic.
    ///
    /// - Throws: An ``AVError`` with the reason if the file can't be read.
    open func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVAssetTrack] {
        try await load(.tracks).filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Loads the tracks with a media type, and calls a handler on an unspecified queue.
    ///
    /// The handler receives nil and an ``AVError`` if the file can't be read.
    open func loadTracks(
        withMediaType mediaType: AVMediaType,
        completionHandler: @escaping ([AVAssetTrack]?, (any Error)?) -> Void
    ) {
        MovieQueues.read {
            Result { try self.loadedTracks().filter { $0.mediaType == mediaType } }
        } handler: { result in
            switch result {
            case .success(let found): completionHandler(found, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// The transform that orients the first video track for display.
    open var preferredTransform: CGAffineTransform {
        tracks(withMediaType: .video).first?.preferredTransform ?? .identity
    }

    /// The size of the first video track in pixels, before ``preferredTransform``.
    open var naturalSize: CGSize {
        tracks(withMediaType: .video).first?.naturalSize ?? .zero
    }

    // MARK: - Metadata

    /// The metadata items, in file order; empty if the file can't be read.
    open var metadata: [AVMetadataItem] { (try? loadedMetadata()) ?? [] }

    /// The metadata items whose key is common to all file formats.
    open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

    /// The metadata formats that the file contains.
    open var availableMetadataFormats: [AVMetadataFormat] {
        AVMetadataFormat.formats(of: metadata)
    }

    /// Returns the metadata items in a format.
    open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        metadata.filter { $0.keySpace == format.keySpace }
    }

    /// Loads the metadata items in a format.
    ///
    /// - Throws: An ``AVError`` with the reason if the file can't be read.
    open func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
        try await load(.metadata).filter { $0.keySpace == format.keySpace }
    }

    /// The creation date as a metadata item, or nil if the file has none or can't be read.
    open var creationDate: AVMetadataItem? { try? loadedCreationDate() }

    // MARK: - Capabilities

    /// A Boolean value that indicates whether the asset is readable and swift-photos can decode one
    /// of its tracks.
    ///
    /// swift-photos itself contains no player.
    open var isPlayable: Bool { isReadable && tracks.contains(where: \.isDecodable) }

    /// A Boolean value that indicates whether the asset can be exported; equal to ``isReadable``.
    open var isExportable: Bool { isReadable }

    /// A Boolean value that indicates whether the asset has at least one track and no encrypted
    /// tracks.
    open var isReadable: Bool { !tracks.isEmpty && !hasProtectedContent }

    /// A Boolean value that indicates whether the asset's tracks could go into a composition; equal
    /// to ``isReadable``.
    open var isComposable: Bool { isReadable }

    /// A Boolean value that indicates whether any track is encrypted.
    open var hasProtectedContent: Bool { (try? facts())?.hasProtectedContent ?? false }

    // MARK: - Loading

    /// Returns the loading status of a value, without blocking.
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

    /// Reads the file, and calls the handler once on an unspecified queue, after success or
    /// failure.
    open func loadValuesAsynchronously(
        forKeys keys: [String],
        completionHandler handler: (() -> Void)? = nil
    ) {
        MovieQueues.read {
            _ = try? self.facts()
        } handler: { _ in
            handler?()
        }
    }

    /// Does nothing: a read that has started runs to completion, which takes a moment.
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
            "The asset has no file, so it cannot be read.",
            recovery: "Create it with AVURLAsset(url:), or request it from PHImageManager."
        )
    }
}

extension CMTime {
    /// Creates a `CMTime` from a time in a movie, as reported by the process `photos-worker`.
    init(_ time: MovieTime) {
        self.init(value: time.value, timescale: time.timescale)
    }
}
