import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport

@testable import PhotoLibrary

/// A small library that two writers change at random, with its state at each version.
///
/// Its knowledge comes from the rows, never from the journal.
final class RandomLibrary {
    /// All rows at one version.
    struct State {
        var assets: [Int64: AssetRecord] = [:]
        var resources: [Int64: [ResourceRecord]] = [:]
        var collections: [Int64: CollectionRecord] = [:]
        /// By album and asset: the position among the members.
        var members: [Int64: [Int64: Int64]] = [:]
        /// By moment or list of moments, and asset: the place of its capture.
        ///
        /// Their center can remain the same when these change.
        var places: [Int64: [Int64: Location]] = [:]
        /// The assets, albums and folders that the change to this version may have changed and
        /// changed back.
        var meant = (assets: Set<Int64>(), collections: Set<Int64>())
    }

    let world: LibraryWorld
    private let otherWriter: LibraryStore
    private(set) var states: [Int64: State] = [:]
    private(set) var version: Int64 = 0
    /// The UUIDs of assets, albums and folders that exist or existed.
    private(set) var assetUUIDs: [String] = []
    private(set) var collectionUUIDs: [String] = [CollectionRecord.rootUUID]
    var generator: SeededGenerator
    private var meant = State().meant

    init(_ generator: SeededGenerator) throws {
        self.generator = generator
        world = try LibraryWorld()
        otherWriter = try LibraryStore.open(at: world.path)
        try record()
        for _ in 0..<4 { try change() }
    }

    var state: State { states[version] ?? State() }

    func chance(_ percent: Int) -> Bool { number(in: 0..<100) < percent }

