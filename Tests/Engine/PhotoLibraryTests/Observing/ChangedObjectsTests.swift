import Foundation
import GRDB
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// The state of individual objects (behaviors 86–88), and which ones changed.
@Suite(.timeLimit(.minutes(2))) struct ChangedObjectsTests {
    private let world: LibraryWorld
    private let view: LibraryView

    init() throws {
        world = try LibraryWorld()
        view = LibraryView(store: world.store)
    }

    private func outcomes(
        _ kind: ObjectKind,
        _ ids: [Int64],
        since: Int64
    ) throws -> [ObjectChangesReply.Outcome] {
        let request = ObjectChangesRequest(kind: kind, ids: RowIDBuffer(ids), since: since)
        return try ChangedObjects(view).changes(request).outcomes
    }

    private func update(_ id: Int64, content: Bool, _ body: (inout AssetRecord) -> Void) throws {
        try world.store.write(author: "test") { transaction in
            guard var record = try transaction.asset(id: id) else { return }
            body(&record)
            try transaction.updateAsset(record, contentChanged: content)
        }
    }

    @Test func assets() throws {
        let ids = try world.insert((0..<7).map { LibraryWorld.record("\($0).JPG") })
        let since = try world.store.currentVersion()
        try update(ids[1], content: false) { $0.isFavorite = true }
        try update(ids[2], content: true) { $0.contentVersion += 1 }
        try world.store.write(author: "test") { transaction in
            try transaction.trashAssets([ids[3], ids[4]])
        }
        try world.store.write(author: "test") { try $0.purgeAssets([ids[4]]) }
        for (id, type) in [(ids[5], ResourceType.photo), (ids[6], .adjustmentData)] {
            try addResource(type, to: id)
        }
        let found = try outcomes(.asset, ids, since: since)
        func record(_ id: Int64) throws -> AssetRecord {
            try #require(
                try AssetFetcher(view).load(AssetLoadRequest(ids: RowIDBuffer([id]))).assets.first
            )
        }
        #expect(
            try found == [
                .unchanged, .asset(record(ids[1]), contentChanged: false),
                .asset(record(ids[2]), contentChanged: true), .deleted, .deleted,
                .asset(record(ids[5]), contentChanged: true),
                .asset(record(ids[6]), contentChanged: false),
            ]
        )
        // Nothing has changed since now.
        let now = try world.store.currentVersion()
        #expect(try outcomes(.asset, [ids[1]], since: now) == [.unchanged])
    }

    @Test func collections() throws {
        let asset = try world.insert(LibraryWorld.record())[0]
        let ids = try world.store.write(author: "test") { transaction in
            try ["a", "b", "c"].map { title in
                try transaction.insertCollection(CollectionFetcherTests.album(title))
            }
        }
        let since = try world.store.currentVersion()
        try world.store.write(author: "test") { transaction in
            try transaction.appendMembers([asset], to: ids[0])
            try transaction.deleteCollection(id: ids[1])
        }
        let found = try outcomes(.album, ids + [0], since: since)
        guard case .collection(let changed) = found[0] else {
            Issue.record("\(found)")
            return
        }
        #expect(changed.assetCount == 1)
        #expect(Array(found.dropFirst()) == [.deleted, .unchanged, .unchanged])
    }

    /// Both assets count as changed if a resource moves from one to the other.
    @Test func bothAssetsOfAResourceThatMovedAreTouched() throws {
        let ids = try world.insert(LibraryWorld.record("1"), LibraryWorld.record("2"))
        let resource = try addResource(.photo, to: ids[0])
        let since = try world.store.currentVersion()
        try world.store.write(author: "test") { transaction in
            guard var record = try transaction.resource(id: resource) else { return }
            record.assetID = ids[1]
            try transaction.updateResource(record)
        }
        #expect(try touched(since: since).assets == RowIDBuffer(ids))
        try world.store.write(author: "test") { try $0.deleteResource(id: resource) }
        #expect(try touched(since: since + 1).assets == RowIDBuffer([ids[1]]))
    }

    @Test func whatThePrunedJournalDoesNotKnowMayAllHaveChanged() throws {
        let id = try world.insert(LibraryWorld.record())[0]
        try update(id, content: false) { $0.isFavorite = true }
        try world.store.write(author: "test") { transaction in
            try LibrarySetting.historyStart.set("2", in: transaction.database)
        }
        #expect(throws: LibraryError.self) { try touched(since: 1) }
        #expect(try touched(since: 2).assets.isEmpty)
        guard case .asset(_, contentChanged: true)? = try outcomes(.asset, [id], since: 1).first
        else {
            Issue.record("an asset whose changes are not known counts as unchanged")
            return
        }
        let reply = try ResultAdvancer(view).advance(
            AdvanceRequest(
                query: .assets(AssetFetchRequest()),
                ids: RowIDBuffer([id]),
                snapshot: LibrarySnapshot(version: 1)
            )
        )
        #expect(reply.outcome == .reload(RowIDBuffer([id])))
    }

    /// The cost does not depend on the length of the journal: only the requested versions are read.
    @Test(arguments: [
        TouchedObjects.assetsSQL, TouchedObjects.collectionsSQL, TouchedObjects.contentSQL,
    ])
    func onlyTheVersionsAskedAboutAreRead(sql: String) throws {
        let steps = try world.store.queryPlan(
            of: sql,
            arguments: StatementArguments(sql.contains("?3") ? [1, 2, 3] : [1, 2])
        )
        let reads = steps.filter { $0.contains("journalEntry") || $0.contains(" entry ") }
        #expect(!reads.isEmpty)
        for read in reads {
            #expect(read.contains("journalEntry_version (version>? AND version<?)"))
        }
    }

    private func touched(since: Int64) throws -> TouchedReply {
        let through = try world.store.currentVersion()
        return try ChangedObjects(view).touched(TouchedRequest(since: since, through: through))
    }

    @discardableResult
    private func addResource(_ type: ResourceType, to asset: Int64) throws -> Int64 {
        try world.store.write(author: "test") { transaction in
            let record = try #require(try transaction.asset(id: asset))
            let uuid = UUID().uuidString
            return try transaction.insertResource(
                ResourceRecord(
                    id: 0,
                    uuid: uuid,
                    assetID: asset,
                    assetUUID: record.uuid,
                    type: type,
                    originalFilename: "a.jpg",
                    contentType: "public.jpeg",
                    path: "originals/00/\(uuid).jpg",
                    size: 1,
                    sha256: String(repeating: "0", count: 64),
                    pixelSize: PixelSize(width: 1, height: 1)
                )
            )
        }
    }
}
