internal import LibraryService
internal import PhotoModel
internal import Synchronization
internal import WorkerProtocol

/// An opened export between two steps of its import.
struct TakeoutSession: Sendable {
    let sources: [TakeoutSource]
    /// The open folders and archives.
    let descriptors: [Descriptor]
    let plan: TakeoutPlan
    let origins: TakeoutOrigins
    /// The positions at which the decompression of a tape archive can continue, by source.
    let positions: [Int: [InflatePosition]]
    /// The position after the last extracted file, by source.
    var rolling: [Int: InflatePosition] = [:]
    /// The next unit to import.
    var next = 0
    /// The lines that need no import, and the next one to report.
    let lines: [TakeoutLine]
    var nextLine = 0
    var totals = MigrationTotals()
    /// The JSON files whose lines were reported.
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

    /// Returns the position of a tape archive before an offset from which least has to be
    /// decompressed.
    func position(before offset: Int64, source: Int) -> InflatePosition? {
        let listed = positions[source]?.last { $0.output <= offset }
        guard let last = rolling[source], last.output <= offset,
            last.output >= listed?.output ?? 0
        else { return listed }
        return last
    }
}

/// The opened exports of an importer, by import session.
///
/// A step takes its session out while it runs, so that no lock is held meanwhile.
final class TakeoutSessions: Sendable {
    private let sessions = Mutex<[Int64: TakeoutSession]>([:])

    func put(_ session: TakeoutSession, number: Int64) {
        sessions.withLock { $0[number] = session }
    }

    func take(_ number: Int64) -> TakeoutSession? {
        sessions.withLock { $0.removeValue(forKey: number) }
    }
}
