import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// A permanent removal is complete, whenever a call fails or the process dies.
@Suite(.timeLimit(.minutes(5))) struct PurgeTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    private static func purge(_ resources: [ResourceRecord], in store: LibraryStore) throws {
        try store.write(author: "test") { transaction in
            let ids = try resources.map { resource in
                try #require(try transaction.asset(uuid: resource.assetUUID)).id
            }
            try transaction.trashAssets(ids)
            try transaction.purgeAssets(ids)
        }
    }

    private func resources(_ count: Int) throws -> [ResourceRecord] {
        try (0..<count).map { number in
            try world.insertWithFile(LibraryWorld.record("\(number)"), bytes: [UInt8(number)])
        }
    }

    private func isThere(_ resource: ResourceRecord) -> Bool {
        FileManager.default.fileExists(atPath: world.store.bundle.absolutePath(of: resource.path))
    }

    private func discarded(_ store: LibraryStore) throws -> Int {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM discardedFile") } ?? -1
    }

    @Test func rowsFilesAndMembershipsGoAndATombstoneStays() throws {
        let resources = try resources(2)
        let id = try world.store.write(author: "test") { transaction in
            try #require(try transaction.asset(uuid: resources[0].assetUUID)).id
        }
        let album = try world.album("A", [id])
        try Self.purge([resources[0]], in: world.store)
        #expect(!isThere(resources[0]))
        #expect(isThere(resources[1]))
        #expect(try world.members(album) == [])
        #expect(try discarded(world.store) == 0)
        let tombstone = try world.store.read { database in
            try Row.fetchOne(database, sql: "SELECT kind, objectId, uuid, version FROM tombstone")
        }
        let expected: Row = [
            "kind": 1, "objectId": id, "uuid": resources[0].assetUUID, "version": 4,
        ]
        #expect(tombstone == expected)
        #expect(try world.findings() == [])
    }

    @Test func fileThatCannotBeRemovedIsRemovedLater() throws {
        let resources = try resources(1)
        let files = FileOperations { $0 == .remove ? EACCES : 0 }
        let store = try LibraryStore.open(at: world.path, files: files)
        try Self.purge(resources, in: store)
        #expect(isThere(resources[0]))
        #expect(try discarded(store) == 1)
        #expect(try world.findings() == ["discardedFile"])
        let next = try LibraryStore.open(at: world.path)
        try next.write(author: "test") { _ in }
        #expect(!isThere(resources[0]))
        #expect(try discarded(next) == 0)
        #expect(try world.findings() == [])
    }

    @Test func repairRemovesWhatWasDeletedForGood() throws {
        let resources = try resources(1)
        let files = FileOperations { $0 == .remove ? EACCES : 0 }
        try Self.purge(resources, in: try LibraryStore.open(at: world.path, files: files))
        #expect(try world.findings(repairs: true) == [])
        #expect(!isThere(resources[0]))
        #expect(!FileManager.default.fileExists(atPath: world.store.bundle.leftovers))
    }

    @Test func pathThatARowNamesAgainIsSpared() throws {
        let resources = try resources(1)
        try world.tamper("INSERT INTO discardedFile VALUES ('\(resources[0].path)')")
        try world.store.clearDiscardedFiles()
        #expect(isThere(resources[0]))
        #expect(try discarded(world.store) == 0)
    }

    @Test(arguments: [
        "version", "database/lock", "../x", "originals/../version", "originals/ab/x.jpg", "",
    ])
    func tableIsReadAsHostile(path: String) throws {
        try world.tamper("INSERT INTO discardedFile VALUES ('\(path)')")
        try world.store.clearDiscardedFiles()
        #expect(FileManager.default.fileExists(atPath: world.store.bundle.version))
        #expect(FileManager.default.fileExists(atPath: world.store.bundle.lock))
        #expect(try discarded(world.store) == 0)
    }

    /// The process dies after the commit: before the first file, between two files, and before they
    /// are forgotten.
    @Test(arguments: [("remove", 0), ("remove", 1), ("syncFolder", 0)])
    func deathBetweenCommitAndRemovalIsMadeUpFor(step: String, countdown: Int) async throws {
        let resources = try resources(3)
        let path = world.path
        let uuids = resources.map(\.assetUUID)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                path = path as String, uuids = uuids as [String], step = step as String,
                countdown = countdown as Int,
            ] in
            let trip = ImportFailureTests.Trip(
                try #require(FileOperations.Step(rawValue: step)),
                after: countdown
            ) {
                kill(getpid(), SIGKILL)
                return 0
            }
            let store = try LibraryStore.open(at: path, files: trip.files)
            try store.write(author: "test") { _ in }
            trip.arm()
            try store.write(author: "test") { transaction in
                let ids = try uuids.compactMap { try transaction.asset(uuid: $0)?.id }
                try transaction.trashAssets(ids)
                try transaction.purgeAssets(ids)
            }
        }
        let store = try LibraryStore.open(at: path)
        #expect(try discarded(store) == 3)
        let rows = try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM resource") }
        #expect(rows == 0)
        try store.write(author: "test") { _ in }
        #expect(try discarded(store) == 0)
        #expect(resources.allSatisfy { !isThere($0) })
        #expect(try world.findings() == [])
    }
}
