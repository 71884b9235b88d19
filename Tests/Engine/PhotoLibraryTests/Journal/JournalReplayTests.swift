import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The journal, replayed, gives the rows.
@Suite(.timeLimit(.minutes(2))) struct JournalReplayTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    @Test func randomChangesReplayToTheRows() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var ids: [Int64] = []
        var transactions: Int64 = 0
        for _ in 0..<150 {
            try world.store.write(author: "test") { transaction in
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    try step(transaction, &ids, &generator)
                }
                if transaction.version != nil { transactions += 1 }
            }
        }
        #expect(try world.store.currentVersion() == transactions, seed.comment)
        #expect(try findings().isEmpty, seed.comment)
    }

    private func step(
        _ transaction: LibraryTransaction,
        _ ids: inout [Int64],
        _ generator: inout some RandomNumberGenerator
    ) throws {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1:
            var record = LibraryWorld.record("x:\(Int.random(in: 0..<9, using: &generator))")
            record.duration = Double.random(in: 0...100, using: &generator)
            ids.append(try transaction.insertAsset(record))
        case 2 where !ids.isEmpty:
            let index = Int.random(in: 0..<ids.count, using: &generator)
            try transaction.deleteAsset(id: ids.remove(at: index))
        default:
            guard let id = ids.randomElement(using: &generator),
                var record = try transaction.asset(id: id)
            else { return }
            record.isFavorite = Bool.random(using: &generator)
            record.caption = Bool.random(using: &generator) ? nil : "s:\u{1F4F7}\t"
            record.duration = [0, 3, 1 / 3, 1e300].randomElement(using: &generator) ?? 0
            record.keywords = Bool.random(using: &generator) ? [] : ["k", "x:00"]
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    private func findings() throws -> [Finding] {
        try JournalCheck(store: world.store).slice(from: 0).findings
    }

    @Test(arguments: [
        "UPDATE asset SET isFavorite = 1",
        "UPDATE asset SET duration = duration + 1e-9",
        "UPDATE asset SET caption = ''",
        "DELETE FROM asset WHERE id = 1",
        "DELETE FROM journalEntry WHERE objectId = 1",
        "UPDATE journalEntry SET newValues = '{' WHERE objectId = 1",
        "DELETE FROM journalEntry WHERE version = 1; DELETE FROM journalVersion WHERE version = 1",
    ])
    func rowChangedBehindTheJournalIsFound(sql: String) throws {
        try world.insert(LibraryWorld.record())
        try world.insert(LibraryWorld.record())
        #expect(try findings().isEmpty)
        try world.tamper(sql)
        let found = try findings()
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.severity == .damage && !$0.advice.isEmpty })
    }
}
