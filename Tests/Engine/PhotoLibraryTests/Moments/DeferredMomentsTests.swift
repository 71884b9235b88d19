import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// Moments of very many assets that arrive, which are grouped after the last of them.
@Suite(.timeLimit(.minutes(5))) struct DeferredMomentsTests {
    private let world: LibraryWorld
    private let seed = TestSeed()

    init() throws { world = try LibraryWorld() }

    /// Adds assets in a transaction that may leave their moments to a later one.
    private func arrive(
        _ count: Int,
        _ assets: inout [Int64: AssetRecord],
        _ generator: inout SeededGenerator
    ) throws {
        try world.store.write(author: "test") { transaction in
            transaction.defersMoments = true
            for _ in 0..<count {
                var record = LibraryWorld.record()
                MomentUpdaterTests.vary(&record, &generator)
                record.id = try transaction.insertAsset(record)
                assets[record.id] = record
            }
        }
    }

    /// So many that enough have a date.
    private static let many = 2 * LibraryTransaction.manyChanges

    @Test func theyAreGroupedInTheEnd() throws {
        var generator = seed.generator
        var assets: [Int64: AssetRecord] = [:]
        // The last few are not grouped alone, since nothing before them is.
        for count in [Self.many, Self.many, 3] { try arrive(count, &assets, &generator) }
        #expect(try MomentModel.stored(world.store).values.allSatisfy(\.isEmpty))
        #expect(try world.findings() == [])
        let version = try world.store.currentVersion()
        try world.store.groupMoments()
        #expect(try MomentModel.stored(world.store) == MomentModel.groups(assets), seed.comment)
        #expect(try world.findings() == [])
        // An observer hears of them.
        #expect(try world.store.currentVersion() == version + 1)
        let versions = try world.store.read { database in
            try Set(Int64.fetchAll(database, sql: "SELECT version FROM moment"))
        }
        #expect(versions == [version + 1])
        try world.store.groupMoments()
        #expect(try world.store.currentVersion() == version + 1)
    }

    @Test func fewAreGroupedAtOnce() throws {
        var generator = seed.generator
        var assets: [Int64: AssetRecord] = [:]
        try arrive(LibraryTransaction.manyChanges, &assets, &generator)
        #expect(try MomentModel.stored(world.store) == MomentModel.groups(assets), seed.comment)
    }

    @Test(arguments: [true, false])
    func aChangeOfOneAssetGroupsAll(_ isDeferring: Bool) throws {
        var generator = seed.generator
        var assets: [Int64: AssetRecord] = [:]
        try arrive(Self.many, &assets, &generator)
        try world.store.write(author: "test") { transaction in
            transaction.defersMoments = isDeferring
            let id = try #require(assets.values.filter { $0.creationDate != nil }.first).id
            var record = try #require(try transaction.asset(id: id))
            record.isHidden = true
            try transaction.updateAsset(record, contentChanged: false)
            assets[id] = try transaction.asset(id: id)
        }
        #expect(try MomentModel.stored(world.store) == MomentModel.groups(assets), seed.comment)
        // What comes afterward is grouped by its surroundings again.
        try arrive(2, &assets, &generator)
        #expect(try MomentModel.stored(world.store) == MomentModel.groups(assets), seed.comment)
    }

    @Test func theNextOpeningGroupsWhatACrashLeft() throws {
        var generator = seed.generator
        var assets: [Int64: AssetRecord] = [:]
        try arrive(Self.many, &assets, &generator)
        let other = try LibraryStore.open(at: world.path)
        #expect(try MomentModel.stored(other) == MomentModel.groups(assets), seed.comment)
    }
}