    func number(in range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    func one<Element>(of list: [Element]) -> Element? { list.randomElement(using: &generator) }

    /// Makes a random change by either writer, or undoes one.
    func change() throws {
        let store = chance(50) ? world.store : otherWriter
        if chance(6) {
            // Other frames of a burst may temporarily be its key frame.
            meant.assets.formUnion(state.assets.keys)
            meant.collections.formUnion(state.collections.keys)
            do { _ = try store.undo(UndoRequest(), author: "test") } catch let error as LibraryError
                where error.code == .changeNotSupported
            {}
        } else {
            _ = try store.write(author: "test") { transaction in
                for _ in 0..<number(in: 1..<7) {
                    do {
                        try step(transaction)
                    } catch let error as LibraryError where error.code == .changeNotSupported {}
                }
            }
        }
        try record()
    }

    /// Records the current rows.
    private func record() throws {
        try world.store.read { database in
            version = try JournalWriter.currentVersion(database)
            var state = State()
            for row in try Row.fetchAll(database, sql: AssetRecord.map.selectSQL) {
                let record = try AssetRecord(row: row)
                state.assets[record.id] = record
            }
            for row in try Row.fetchAll(database, sql: ResourceRecord.selectSQL) {
                let record = try ResourceRecord(row: row)
                state.resources[record.assetID, default: []].append(record)
            }
            for row in try Row.fetchAll(database, sql: CollectionRecord.map.selectSQL) {
                let record = try CollectionRecord(row: row)
                state.collections[record.id] = record
            }
            let members = "SELECT albumId, assetId, position FROM albumAsset"
            for row in try Row.fetchAll(database, sql: members) {
                state.members[row[0], default: [:]][row[1]] = row[2]
            }
            try recordSmartAlbums(in: &state, database)
            try recordMoments(in: &state, database)
            assetUUIDs += Set(state.assets.values.map(\.uuid)).subtracting(assetUUIDs).sorted()
            collectionUUIDs += Set(state.collections.values.map(\.uuid))
                .subtracting(collectionUUIDs).sorted()
            // A change without effect creates no version.
            let earlier = states[version]?.meant ?? State().meant
            state.meant.assets = earlier.assets.union(meant.assets)
            state.meant.collections = earlier.collections.union(meant.collections)
            meant = State().meant
            states[version] = state
        }
    }

    /// Records smart albums as collections, with their members.
    private func recordSmartAlbums(in state: inout State, _ database: Database) throws {
        let day = world.store.firstRecentDay
        let records = try SmartAlbumReader(database: database, firstRecentDay: day)
            .records(of: SmartAlbum.allCases)
        for (album, record) in zip(SmartAlbum.allCases, records) {
            state.collections[record.id] = record
            let request = AssetFetchRequest(scope: .album(album.uuid))
            let plan = try FetchPlan(request, firstRecentDay: day)
            for id in try database.rowIDs(plan.sql, plan.allArguments) {
                let asset = state.assets[id]
                var seconds = asset?.creationDate?.timeIntervalSinceReferenceDate ?? -1
                if album == .recentlyAdded {
                    seconds += 1e8 * (asset?.addedDate.timeIntervalSinceReferenceDate ?? 0)
                }
                state.members[record.id, default: [:]][id] = Int64(seconds)
            }
        }
    }

    /// Records moments and lists of moments as collections, with their members.
    private func recordMoments(in state: inout State, _ database: Database) throws {
        let reader = MomentReader(database: database)
        for id in try Int64.fetchAll(database, sql: "SELECT id FROM moment") {
            guard let record = try reader.record(id) else { continue }
            state.collections[record.id] = record
            let plan = try FetchPlan(
                AssetFetchRequest(scope: .moment(record.uuid)),
                moment: try reader.range(of: record.uuid)
            )
            for asset in try database.rowIDs(plan.sql, plan.allArguments) {
                let seconds = state.assets[asset]?.creationDate?.timeIntervalSinceReferenceDate
                state.places[record.id, default: [:]][asset] = state.assets[asset]?.location
                state.members[record.id, default: [:]][asset] = Int64(seconds ?? -1)
            }
        }
    }

    // MARK: - Changes

    private func step(_ transaction: LibraryTransaction) throws {
        let assets = try Int64.fetchAll(
            transaction.database,
            sql: "SELECT id FROM asset ORDER BY id"
        )
        let albums = try collections(.album, transaction)
        switch number(in: 0..<30) {
        case 0..<5 where assets.count < 60:
            var record = LibraryWorld.record("IMG_\(number(in: 0..<9)).JPG")
            record.uuid = uuid()
            vary(&record)
            let id = try transaction.insertAsset(record)
            if chance(50) { try addResource(to: id, transaction) }
        case 5..<13: try update(one(of: assets), transaction)
        case 13, 14:
            // Another frame of a burst may become its key frame.
            meant.assets.formUnion(assets)
            if chance(50) {
                try transaction.trashAssets(some(of: assets, atMost: 3))
            } else {
                try transaction.restoreAssets(some(of: assets, atMost: 5))
            }
        case 15:
            let trashed = try Int64.fetchAll(
                transaction.database,
                sql: "SELECT id FROM asset WHERE trashedDate IS NOT NULL"
            )
            try transaction.purgeAssets(some(of: trashed, atMost: 2))
        case 16..<19:
            guard let album = one(of: albums) else { return }
            try transaction.appendMembers(some(of: assets, atMost: 8), to: album)
        case 19..<22: try place(in: one(of: albums), transaction)
        case 22:
            guard let album = one(of: albums) else { return }
            let members = try transaction.memberIDs(of: album)
            try transaction.removeMembers(some(of: members, atMost: 4), from: album)
        case 23..<28: try changeCollections(transaction)
        default:
            if let asset = one(of: assets) { try addResource(to: asset, transaction) }
        }
    }

    private func update(_ id: Int64?, _ transaction: LibraryTransaction) throws {
        guard let id, var record = try transaction.asset(id: id) else { return }
        meant.assets.insert(id)
        vary(&record)
        let content = chance(20)
        if content { record.contentVersion += 1 }
        try transaction.updateAsset(record, contentChanged: content)
    }

    private static let places: [Location?] = [
        nil, Location(latitude: 48, longitude: 11), Location(latitude: 48.3, longitude: 11),
        Location(latitude: -10, longitude: 20),
    ]

    /// Uses few values, so that many are equal.
    private func vary(_ record: inout AssetRecord) {
        for _ in 0..<number(in: 1..<4) {
            switch number(in: 0..<10) {
            case 0..<3: record.creationDate = date()
            case 9: record.location = one(of: Self.places) ?? nil
            case 3: record.isFavorite.toggle()
            case 4: record.isHidden = chance(30)
            case 5: record.duration = Double(number(in: 0..<4))
            case 6: record.title = one(of: [nil, "", "a", "A", "ä", "b", "a b"]) ?? nil
            case 7: record.keywords = chance(50) ? [] : ["x", "y"]
            default:
                record.burstIdentifier = chance(50) ? nil : "burst"
                record.representsBurst = record.burstIdentifier != nil && chance(30)
                record.burstSelectionTypes =
                    record.burstIdentifier == nil ? [] : one(of: [[], .autoPick, .userPick]) ?? []
                record.mediaSubtypes = chance(50) ? [] : [.photoLive, .photoPanorama]
                record.addedDate = chance(50) ? Date(timeIntervalSinceReferenceDate: 0) : Date()
            }
        }
    }

    private func place(in album: Int64?, _ transaction: LibraryTransaction) throws {
        guard let album else { return }
        let members = try transaction.memberIDs(of: album)
        let anchor = chance(30) ? nil : one(of: members)
        // Often enough at one position that the album must be renumbered.
        for _ in 0..<(chance(10) ? 40 : 1) {
            let others = some(of: members, atMost: 3).filter { $0 != anchor }
            try transaction.placeMembers(others, in: album, after: anchor)
        }
    }

    private func changeCollections(_ transaction: LibraryTransaction) throws {
        let folders = [0] + (try collections(.folder, transaction))
        let all = try collections(.album, transaction) + folders.dropFirst()
        switch number(in: 0..<8) {
        case 0..<3 where all.count < 14:
            let record = CollectionRecord(
                id: 0,
                uuid: uuid(),
                kind: chance(60) ? .album : .folder,
                title: one(of: ["", "a", "A", "b", "Zoo"]) ?? "",
                parentID: one(of: folders) ?? 0,
                position: 0,
                creationDate: date() ?? Date(timeIntervalSinceReferenceDate: 0)
            )
            try transaction.insertCollection(record)
        case 3..<5:
            guard let id = one(of: all), var record = try transaction.collection(id: id) else {
                return
            }
            meant.collections.insert(id)
            record.title = one(of: ["", "a", "A", "b", "Zoo"]) ?? ""
            try transaction.updateCollection(record)
        case 5:
            if let id = one(of: all) { try transaction.deleteCollection(id: id) }
        default:
            guard let folder = one(of: folders) else { return }
            meant.collections.formUnion(all)
            let anchor = chance(40) ? nil : one(of: try transaction.childIDs(of: folder))
            try transaction.placeCollections(some(of: all, atMost: 2), in: folder, after: anchor)
        }
    }

    private func addResource(to asset: Int64, _ transaction: LibraryTransaction) throws {
        guard let record = try transaction.asset(id: asset) else { return }
        let uuid = uuid()
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: asset,
                assetUUID: record.uuid,
                type: one(of: [.photo, .adjustmentData]) ?? .photo,
                originalFilename: "IMG.JPG",
                contentType: "public.jpeg",
                path: "originals/\(uuid.prefix(2).lowercased())/\(uuid).jpg",
                size: 1,
                sha256: String(repeating: "0", count: 64),
                pixelSize: PixelSize(width: 1, height: 1)
            )
        )
    }

    private func collections(
        _ kind: ObjectKind,
        _ transaction: LibraryTransaction
    ) throws -> [Int64] {
        try Int64.fetchAll(
            transaction.database,
            sql: "SELECT id FROM collection WHERE kind = ? ORDER BY id",
            arguments: [kind.rawValue]
        )
    }

    func some<Element>(of list: [Element], atMost most: Int) -> [Element] {
        Array(list.shuffled(using: &generator).prefix(number(in: 0..<most + 1)))
    }

    func date() -> Date? {
        let day = number(in: 0..<7)
        return day == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
    }

    private func uuid() -> String {
        func word() -> UInt64 { generator.next() }
        let (high, low) = (word(), word())
        var bytes = withUnsafeBytes(of: (high, low)) { Array($0) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { String(format: "%02X", $0) }
        let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return parts.joined(separator: "-")
    }
}
