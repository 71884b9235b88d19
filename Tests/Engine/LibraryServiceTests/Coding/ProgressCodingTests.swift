import LibraryService
import Testing

/// The progress that a call reports while it is in progress.
@Suite(.timeLimit(.minutes(1))) struct ProgressCodingTests {
    @Test(arguments: [(0, 0), (3, 10), (.max, .max)] as [(Int64, Int64)])
    func progressComesBack(_ completed: Int64, _ total: Int64) throws {
        try expectRoundTrip(CallProgress(completed: completed, total: total))
    }
}
