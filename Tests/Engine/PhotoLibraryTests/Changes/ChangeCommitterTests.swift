import CloudSync
import Foundation
import GRDB
import LibraryService
import Logging
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Properties, albums, folders and deletion; files have a separate suite.
@Suite(.timeLimit(.minutes(2))) struct ChangeCommitterTests {
    let world: ChangeWorld

    init() throws { world = try ChangeWorld() }

    private func edit(_ uuid: String, _ body: (inout AssetEdit) -> Void) -> ChangeAction {
        var edit = AssetEdit()
        body(&edit)
        return .editAsset(uuid: uuid, edit)
    }

    // MARK: - Properties

    @Test("A set is one version, and its assets' modification dates move")
    func properties() throws {
        let assets = try world.assets(3)
        let before = try world.version()
        let reply = try world.commit(
            edit(assets[0]) { $0.isFavorite = true },
            edit(assets[1]) { $0.title = .set("Title") },
            edit(assets[0]) { $0.isHidden = true }
        )
        #expect(reply.version == before + 1)
        #expect(try world.version() == reply.version)
        let first = try #require(try world.asset(assets[0]))
        #expect(first.isFavorite && first.isHidden)
        #expect(first.modificationDate == ChangeWorld.now)
        #expect(try world.asset(assets[1])?.title == "Title")
        #expect(try world.asset(assets[2])?.modificationDate != ChangeWorld.now)
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("A set that changes nothing makes no version and moves no date (pains 21)")
    func nothingToDo() throws {
        let assets = try world.assets(2)
        let album = try world.album(of: assets)
        let before = try world.version()
        let modified = try world.collection(album)?.modificationDate
        let reply = try world.commit(
            edit(assets[0]) { $0.isFavorite = false },
            edit(assets[0]) { $0.caption = .set("") },
            edit(assets[0]) { _ in },
            .retitleCollection(uuid: album, title: "Album"),
            .editMembers(album: album, ListEdit(steps: [.add(assets)])),
            .editMembers(album: album, ListEdit(steps: [.move(from: [1], to: 1)])),
            .editMembers(album: album, ListEdit(steps: [.insert([assets[1]], at: [1])])),
            .restoreAssets(assets),
            .editChildren(folder: CollectionRecord.rootUUID, ListEdit(steps: [.add([album])]))
        )
        #expect(reply == CommitReply(version: before, isChange: false))
        #expect(try world.version() == before)
        #expect(try world.asset(assets[0])?.modificationDate != ChangeWorld.now)
        #expect(try world.collection(album)?.modificationDate == modified)
        #expect(try world.commit() == CommitReply(version: before, isChange: false))
    }

    @Test("What is only recorded here keeps its origin, and the commit its own time")
    func origin() throws {
        let asset = try world.assets(1)[0]
        let time = Date(timeIntervalSinceReferenceDate: 1_000)
        let modified = try world.asset(asset)?.modificationDate
        // Later than all times that this library gave out.
        let stamp = Int64.max / 2
        _ = try world.committer.commit(
            CommitRequest(
                changes: ChangeSet(operations: [
                    ChangeOperation(request: "r", action: edit(asset) { $0.isFavorite = true })
                ])
            ),
            files: [:],
            author: "tests",
            origin: RemoteOrigin(
                author: "elsewhere",
                device: "other",
                time: time,
                stamp: HybridTime(rawValue: UInt64(stamp))
            )
        )
        let row = try world.store.read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM journalVersion ORDER BY version DESC LIMIT 1"
            )
        }
        #expect(row?["author"] == "elsewhere")
        #expect(row?["origin"] == "other")
        #expect(row?["originTime"] == 1_000.0)
        #expect(row?["hlc"] == stamp)
        #expect(row?["time"] == ChangeWorld.now.timeIntervalSinceReferenceDate)
        // The date of a modification travels as a value of its own.
        #expect(try world.asset(asset)?.modificationDate == modified)
    }

    // MARK: - Albums

    @Test("Placeholders can be named in the same set (behaviour 127)")
    func placeholders() throws {
        let assets = try world.assets(3)
        let (album, folder) = (UUID().uuidString, UUID().uuidString)
        let reply = try world.commit(
            .createCollection(CollectionCreation(uuid: folder, kind: .folder, title: "F")),
            .createCollection(CollectionCreation(uuid: album, kind: .album, title: "A")),
            .editChildren(folder: folder, ListEdit(steps: [.add([album])])),
            .editMembers(album: album, ListEdit(steps: [.add(assets)])),
            .editMembers(album: album, ListEdit(steps: [.move(from: [2], to: 0)])),
            .retitleCollection(uuid: album, title: "B")
        )
        #expect(reply.version == 2)
        #expect(try world.members(album) == [assets[2], assets[0], assets[1]])
        #expect(try world.children(folder) == [album])
        #expect(try world.children(CollectionRecord.rootUUID) == [folder])
        let record = try #require(try world.collection(album))
        #expect(record.title == "B")
        #expect(record.assetCount == 3)
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("Indexes count in what the client fetched (behaviour 128)")
    func basis() throws {
        let assets = try world.assets(5)
        let album = try world.album(of: Array(assets[..<4]))
        let fetched = try world.rowIDs(assets[..<4].map(\.self))
        // Meanwhile another client removes the first and inserts one in front.
        try world.commit(
            .editMembers(
                album: album,
                ListEdit(steps: [.remove([assets[0]]), .insert([assets[4]], at: [0])])
            )
        )
        try world.commit(
            .editMembers(album: album, ListEdit(basis: fetched, steps: [.move(from: [3], to: 1)]))
        )
        #expect(try world.members(album) == [assets[3], assets[4], assets[1], assets[2]])
        try world.commit(
            .editMembers(album: album, ListEdit(basis: fetched, steps: [.removeAt([0, 1])]))
        )
        #expect(try world.members(album) == [assets[3], assets[4], assets[2]])
    }

    @Test("Without a basis, indexes count among what a fetch shows")
    func visibleBasis() throws {
        let assets = try world.assets(4)
        let album = try world.album(of: assets)
        try world.commit(edit(assets[0]) { $0.isHidden = true }, .deleteAssets([assets[2]]))
        try world.commit(.editMembers(album: album, ListEdit(steps: [.removeAt([0])])))
        #expect(try world.members(album) == [assets[0], assets[2], assets[3]])
        // Assets in Recently Deleted return to their former positions.
        try world.commit(.restoreAssets([assets[2]]))
        try world.commit(.editMembers(album: album, ListEdit(steps: [.move(from: [1], to: 0)])))
        #expect(Set(try world.members(album)) == [assets[0], assets[2], assets[3]])
        #expect(try world.collection(album)?.assetCount == 2)
    }

    @Test("An album of a title is made once (pains 18)")
    func reusesTitles() throws {
        let first = UUID().uuidString
        let second = UUID().uuidString
        let asset = try world.assets(1)[0]
        func creation(_ uuid: String, kind: ObjectKind = .album) -> ChangeAction {
            .createCollection(
                CollectionCreation(uuid: uuid, kind: kind, title: "Trip", reusesTitled: true)
            )
        }
        #expect(try world.commit(creation(first)).reused == [:])
        let reply = try world.commit(
            creation(second),
            .editMembers(album: second, ListEdit(steps: [.add([asset])])),
            .retitleCollection(uuid: second, title: "Journey")
        )
        #expect(reply.reused == [second: first])
        #expect(try world.members(first) == [asset])
        #expect(try world.collection(first)?.title == "Journey")
        #expect(try world.collection(second) == nil)
        // A folder of that title does not count, and duplicates remain legal.
        let folder = UUID().uuidString
        #expect(try world.commit(creation(folder, kind: .folder)).reused == [:])
        let third = UUID().uuidString
        try world.commit(
            .createCollection(CollectionCreation(uuid: third, kind: .album, title: "Journey"))
        )
        #expect(try world.collection(third) != nil)
    }

    // MARK: - Folders

    @Test("Deleting a folder takes along what is in it, but no assets (behaviour 121)")
    func deletesFolders() throws {
        let assets = try world.assets(2)
        let inner = try world.album("Inner", of: assets)
        let folder = try world.folder("Middle", of: [inner])
        let outer = try world.folder("Outer", of: [folder])
        let other = try world.album("Other")
        // One of them is inside another that is named later.
        try world.commit(.deleteCollections([inner, outer]))
        for gone in [inner, folder, outer] { #expect(try world.collection(gone) == nil) }
        #expect(try world.children(CollectionRecord.rootUUID) == [other])
        #expect(try world.asset(assets[0]) != nil)
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("A collection lies in one folder (behaviour 76)")
    func movesBetweenFolders() throws {
        let albums = try (0..<3).map { try world.album("\($0)") }
        let first = try world.folder("First", of: albums)
        let second = try world.folder("Second")
        #expect(try world.children(first) == albums)
        try world.commit(
            .editChildren(folder: second, ListEdit(steps: [.insert([albums[1]], at: [0])]))
        )
        #expect(try world.children(first) == [albums[0], albums[2]])
        #expect(try world.children(second) == [albums[1]])
        // A child removed from a folder moves to the root folder.
        try world.commit(.editChildren(folder: first, ListEdit(steps: [.removeAt([0])])))
        #expect(try world.children(CollectionRecord.rootUUID) == [first, second, albums[0]])
        try world.commit(
            .editChildren(
                folder: CollectionRecord.rootUUID,
                ListEdit(steps: [.move(from: [2], to: 0)])
            )
        )
        #expect(try world.children(CollectionRecord.rootUUID) == [albums[0], first, second])
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    // MARK: - Deleting

    @Test("Deleted assets can be restored, or purged with their files (behaviour 120)")
    func deletes() throws {
        let uuids = [UUID().uuidString, UUID().uuidString]
        for uuid in uuids {
            try world.commit(
                .createAsset(ChangeWorld.creation(.photo, uuid: uuid)),
                files: [try world.file(.still(salt: uuid))]
            )
        }
        try world.commit(.deleteAssets(uuids))
        #expect(try world.asset(uuids[0])?.trashedDate == ChangeWorld.now)
        let version = try world.version()
        // Existing ones remain unchanged.
        #expect(try world.commit(.deleteAssets([uuids[0]])).version == version)
        try world.commit(.restoreAssets([uuids[0]]), .purgeAssets([uuids[1]]))
        #expect(try world.asset(uuids[0])?.trashedDate == nil)
        #expect(try world.asset(uuids[1]) == nil)
        #expect(try ImportWorld.originals(of: world.store).count == 1)
        #expect(try world.findings(hasBareAssets: true) == [])
        // A deletion and a restoration in the same set are no change.
        let now = try world.version()
        try world.commit(
            .deleteAssets([uuids[0]]),
            .restoreAssets([uuids[0]]),
            edit(uuids[0]) { $0.isFavorite = true }
        )
        #expect(try world.version() == now + 1)
    }

    @Test("An identifier that a cloud library dropped is not used again")
    func refusesFinalIdentifiers() throws {
        let uuid = UUID().uuidString
        try world.store.joinCloud(library: "A", device: CloudID(1, 1))
        let purge = CloudTransaction(
            time: HybridTime(rawValue: 1),
            author: CloudID(2, 2),
            operations: [.final(try CloudID.of(uuid))]
        )
        try world.store.importChanges([purge])
        let error = try #require(throws: LibraryError.self) {
            try world.commit(
                .createAsset(ChangeWorld.creation(.photo, uuid: uuid)),
                files: [try world.file(.still())]
            )
        }
        #expect(error.code == .invalidRequest)
        #expect(error.reason?.contains("used it before it was deleted") == true)
        #expect(try world.asset(uuid) == nil)
    }

    // MARK: - All or nothing

    @Test("A failing request takes back all that came before")
    func rollsBack() throws {
        let assets = try world.assets(2)
        let version = try world.version()
        let album = UUID().uuidString
        let asset = UUID().uuidString
        let error = try #require(throws: LibraryError.self) {
            try world.commit(
                [
                    edit(assets[0]) { $0.isFavorite = true },
                    .createCollection(CollectionCreation(uuid: album, kind: .album, title: "A")),
                    .createAsset(ChangeWorld.creation(.photo, uuid: asset)),
                    .deleteAssets([assets[1]]),
                    .editMembers(album: album, ListEdit(steps: [.removeAt([0])])),
                ],
                files: [try world.file(.still())]
            )
        }
        #expect(
            error.message
                == "Change request 5 of 5 (Test.request): The index 0 is out of range: there are 0"
                + " objects."
        )
        #expect(try world.version() == version)
        #expect(try world.asset(assets[0])?.isFavorite == false)
        #expect(try world.asset(asset) == nil)
        #expect(try world.collection(album) == nil)
        #expect(try ImportWorld.originals(of: world.store) == [])
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("Writers of many threads wait for each other, and none is lost")
    func manyThreads() throws {
        let assets = try world.assets(16)
        let album = try world.album()
        let before = try world.version()
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            for round in 0..<6 {
                var edit = AssetEdit()
                edit.rating = round % 5 + 1
                edit.title = .set("\(round)")
                _ = try? world.commit(
                    .editAsset(uuid: assets[thread], edit),
                    .editMembers(
                        album: album,
                        ListEdit(
                            steps: round.isMultiple(of: 2)
                                ? [.add([assets[thread]])] : [.remove([assets[thread]])]
                        )
                    )
                )
            }
        }
        #expect(try world.version() == before + 16 * 6)
        for uuid in assets { #expect(try world.asset(uuid)?.title == "5") }
        #expect(try world.members(album) == [])
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("A busy library says so")
    func busy() throws {
        let asset = try world.assets(1)[0]
        let impatient = try LibraryStore.open(at: world.libraryPath)
        let held = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let world = world
        DispatchQueue.global().async {
            try? world.store.write(author: "tests") { _ in
                held.signal()
                done.wait()
            }
        }
        held.wait()
        defer { done.signal() }
        let committer = ChangeCommitter(
            store: impatient,
            prober: world.prober,
            renditions: nil,
            logger: Logger(label: "test"),
            patience: 0.2
        )
        let error = try #require(throws: LibraryError.self) {
            try committer.commit(
                CommitRequest(
                    changes: ChangeSet(operations: [
                        ChangeOperation(request: "r", action: .deleteAssets([asset]))
                    ])
                ),
                files: [:],
                author: "tests"
            )
        }
        #expect(error.code == .busy)
        #expect(error.recovery != nil)
    }
}
