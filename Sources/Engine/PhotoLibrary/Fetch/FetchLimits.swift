internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import PhotoModel
internal import Synchronization

/// The time that one read of the library may take, so that no predicate holds a thread.
///
/// 1. A regular expression stops after 250 ms for one text and after 2 s for all texts of a read. The time
///    is that of the thread's processor. It counts from the first ten thousand steps back on, so that
///    ordinary expressions over millions of texts are not counted.
/// 2. The read as a whole stops after the client's limit, where it has one, in processor time of the thread: a
///    busy machine refuses nothing that a quiet one answers.
/// 3. A read that is stopped fails as a whole: there is no partial answer.
///
/// SQLite calls its functions and the progress handler on the thread that steps the statement, which
/// finds its limits as a task-local value.
final class FetchLimits: Sendable {
    private static let onePattern = Duration.milliseconds(250)
    private static let allPatterns = Duration.seconds(2)
    /// Steps of SQLite's virtual machine between two looks at the clock: less than a millisecond.
    private static let stepsPerLook: Int32 = 10_000

    @TaskLocal private static var current: FetchLimits?

    private struct State {
        /// The time that regular expressions took.
        var patterns = Duration.zero
        /// The limit that was exceeded.
        var error: LibraryError?
    }

    private let read: Duration?
    private let begin = processorTime
    private let state = Mutex(State())

    /// Limits that begin now; without a limit for the read where that is nil.
    init(read: Duration?) {
        self.read = read
    }

    /// Runs `body`, which reads, within these limits.
    ///
    /// - Throws: What `body` throws, or which limit stopped it.
    func run<Result>(on database: Database, _ body: () throws -> Result) throws -> Result {
        let connection = database.sqliteConnection
        if read != nil {
            sqlite3_progress_handler(
                connection,
                Self.stepsPerLook,
                { context in
                    guard let context else { return 0 }
                    return Unmanaged<FetchLimits>.fromOpaque(context).takeUnretainedValue().check()
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }
        defer { if read != nil { sqlite3_progress_handler(connection, 0, nil, nil) } }
        do {
            return try withExtendedLifetime(self) {
                try Self.$current.withValue(self) { try body() }
            }
        } catch {
            throw state.withLock(\.error) ?? error
        }
    }

    /// Answers SQLite's progress handler: 0 to go on.
    private func check() -> Int32 {
        guard let read, Self.processorTime - begin >= read else { return 0 }
        let error = LibraryError(
            .busy,
            "The fetch was stopped after \(read.formatted(.units(allowed: [.seconds, .milliseconds]))).",
            reason: "It takes longer than a fetch of this program may take.",
            recovery: "Fetch with a simpler predicate or order."
        )
        state.withLock { $0.error = $0.error ?? error }
        return 1
    }

    // MARK: - Regular expressions

    /// Matches a text with an expression that is anchored at both ends.
    ///
    /// - Parameters:
    ///   - expression: The compiled expression.
    ///   - pattern: The pattern as the predicate has it, for the error.
    ///   - text: The text.
    /// - Returns: Whether it matches.
    /// - Throws: That it took too long, for this text or together with those before.
    static func matches(
        _ expression: NSRegularExpression,
        of pattern: String,
        in text: String
    ) throws(LibraryError) -> Bool {
        let limits = current
        let left = allPatterns - (limits?.state.withLock(\.patterns) ?? .zero)
        var first: Duration?
        var time = Duration.zero
        var (isFound, isStopped) = (false, false)
        // ICU reports progress every ten thousand steps back, which take some ten milliseconds at most.
        expression.enumerateMatches(
            in: text,
            options: .reportProgress,
            range: NSRange(text.startIndex..., in: text)
        ) { result, _, stop in
            isFound = result != nil
            if !isFound {
                let now = processorTime
                time = now - (first ?? now)
                first = first ?? now
                isStopped = time >= min(onePattern, left)
            }
            if isFound || isStopped { stop.pointee = true }
        }
        guard let limits, time > .zero || isStopped else {
            if isStopped { throw tooSlow(pattern, isSingle: true) }
            return isFound
        }
        let error = isStopped ? tooSlow(pattern, isSingle: time >= onePattern) : nil
        limits.state.withLock { state in
            state.patterns += time
            state.error = state.error ?? error
        }
        if let error { throw error }
        return isFound
    }

    private static func tooSlow(_ pattern: String, isSingle: Bool) -> LibraryError {
        LibraryError(
            .unsupportedPredicate,
            "The predicate's regular expression “\(pattern)” takes too long.",
            reason: isSingle
                ? "It was stopped after 250 ms for one text."
                : "It was stopped after 2 s for all texts.",
            recovery: "Write it so that it can match a text in one way only: a+ instead of (a+)+."
        )
    }

    /// The processor time of this thread.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
