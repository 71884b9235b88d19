import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The effect of each version, as clients see it.
@Suite(.timeLimit(.minutes(2))) struct HistorySummaryTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    private func last() throws -> [String] {
        let version = try world.store.currentVersion()
        let versions = try world.store.read { database in
            try HistorySummary.versions(database, since: version - 1, limit: 5)
        }
        return try #require(versions.first).changes.map { change in
            let content = change.contentChanged ? " content" : ""
            return
                "\(change.object) \(change.kind)\(content) \(change.properties.joined(separator: ","))"
        }
    }

    private func write(_ body: (LibraryTransaction) throws -> Void) throws {
        try world.store.write(author: "test") { try body($0) }
    }

    @Test func eachObjectComesOnceWithItsNetEffect() throws {
        var resource = try world.insertWithFile(LibraryWorld.record(), bytes: [1])
        #expect(try last() == ["asset inserted content "])
        let id = try #require(
            try world.store.write(author: "test") { try $0.asset(uuid: resource.assetUUID)?.id }
        )
        try write { transaction in
            var record = try #require(try transaction.asset(id: id))
            for isFavorite in [true, false] {
                record.isFavorite = isFavorite
                record.location = Location(latitude: 1, longitude: 2)
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
        #expect(try last() == ["asset updated location"])
        resource.assetID = id
        try write { transaction in
            for (type, name) in [(ResourceType.sidecar, "xmp"), (.pairedVideo, "mov")] {
                resource.type = type
                resource.uuid = UUID().uuidString
                resource.path = "originals/ab/\(resource.uuid).\(name)"
                try transaction.insertResource(resource)
            }
        }
        #expect(try last() == ["asset updated content files"])
        try write { transaction in
            try transaction.trashAssets([id])
            try transaction.restoreAssets([id])
            let gone = try transaction.insertAsset(LibraryWorld.record())
            try transaction.trashAssets([gone])
        }
        #expect(try last() == [])
        try write { try $0.trashAssets([id]) }
        #expect(try last() == ["asset deleted content "])
        try write { try $0.restoreAssets([id]) }
        #expect(try last() == ["asset inserted content "])
        try write { try $0.trashAssets([id]) }
        try write { try $0.purgeAssets([id]) }
        #expect(try last() == [])
    }

    @Test func membershipIsTheAlbums() throws {
        let ids = try world.insert(LibraryWorld.record(), LibraryWorld.record())
        let album = try world.album("A")
        #expect(try last() == ["album inserted content "])
        try write { try $0.appendMembers(ids, to: album) }
        #expect(
            try last() == ["album updated assetCount,endDate,members,modificationDate,startDate"]
        )
        try write { try $0.placeMembers([ids[1]], in: album, after: nil) }
        #expect(try last() == ["album updated members,modificationDate"])
        try write { transaction in
            let folder = try transaction.insertCollection(LibraryWorld.collection(.folder, "F"))
            try transaction.appendCollections([album], to: folder)
        }
        #expect(try last() == ["folder inserted content ", "album updated parent"])
        try write { try $0.deleteCollection(id: album) }
        #expect(try last().first == "album deleted content ")
    }

    /// As another computer of a cloud library does it, which does not know of the deletion yet.
    @Test func unhidingInRecentlyDeletedIsNoInsertion() throws {
        let photo = try world.insertWithFile(LibraryWorld.record(), bytes: [1]).assetUUID
        let id = try #require(
            try world.store.write(author: "test") { try $0.asset(uuid: photo)?.id }
        )
        let start = try world.store.currentVersion()
        func hide(_ isHidden: Bool) throws {
            try write { transaction in
                var record = try #require(try transaction.asset(id: id))
                record.isHidden = isHidden
                try transaction.updateAsset(record, contentChanged: false)
            }
        }
        try hide(true)
        try write { try $0.trashAssets([id]) }
        try hide(false)
        try write { try $0.restoreAssets([id]) }
        try write { try $0.trashAssets([id]) }
        try hide(true)
        try hide(false)
        try write { try $0.purgeAssets([id]) }
        let versions = try world.store.read { database in
            try HistorySummary.versions(database, since: start, limit: 9, excludesHidden: true)
        }
        let kinds = versions.map { version in version.changes.map { "\($0.kind)" }.joined() }
        #expect(kinds == ["deleted", "", "", "inserted", "deleted", "", "", ""])
    }
}
