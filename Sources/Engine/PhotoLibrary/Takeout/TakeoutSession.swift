internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerProtocol

/// The state of a Takeout import between two of its steps.
struct TakeoutSession: Sendable {
    let sources: [TakeoutSource]
    /// The open folders and archives.
    let descriptors: [Descriptor]
    let plan: TakeoutPlan
    let origins: TakeoutOrigins
    /// The positions at which decompression of a tape archive can start, by the archive's index.
    let positions: [Int: [InflatePosition]]
    /// The position after the last file that was extracted from each tape archive, by the index of
    /// the archive.
    var rolling: [Int: InflatePosition] = [:]
    /// The index of the next unit to import.
    var next = 0
    /// The report lines of files that are not imported.
    let lines: [TakeoutLine]
    var nextLine = 0
    var totals = MigrationTotals()
    /// The indices of JSON files whose lines were already reported.
    var reportedJSON: Set<Int> = []
    var isFinished = false

    init(
        sources: [TakeoutSource],
        descriptors: [Descriptor],
        plan: TakeoutPlan,
        origins: TakeoutOrigins,
        positions: [Int: [InflatePosition]],
        lines: [TakeoutLine]
    ) {
        self.sources = sources
        self.descriptors = descriptors
        self.plan = plan
        self.origins = origins
        self.positions = positions
        self.lines = lines
        totals.assets =
            plan.units.count + plan.lines.count { $0.line.isLeading }
        totals.missing = plan.lines.count { $0.line.isLeading && $0.line.outcome == .missing }
    }

    /// Returns the closest known position at or before an offset in a tape archive.
    func position(before offset: Int64, source: Int) -> InflatePosition? {
        let listed = positions[source]?.last { $0.output <= offset }
        guard let last = rolling[source], last.output <= offset,
            last.output >= listed?.output ?? 0
        else { return listed }
        return last
    }
}

/// The Takeout imports in progress, by import session number.
///
/// A step removes its session while it runs and puts it back afterward, so that no lock is held
/// during the step.
final class TakeoutSessions: Sendable {
    private let sessions = Mutex<[Int64: TakeoutSession]>([:])

    func put(_ session: TakeoutSession, number: Int64) {
        sessions.withLock { $0[number] = session }
    }

    func take(_ number: Int64) -> TakeoutSession? {
        sessions.withLock { $0.removeValue(forKey: number) }
    }
}
