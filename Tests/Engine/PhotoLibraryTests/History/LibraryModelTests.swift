import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Random change sets that are undone, redone and pruned: the rows, a plain model, and the replayed
/// journal agree.
///
/// `PHOTOS_MODEL_STEPS` sets the number of change sets, by default 500.
@Suite(.timeLimit(.minutes(30))) struct LibraryModelTests {
    static let steps =
        ProcessInfo.processInfo.environment["PHOTOS_MODEL_STEPS"].flatMap(Int.init) ?? 500

    @Test func rowsJournalAndModelAgree() throws {
        let seed = TestSeed()
        var writer = try ModelWriter(seed: seed)
        // The run ends before assets leave Recently Deleted, but the history is kept for one day
        // only.
        let pause = 29 * 86_400 / Double(Self.steps)
        for step in 0..<Self.steps {
            writer.clock.advance(by: pause)
            let what = try writer.step()
            let comment: Comment = "step \(step): \(what), \(seed)"
            let (rows, totals) = try writer.store.read(LibraryReadings.model(of:))
            try #require(rows == writer.model, comment)
            for (album, total) in totals {
                try #require(total == writer.model.totals(of: album), comment)
            }
            if step % 50 == 0 || step == Self.steps - 1 { try checkJournal(writer, comment) }
        }
        #expect(try writer.verify() == [], "\(seed)")
        #expect(writer.undos > Self.steps / 50 || Self.steps < 500, "\(seed)")
        #expect(writer.redos > Self.steps / 250 || Self.steps < 500, "\(seed)")
        let horizon = try writer.store.historyHorizon(HistoryHorizonRequest())
        #expect(horizon.start > 0 || Self.steps < 500, "\(seed)")
        let current = try writer.store.currentVersion()
        #expect(current == writer.versions, "\(seed)")
    }

    private func checkJournal(_ writer: ModelWriter, _ comment: Comment) throws {
        let (rows, replay) = try writer.store.read { database in
            (try LibraryReadings.rows(of: database), try LibraryReadings.replay(of: database))
        }
        try #require(rows.assets == replay.assets, comment)
        try #require(rows.collections == replay.collections, comment)
        try #require(rows.members == replay.members, comment)
        try #require(try writer.verify() == [], comment)
    }
}
