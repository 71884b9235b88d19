import Foundation
import LibraryService
import PhotoLibrary
import PhotoModel
import TestSupport
import Testing

/// Fetches that would block a thread for long are stopped, with a reason and without a partial
/// result.
@Suite(.timeLimit(.minutes(3))) struct FetchLimitTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    private func request(
        _ operation: PredicateComparison.Operator,
        _ pattern: String
    ) -> AssetFetchRequest {
        var request = AssetFetchRequest(scope: .library)
        request.predicate = .comparison(
            PredicateComparison(
                .key("title", position: nil),
                operation,
                .value(.string(pattern))
            )
        )
        return request
    }

    private func insert(titles: [String]) throws {
        try world.insert(
            titles.enumerated().map { index, title in
                var record = LibraryWorld.record("IMG_\(index).JPG")
                record.title = title
                return record
            }
        )
    }

    @Test("One text for which an expression takes too long stops the fetch")
    func oneText() throws {
        try insert(titles: ["aa", String(repeating: "a", count: 60) + "b"])
        let fetcher = AssetFetcher(store: world.store)
        let start = ContinuousClock.now
        let error = #expect(throws: LibraryError.self) {
            try fetcher.fetch(request(.matches, "(a+)+"))
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(error?.code == .unsupportedPredicate)
        #expect(error?.message.contains("(a+)+") == true && error?.recovery != nil)
        #expect(error?.reason?.contains("250 ms") == true)
        // The connection works as before.
        #expect(try fetcher.fetch(request(.matches, "a+")).ids.count == 1)
        #expect(try fetcher.fetch(request(.like, "a*b")).ids.count == 1)
    }

    @Test(
        "One long text is no way around it",
        arguments: ["(.*.*)*b", "(?:(?!.*b)a)*c", "(.*){30}b"]
    )
    func oneLongText(_ pattern: String) throws {
        try insert(titles: [String(repeating: "a", count: 100_000)])
        let start = ContinuousClock.now
        #expect(throws: LibraryError.self) {
            try AssetFetcher(store: world.store).fetch(request(.matches, pattern))
        }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("Many texts that are just quick enough stop it together")
    func manyTexts() throws {
        // Some milliseconds each.
        try insert(titles: (0..<4_000).map { String(repeating: "a", count: 18) + "b\($0)" })
        let start = ContinuousClock.now
        let error = #expect(throws: LibraryError.self) {
            try AssetFetcher(store: world.store).fetch(request(.matches, "(a+)+"))
        }
        #expect(error?.code == .unsupportedPredicate)
        #expect(error?.reason?.contains("2 s") == true)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test("Ordinary expressions over many texts are not counted")
    func ordinaryExpressions() throws {
        try insert(titles: (0..<20_000).map { "IMG_\($0) by the sea" })
        let ids = try AssetFetcher(store: world.store).fetch(request(.matches, ".*[0-9]+ by.*")).ids
        #expect(ids.count == 20_000)
    }

    @Test func wildcardsAreStoppedToo() throws {
        try insert(titles: [String(repeating: "a", count: 6_000)])
        let pattern = String(repeating: "*a", count: 12) + "*b"
        let error = #expect(throws: LibraryError.self) {
            try AssetFetcher(store: world.store).fetch(request(.like, pattern))
        }
        #expect(error?.message.contains(pattern) == true)
    }

    @Test("A read is stopped for clients that have a limit")
    func reads() throws {
        try insert(titles: (0..<3_000).map { "Tïtle \($0)" })
        var request = self.request(.contains, "NOTHING")
        if case .comparison(var comparison)? = request.predicate {
            comparison.options = [.caseInsensitive, .diacriticInsensitive]
            request.predicate = .comparison(comparison)
        }
        let view = LibraryView(store: world.store, readLimit: .microseconds(100))
        let error = #expect(throws: LibraryError.self) { try AssetFetcher(view).fetch(request) }
        #expect(error?.code == .busy && error?.message.contains("stopped") == true)
        view.limitReads(to: nil)
        #expect(try AssetFetcher(view).fetch(request).ids.isEmpty)
        view.limitReads(to: .microseconds(100))
        request.predicate = .not(request.predicate ?? .constant(true))
        #expect(throws: LibraryError.self) { try AssetFetcher(view).fetch(request) }
        view.limitReads(to: nil)
        #expect(try AssetFetcher(view).fetch(request).ids.count == 3_000)
    }
}
