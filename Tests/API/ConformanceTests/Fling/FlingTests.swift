import Foundation
import GridScrolling
import Photos
import TestSupport
import Testing

/// A grid that scrolls as fast as it can: every request ends exactly once (pains 1 and 13).
///
/// `PHOTOS_FLING_ASSETS` sets the number of assets, by default 2,000. `photos-benchmarks fling`
/// measures the times.
@Suite(.serialized, .timeLimit(.minutes(10)), .needsProgram("sqlite3"))
struct FlingTests {
    private static let count =
        ProcessInfo.processInfo.environment["PHOTOS_FLING_ASSETS"].flatMap(Int.init) ?? 2_000
    private static let library = Result { try RenditionLibrary(assets: count) }

    private let layout = ScrollingGrid.Layout(columns: 5, rows: 8)

    @MainActor
    private func wait(for grid: ScrollingGrid) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(120)
        while grid.book.openCount > 0, ContinuousClock.now < deadline { await Task.yield() }
        return grid.book.openCount == 0
    }

    private func check(_ figures: FlingFigures) {
        #expect(figures.lost == 0 && figures.doubled == 0)
        #expect(figures.delivered + figures.failed + figures.cancelled == figures.requests)
    }

    @Test("Scrolled through without a stop, every request ends once", arguments: [false, true])
    @MainActor
    func everyRequestEndsOnce(caches: Bool) async throws {
        let assets = try Self.library.get().fetch()
        try #require(assets.count == Self.count)
        let grid = ScrollingGrid(assets, layout: layout, caches: caches)
        for row in 0...grid.lastTop {
            grid.scroll(to: row)
            // Results are delivered between two frames, and many requests are canceled before that.
            await Task.yield()
        }
        #expect(await wait(for: grid))
        grid.close()
        let figures = FlingFigures(grid.book)
        #expect(figures.requests == Self.count)
        check(figures)
    }

    @Test("What stays in sight is delivered, or fails with a reason", arguments: [false, true])
    @MainActor
    func whatStaysIsDelivered(caches: Bool) async throws {
        let assets = try Self.library.get().fetch()
        let grid = ScrollingGrid(assets, layout: layout, caches: caches)
        let screens = min(50, grid.rowCount / layout.rows)
        for screen in 0..<screens {
            grid.scroll(to: screen * layout.rows)
            #expect(await wait(for: grid))
        }
        grid.close()
        let figures = FlingFigures(grid.book)
        let shown = screens * layout.cells
        #expect(figures.requests == shown && figures.cancelled == 0)
        #expect(figures.failed == RenditionLibrary.missing(of: shown))
        check(figures)
    }

    @Test("Turned round and thrown about, every request ends once", arguments: [false, true])
    @MainActor
    func jumpsEndOnce(caches: Bool) async throws {
        let seed = TestSeed()
        var generator = seed.generator
        let assets = try Self.library.get().fetch()
        let grid = ScrollingGrid(assets, layout: layout, caches: caches)
        for _ in 0..<150 {
            let row = Int.random(in: 0...grid.lastTop, using: &generator)
            let steps = Int.random(in: 0...5, using: &generator)
            for step in 0..<steps { grid.scroll(to: row + step) }
            if Int.random(in: 0..<4, using: &generator) == 0 { await Task.yield() }
        }
        grid.close()
        #expect(await wait(for: grid), seed.comment)
        let figures = FlingFigures(grid.book)
        #expect(figures.lost == 0 && figures.doubled == 0, seed.comment)
    }
}
