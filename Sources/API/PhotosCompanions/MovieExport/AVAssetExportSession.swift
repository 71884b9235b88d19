public import Foundation
internal import PhotoModel
internal import Synchronization
internal import WorkerClient

/// A session that exports a movie to a new file.
///
/// Its tracks are copied, scaled down or transcoded.
///
/// The work is done in the confined process `photos-worker`. The result is written next to its
/// destination under a hidden name and renamed once it is complete. An existing file is never
/// replaced, and an export that fails or is canceled leaves nothing behind. A session exports only
/// once.
///
/// Changes of settings have no effect on an export that has started.
open class AVAssetExportSession: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; mutable state is in a Mutex.

    /// The status of a session.
    public enum Status: Int, Sendable, CaseIterable {
        /// The export has not been started.
        case unknown = 0
        /// The export is waiting for a worker.
        case waiting = 1
        /// The file is being written.
        case exporting = 2
        /// The file has been written.
        case completed = 3
        /// The export failed; the session's error states the reason.
        case failed = 4
        /// The export was canceled.
        case cancelled = 5
    }

    /// A state of an export session, as delivered by the sequence that
    /// ``AVAssetExportSession/states(updateInterval:)`` returns.
    public enum State: Sendable {
        /// The export has not been started.
        case pending
        /// The export is waiting for a worker.
        case waiting
        /// The file is being written, with the given progress.
        case exporting(progress: Progress)
    }

    struct Settings {
        var outputFileType: AVFileType?
        var outputURL: URL?
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var fileLengthLimit: Int64 = 0
        var optimizesForNetwork = false
        var metadata: [AVMetadataItem]?
    }

    private struct Condition {
        var settings = Settings()
        var status = Status.unknown
        var progress: Float = 0
        var error: AVError?
        /// Indicates whether the export has begun, or was canceled before it could begin.
        ///
        /// Whichever happens first sets the flag and determines the outcome.
        var isClaimed = false
        var handler: (@Sendable () -> Void)?
        var watchers: [Int: ExportWatcher] = [:]
        var nextWatcher = 0
    }

    /// The movie to export.
    public let asset: AVAsset
    /// The name of the export preset.
    public let presetName: String
    let preset: ExportPreset
    private let condition = Mutex(Condition())
    let cancellation = WorkCancellation()

    /// Creates a session for a movie; nil for an unknown preset.
    ///
    /// - Parameters:
    ///   - asset: The movie, which is read on the first access to a value.
    ///   - presetName: One of ``allExportPresets()``.
    public init?(asset: AVAsset, presetName: String) {
        guard let preset = ExportPreset.named(presetName) else { return nil }
        self.asset = asset
        self.presetName = presetName
        self.preset = preset
        super.init()
    }

    // MARK: - Settings

    /// The type of the file to write, one of ``supportedFileTypes``; required.
    open var outputFileType: AVFileType? {
        get { settings.outputFileType }
        set { change { $0.outputFileType = newValue } }
    }

    /// The file to write, which must not exist; required.
    open var outputURL: URL? {
        get { settings.outputURL }
        set { change { $0.outputURL = newValue } }
    }

    /// The time range to export; the whole movie by default.
    ///
    /// With ``AVAssetExportPresetPassthrough`` the file may also contain the frames from the
    /// preceding key frame on; players don't show them.
    open var timeRange: CMTimeRange {
        get { settings.timeRange }
        set { change { $0.timeRange = newValue } }
    }

    /// The maximum length of the file in bytes; 0 for no limit.
    ///
    /// Encoding adapts to the limit. An export that copies tracks fails if they exceed it.
    open var fileLengthLimit: Int64 {
        get { settings.fileLengthLimit }
        set { change { $0.fileLengthLimit = max(0, newValue) } }
    }

    /// A Boolean value that indicates whether the index is written at the beginning of the file, so
    /// that playback can begin during download; false by default.
    open var shouldOptimizeForNetworkUse: Bool {
        get { settings.optimizesForNetwork }
        set { change { $0.optimizesForNetwork = newValue } }
    }

    /// The metadata of the exported file; nil, the default, copies the movie's metadata.
    ///
    /// Items must have strings, numbers or dates as values.
    open var metadata: [AVMetadataItem]? {
        get { settings.metadata }
        set {
            let copies = newValue?.map { $0.copy() as? AVMetadataItem ?? $0 }
            change { $0.metadata = copies }
        }
    }

    var settings: Settings { condition.withLock { $0.settings } }

    private func change(_ body: (inout Settings) -> Void) {
        condition.withLock { body(&$0.settings) }
    }

    // MARK: - Status

    /// The current status.
    open var status: Status { condition.withLock { $0.status } }

    /// The progress from 0 to 1; 1 only when the file is complete.
    open var progress: Float { condition.withLock { $0.progress } }

    /// The reason for a failed or canceled export: an ``AVError``.
    open var error: (any Error)? { condition.withLock { $0.error } }

    // MARK: - Exporting

    /// Exports the movie and calls the handler once, on an unspecified queue, after success or
    /// failure.
    ///
    /// The outcome is in ``status`` and ``error``. If the session is exporting or has exported, the
    /// call does not affect it. The handler may wait for other exports.
    open func exportAsynchronously(completionHandler handler: @escaping () -> Void) {
        let handler = UncheckedValue(value: handler)
        if !start({ handler.value() }) { MovieQueues.call { handler.value() } }
    }

    /// Exports the movie; the outcome is in ``status`` and ``error``.
    ///
    /// Canceling the task cancels the export.
    open func export() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                exportAsynchronously { continuation.resume() }
            }
        } onCancel: {
            cancelExport()
        }
    }

    /// Exports the movie to a new file; fails if the file already exists.
    ///
    /// Canceling the task cancels the export.
    ///
    /// - Throws: An ``AVError`` with the reason if no file was written.
    open func export(to url: URL, as fileType: AVFileType) async throws {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<(any Error)?, Never>) in
                let isStarted = start(at: (url, fileType)) { [self] in
                    continuation.resume(returning: error)
                }
                if !isStarted { continuation.resume(returning: Self.isUsed) }
            }
        } onCancel: {
            cancelExport()
        }
        if let outcome { throw outcome }
    }

    /// Cancels the export, or prevents it from starting; has no effect once it has ended.
    ///
    /// The export ends with the status ``Status/cancelled``, unless it was already complete.
    open func cancelExport() {
        cancellation.cancel()
        // Ends an export that is queued behind others at once, instead of when its turn comes.
        let isMine = condition.withLock { condition in
            guard condition.status == .waiting, !condition.isClaimed else { return false }
            condition.isClaimed = true
            return true
        }
        guard isMine else { return }
        end(AVError(.operationCancelled, "The export was canceled."))
    }

    /// Returns the states of the session until the export ends.
    ///
    /// - Parameter updateInterval: The minimum number of seconds between progress updates. If it is
    ///   infinite, the only update is that writing started.
    /// - Returns: A sequence that begins with the current state.
    open func states(updateInterval: TimeInterval = .infinity) -> AsyncStream<State> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            var watcher = ExportWatcher(continuation: continuation, interval: updateInterval)
            let number = condition.withLock { condition -> Int? in
                guard condition.status.rawValue <= Status.exporting.rawValue else { return nil }
                watcher.notify(condition.status, condition.progress, isNews: true)
                condition.nextWatcher += 1
                condition.watchers[condition.nextWatcher] = watcher
                return condition.nextWatcher
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.condition.withLock { _ = $0.watchers.removeValue(forKey: number) }
            }
        }
    }

    // MARK: - Presets and file types

    /// Returns the names of all presets.
    open class func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

    /// Returns the names of the presets that are compatible with a movie; empty if it can't be
    /// read.
    ///
    /// Blocks until the file has been read.
    open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        guard let facts = try? asset.facts() else { return [] }
        return ExportPreset.all.filter { $0.fits(facts) }.map(\.name)
    }

    /// Returns whether a preset can export a movie to a file type, or to any file type if
    /// `outputFileType` is nil.
    open class func compatibility(
        ofExportPreset presetName: String,
        with asset: AVAsset,
        outputFileType: AVFileType?
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            determineCompatibility(
                ofExportPreset: presetName,
                with: asset,
                outputFileType: outputFileType
            ) { continuation.resume(returning: $0) }
        }
    }

    /// Determines whether a preset can export a movie to a file type, and calls the handler on an
    /// unspecified queue.
    open class func determineCompatibility(
        ofExportPreset presetName: String,
        with asset: AVAsset,
        outputFileType: AVFileType?,
        completionHandler handler: @escaping (Bool) -> Void
    ) {
        MovieQueues.read(
            {
                guard let preset = ExportPreset.named(presetName),
                    let facts = try? asset.facts()
                else { return false }
                let types = preset.fileTypes(for: facts)
                return outputFileType.map { types.contains($0) } ?? !types.isEmpty
            },
            handler: handler
        )
    }

    /// The file types that this session can write; empty if the movie can't be read.
    ///
    /// Blocks until the file has been read.
    open var supportedFileTypes: [AVFileType] {
        (try? asset.facts()).map { preset.fileTypes(for: $0) } ?? []
    }

    /// Determines the file types that this session can write, and calls the handler on an
    /// unspecified queue.
    open func determineCompatibleFileTypes(
        completionHandler handler: @escaping ([AVFileType]) -> Void
    ) {
        MovieQueues.read({ self.supportedFileTypes }, handler: handler)
    }

    /// The file types that this session can write.
    open var compatibleFileTypes: [AVFileType] {
        get async {
            await withCheckedContinuation { continuation in
                determineCompatibleFileTypes { continuation.resume(returning: $0) }
            }
        }
    }

    // MARK: - Estimates

    /// The estimated length of the file in bytes; 0 if the movie can't be read.
    ///
    /// Blocks until the file has been read.
    open var estimatedOutputFileLength: Int64 { (try? loadedOutputFileLength()) ?? 0 }

    /// Estimates the length of the file in bytes, and calls the handler on an unspecified queue.
    open func estimateOutputFileLength(
        completionHandler handler: @escaping (Int64, (any Error)?) -> Void
    ) {
        MovieQueues.read {
            Result { try self.loadedOutputFileLength() }
        } handler: { result in
            switch result {
            case .success(let length): handler(length, nil)
            case .failure(let error): handler(0, error)
            }
        }
    }

    /// The estimated duration of the part of the movie that fits into ``fileLengthLimit``; the
    /// whole duration if there is no limit.
    ///
    /// Invalid if the movie can't be read. Blocks until the file has been read.
    open var maxDuration: CMTime {
        guard let facts = try? asset.facts() else { return .invalid }
        let whole = CMTime(facts.duration)
        let limit = settings.fileLengthLimit
        let length = preset.estimatedLength(of: facts, seconds: whole.seconds)
        guard limit > 0, length > limit else { return whole }
        return CMTimeMultiplyByFloat64(whole, multiplier: Double(limit) / Double(length))
    }

    // MARK: - Helpers

    /// A serial queue that runs one export at a time, because the encoders use all processors.
    ///
    /// It calls no handlers, which may wait for another export.
    private static let exportQueue = DispatchQueue(label: "photos.movies.export")

    private static let isUsed = AVError(
        .operationNotAllowed,
        "The session has already exported, or is exporting.",
        reason: "A session can export only once.",
        recovery: "Create another AVAssetExportSession."
    )

    /// Queues the export, unless it was queued before.
    ///
    /// - Returns: Whether this is the first call; only then the handler is called.
    private func start(
        at place: (URL, AVFileType)? = nil,
        _ handler: @escaping @Sendable () -> Void
    ) -> Bool {
        let isNew = condition.withLock { condition in
            guard condition.status == .unknown else { return false }
            if let (url, type) = place {
                condition.settings.outputURL = url
                condition.settings.outputFileType = type
            }
            condition.status = .waiting
            condition.handler = handler
            Self.notify(&condition, isNews: true)
            return true
        }
        if isNew { Self.exportQueue.async { [self] in run() } }
        return isNew
    }

    private func run() {
        let isMine = condition.withLock { condition in
            defer { condition.isClaimed = true }
            return !condition.isClaimed
        }
        guard isMine else { return }
        do throws(AVError) {
            try ExportRun(self, settings) { [self] in advance(to: $0) }.write()
            end(nil)
        } catch {
            end(error)
        }
    }

    private func end(_ outcome: AVError?) {
        let (watchers, handler) = condition.withLock { condition in
            condition.error = outcome
            if let outcome {
                condition.status = outcome.code == .operationCancelled ? .cancelled : .failed
            } else {
                condition.status = .completed
                condition.progress = 1
            }
            defer {
                condition.watchers = [:]
                condition.handler = nil
            }
            return (condition.watchers.values, condition.handler)
        }
        for watcher in watchers { watcher.continuation.finish() }
        if let handler { MovieQueues.call(handler) }
    }

    private func advance(to progress: Double) {
        condition.withLock { condition in
            let isNews = condition.status != .exporting
            condition.status = .exporting
            // A progress of 1 is reserved for a completed file.
            condition.progress = max(condition.progress, Float(min(max(progress, 0), 0.999)))
            Self.notify(&condition, isNews: isNews)
        }
    }

    private static func notify(_ condition: inout Condition, isNews: Bool) {
        for number in condition.watchers.keys {
            condition.watchers[number]?
                .notify(
                    condition.status,
                    condition.progress,
                    isNews: isNews
                )
        }
    }
}
