public import Foundation
internal import PhotoModel
internal import Synchronization
internal import WorkerClient

/// Makes another file of a movie: its tracks as they are, smaller, or in another codec.
///
/// The work is done in the confined process `photos-worker`. The result is written beside its place
/// under a hidden name, which it loses when it is whole; nothing that is there already is ever replaced,
/// and nothing is left of an export that fails or is cancelled. A session exports once.
///
/// Settings that are changed after an export began mean nothing for it.
open class AVAssetExportSession: NSObject, @unchecked Sendable {
    // Unchecked because the class is open; what changes is in a Mutex.

    /// What a session is doing.
    public enum Status: Int, Sendable, CaseIterable {
        /// Nothing yet.
        case unknown = 0
        /// It waits for a worker.
        case waiting = 1
        /// It writes.
        case exporting = 2
        /// The file is there.
        case completed = 3
        /// There is no file; the error says why.
        case failed = 4
        /// There is no file, as the program wanted.
        case cancelled = 5
    }

    /// What a session is doing, as a sequence tells it.
    public enum State: Sendable {
        /// Nothing yet.
        case pending
        /// It waits for a worker.
        case waiting
        /// It writes, and so much is done.
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
        /// Whether somebody ends it: the export itself, or a cancellation before it began.
        var isClaimed = false
        var handler: (@Sendable () -> Void)?
        var watchers: [Int: ExportWatcher] = [:]
        var nextWatcher = 0
    }

    /// The movie.
    public let asset: AVAsset
    /// How the result is made.
    public let presetName: String
    let preset: ExportPreset
    private let condition = Mutex(Condition())
    let cancellation = WorkCancellation()

    /// A session for a movie; nil for a preset that is not known.
    ///
    /// - Parameters:
    ///   - asset: Read when something is first asked of it.
    ///   - presetName: One of ``allExportPresets()``.
    public init?(asset: AVAsset, presetName: String) {
        guard let preset = ExportPreset.named(presetName) else { return nil }
        self.asset = asset
        self.presetName = presetName
        self.preset = preset
        super.init()
    }

    // MARK: - Settings

    /// The kind of file to write, one of ``supportedFileTypes``; needed.
    open var outputFileType: AVFileType? {
        get { settings.outputFileType }
        set { change { $0.outputFileType = newValue } }
    }

    /// The file to write, which must not be there; needed.
    open var outputURL: URL? {
        get { settings.outputURL }
        set { change { $0.outputURL = newValue } }
    }

    /// The part of the movie to export; all of it unless it says otherwise.
    ///
    /// With ``AVAssetExportPresetPassthrough`` the file may hold a few pictures more before it, where one
    /// stands for itself; players don't show them.
    open var timeRange: CMTimeRange {
        get { settings.timeRange }
        set { change { $0.timeRange = newValue } }
    }

    /// Bytes that the result must not be longer than; 0 for any number.
    ///
    /// Encoding keeps below it; an export whose tracks are copied fails where they are longer.
    open var fileLengthLimit: Int64 {
        get { settings.fileLengthLimit }
        set { change { $0.fileLengthLimit = max(0, newValue) } }
    }

    /// Whether the file's index comes first, so that playing can begin while it is loaded; false unless
    /// it says otherwise.
    open var shouldOptimizeForNetworkUse: Bool {
        get { settings.optimizesForNetwork }
        set { change { $0.optimizesForNetwork = newValue } }
    }

    /// What the result says of itself; nil, which is what it is at first, for what the movie says.
    ///
    /// Entries need text, numbers or dates as values.
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

    // MARK: - State

    /// What it is doing.
    open var status: Status { condition.withLock { $0.status } }

    /// How much is done, from 0 to 1; 1 only when the file is there.
    open var progress: Float { condition.withLock { $0.progress } }

    /// Why there is no file: an ``AVError``.
    open var error: (any Error)? { condition.withLock { $0.error } }

    // MARK: - Exporting

    /// Exports, and calls back on no particular queue: once, whatever comes of it.
    ///
    /// What came of it is in ``status`` and ``error``. A session that has exported already, or is at it,
    /// stays as it is.
    open func exportAsynchronously(completionHandler handler: @escaping () -> Void) {
        let handler = UncheckedValue(value: handler)
        if !start({ handler.value() }) { movieQueue.async { handler.value() } }
    }

