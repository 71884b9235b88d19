internal import PhotosJSON
internal import PhotosManagement

/// The progress of an import, with its rate and the remaining time.
///
/// It counts files or, for a library of another program, photos.
struct ImportMeter: Sendable {
    /// The unit in which the progress is counted.
    enum Unit: String, Sendable {
        case files, photos
    }

    /// The minimum time before the first estimate, because the measured rate varies at the start.
    private static let warmUp = Duration.seconds(1)
    /// The share of the work that must be done before the first estimate.
    private static let firstShare = 0.01

    private(set) var unit = Unit.files
    /// The number of files or photos that have an outcome.
    private(set) var done = 0
    /// The total number of files or photos known so far.
    private(set) var total = 0
    private var bytes: Int64 = 0
    private var totalBytes: Int64 = 0
    private var isTotalKnown = false
    private var start: ContinuousClock.Instant?
    private var now: ContinuousClock.Instant?

    /// Starts to measure the import of a library's photos.
    mutating func begin(_ library: MigrationStart, at now: ContinuousClock.Instant) {
        self = ImportMeter()
        unit = .photos
        (total, isTotalKnown) = (library.assets, true)
        (start, self.now) = (now, now)
    }

    /// Starts to measure an import of files.
    mutating func beginFiles(at now: ContinuousClock.Instant) {
        self = ImportMeter()
        (start, self.now) = (now, now)
    }

    /// Updates the progress of a library's import.
    mutating func advance(_ summary: MigrationSummary, at now: ContinuousClock.Instant) {
        (done, bytes, self.now) = (summary.settled, summary.bytes, now)
    }

    /// Updates the progress of an import of files.
    mutating func advance(_ progress: ImportProgress, at now: ContinuousClock.Instant) {
        (done, bytes) = (progress.files, progress.bytes)
        (total, totalBytes) = (max(progress.totalFiles, progress.files), progress.totalBytes)
        (isTotalKnown, self.now) = (progress.isTotalKnown, now)
    }

    /// The share of the work that is done, from 0 to 1; nil while the total is unknown.
    var fraction: Double? {
        guard isTotalKnown, total > 0 else { return nil }
        let share =
            totalBytes > 0
            ? Double(bytes) / Double(totalBytes) : Double(done) / Double(total)
        return min(1, max(0, share))
    }

    private var elapsed: Duration {
        guard let start, let now else { return .zero }
        return now - start
    }

    /// The average number of bytes per second; nil until ``warmUp`` has elapsed and at least one
    /// byte has been processed.
    var rate: Int64? {
        guard elapsed >= Self.warmUp, bytes > 0 else { return nil }
        return Int64(Double(bytes) / (elapsed / .seconds(1)))
    }

    /// The estimated remaining time in seconds; nil until ``warmUp`` has elapsed and ``fraction``
    /// exceeds ``firstShare``.
    var secondsLeft: Int? {
        guard elapsed >= Self.warmUp, let fraction, fraction > Self.firstShare else { return nil }
        return Int((elapsed / .seconds(1) * (1 - fraction) / fraction).rounded(.up))
    }

    /// Adds the completed fraction, the rate and the remaining time to the JSON of an import.
    ///
    /// `isOver` states whether the import has ended, so that everything is done.
    func add(to object: inout JSONObject, isOver: Bool) {
        object.add("unit", unit.rawValue)
        object.add("fraction", isOver ? 1 : fraction)
        object.add("rate", rate)
        object.add("secondsLeft", isOver ? 0 : secondsLeft)
    }
}
