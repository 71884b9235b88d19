internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Time limits of one read of the library, so that no predicate blocks a thread.
///
/// 1. A regular expression stops after 250 ms for one text and after 2 s for all texts of a read.
///    The time is the thread's processor time. It counts only after the first ten thousand
///    backtracking steps, so that ordinary expressions over millions of texts are not counted.
/// 2. The whole read stops after the client's limit, if there is one, in the thread's processor
///    time. A busy machine therefore completes the same reads as an idle one.
/// 3. The whole read also stops when its call is canceled.
/// 4. A stopped read fails as a whole; there is no partial result.
///
/// SQLite calls its functions and the progress handler on the thread that steps the statement. That
/// thread finds the limits in a task-local value.
final class FetchLimits: Sendable {
    private static let onePattern = Duration.milliseconds(250)
    private static let allPatterns = Duration.seconds(2)
    /// The number of steps of SQLite's virtual machine between two checks of the clock.
    ///
    /// So many steps take less than a millisecond.
    private static let stepsPerLook: Int32 = 10_000

    @TaskLocal private static var current: FetchLimits?

    private struct State {
        /// The time used by regular expressions so far.
        var patterns = Duration.zero
        /// The error of the limit that was exceeded.
        var error: LibraryError?
    }

    private let read: Duration?
    private let cancellation: CallCancellation?
    private let begin = processorTime
    private let state = Mutex(State())

    /// Creates limits that apply from now on.
    ///
    /// - Parameters:
    ///   - read: The limit for the whole read; nil for none.
    ///   - cancellation: The cancellation of the call; nil if nobody cancels it.
    init(read: Duration?, cancellation: CallCancellation? = nil) {
        self.read = read
        self.cancellation = cancellation
    }

    /// Applies these limits to all database reads of `body`.
    ///
    /// - Throws: An error of `body`, or the error of the limit that stopped it.
    func run<Result>(on database: Database, _ body: () throws -> Result) throws -> Result {
        let connection = database.sqliteConnection
        let isWatched = read != nil || cancellation != nil
        if isWatched {
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
        defer { if isWatched { sqlite3_progress_handler(connection, 0, nil, nil) } }
        do {
            return try withExtendedLifetime(self) {
                try Self.$current.withValue(self) { try body() }
            }
        } catch {
            throw state.withLock(\.error) ?? error
        }
    }

    /// Handles SQLite's progress callback; returns 0 to continue and 1 to stop.
    private func check() -> Int32 {
        if cancellation?.isCancelled == true {
            state.withLock { $0.error = .cancelled }
            return 1
        }
        guard let read, Self.processorTime - begin >= read else { return 0 }
        let error = LibraryError(
            .busy,
            "The fetch was stopped after \(read.formatted(.units(allowed: [.seconds, .milliseconds]))).",
            reason: "It exceeded the time limit for fetches of this program.",
            recovery: "Use a simpler predicate or sort order."
        )
        state.withLock { $0.error = $0.error ?? error }
        return 1
    }

    // MARK: - Regular expressions

    /// Matches a string against a regular expression that is anchored at both ends.
    ///
    /// - Parameters:
    ///   - expression: The compiled expression.
    ///   - pattern: The pattern in the predicate, for the error.
    ///   - text: The text.
    /// - Returns: Whether it matches.
    /// - Throws: `unsupportedPredicate` if matching took too long, for this text or together with
    ///   the previous ones.
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
        // ICU reports progress every ten thousand backtracking steps, which take some ten
        // milliseconds at most.
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
            recovery: "Write it so that it can match a text in only one way: a+ instead of (a+)+."
        )
    }

    /// The processor time of this thread.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