    /// Exports; what came of it is in ``status`` and ``error``.
    ///
    /// When the task is cancelled so is the export.
    open func export() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                exportAsynchronously { continuation.resume() }
            }
        } onCancel: {
            cancelExport()
        }
    }

    /// Exports to a file, which must not be there.
    ///
    /// When the task is cancelled so is the export.
    ///
    /// - Throws: An ``AVError``: why there is no file.
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

    /// Stops an export, or keeps one from beginning; harmless when it has ended.
    ///
    /// The export ends with the status ``Status/cancelled``, unless it was done already.
    open func cancelExport() {
        cancellation.cancel()
        // One that waits for others to end would be told late.
        let isMine = condition.withLock { condition in
            guard condition.status == .waiting, !condition.isClaimed else { return false }
            condition.isClaimed = true
            return true
        }
        guard isMine else { return }
        movieQueue.async { [self] in
            end(AVError(.operationCancelled, "The export was cancelled."))
        }
    }

    /// What the session is doing, until the export ends.
    ///
    /// - Parameter updateInterval: Seconds at least between two words about progress; infinite for
    ///   none but that it began.
    /// - Returns: A sequence that begins with the present state.
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

    // MARK: - Presets and types

    /// The names of all presets.
    open class func allExportPresets() -> [String] { ExportPreset.all.map(\.name) }

    /// The names of the presets that can make something of a movie; none where it can't be read.
    ///
    /// Waits for the file.
    open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
        guard let facts = try? asset.facts() else { return [] }
        return ExportPreset.all.filter { $0.fits(facts) }.map(\.name)
    }

    /// Whether a preset can make a kind of file of a movie; of any kind where none is given.
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

    /// Whether a preset can make a kind of file of a movie, in a callback on no particular queue.
    open class func determineCompatibility(
        ofExportPreset presetName: String,
        with asset: AVAsset,
        outputFileType: AVFileType?,
        completionHandler handler: @escaping (Bool) -> Void
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async {
            guard let preset = ExportPreset.named(presetName), let facts = try? asset.facts() else {
                return handler.value(false)
            }
            let types = preset.fileTypes(for: facts)
            handler.value(outputFileType.map { types.contains($0) } ?? !types.isEmpty)
        }
    }

    /// The kinds of files that this session can write; none where the movie can't be read.
    ///
    /// Waits for the file.
    open var supportedFileTypes: [AVFileType] {
        (try? asset.facts()).map { preset.fileTypes(for: $0) } ?? []
    }

    /// The kinds of files that this session can write, in a callback on no particular queue.
    open func determineCompatibleFileTypes(
        completionHandler handler: @escaping ([AVFileType]) -> Void
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async { [self] in handler.value(supportedFileTypes) }
    }

    /// The kinds of files that this session can write.
    open var compatibleFileTypes: [AVFileType] {
        get async {
            await withCheckedContinuation { continuation in
                determineCompatibleFileTypes { continuation.resume(returning: $0) }
            }
        }
    }

    // MARK: - Estimates

    /// Bytes that the result is likely to have; 0 where the movie can't be read.
    ///
    /// Waits for the file.
    open var estimatedOutputFileLength: Int64 { (try? loadedOutputFileLength()) ?? 0 }

    /// Bytes that the result is likely to have, in a callback on no particular queue.
    open func estimateOutputFileLength(
        completionHandler handler: @escaping (Int64, (any Error)?) -> Void
    ) {
        let handler = UncheckedValue(value: handler)
        movieQueue.async { [self] in
            do {
                handler.value(try loadedOutputFileLength(), nil)
            } catch {
                handler.value(0, error)
            }
        }
    }

    /// How much of the movie ``fileLengthLimit`` is likely to leave room for; all of it without one.
    ///
    /// Invalid where the movie can't be read. Waits for the file.
    open var maxDuration: CMTime {
        guard let facts = try? asset.facts() else { return .invalid }
        let whole = CMTime(facts.duration)
        let limit = settings.fileLengthLimit
        let length = preset.estimatedLength(of: facts, seconds: whole.seconds)
        guard limit > 0, length > limit else { return whole }
        return CMTimeMultiplyByFloat64(whole, multiplier: Double(limit) / Double(length))
    }

    // MARK: - Parts

    /// One export at a time: the encoders use all processors.
    private static let exportQueue = DispatchQueue(label: "photos.movies.export")

    private static let isUsed = AVError(
        .operationNotAllowed,
        "The session has exported already, or is at it.",
        reason: "A session exports once.",
        recovery: "Make another AVAssetExportSession."
    )

    /// Queues the export, once.
    ///
    /// - Returns: Whether it was the first time; only then the handler is called.
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
        handler?()
    }

    private func advance(to progress: Double) {
        condition.withLock { condition in
            let isNews = condition.status != .exporting
            condition.status = .exporting
            // 1 is the word for a file that is there.
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
