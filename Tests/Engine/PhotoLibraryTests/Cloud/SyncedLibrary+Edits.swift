import Foundation
import GRDB
import LibraryService
import PhotoModel

@testable import PhotoLibrary

/// Random changes by the person who uses a library.
extension SyncedLibrary {
    /// Makes one change, or undoes or redoes one.
    func change() throws {
        clock.advance(by: Double(pick(0..<600)) - 20)
        switch pick(0..<12) {
        case 0:
            do {
                _ = try store.undo(UndoRequest(redoes: pick(0..<3) == 0), author: "test")
            } catch let error as LibraryError where error.code == .changeNotSupported {}
        case 1: try importFile()
        default:
            try store.write(author: "test") { transaction in
                for _ in 0..<pick(1..<4) {
                    do { try edit(transaction) } catch let error as LibraryError
                        where error.code == .changeNotSupported
                    {}
                }
            }
        }
    }

    func importFile() throws {
        var record = LibraryWorld.record("IMG_\(pick(0..<100)).JPG")
        record.addedDate = clock.now
        record.modificationDate = clock.now
        record.creationDate = clock.now.addingTimeInterval(-1_000)
        if pick(0..<3) == 0 { record.location = Location(latitude: 48, longitude: 11) }
        if pick(0..<3) == 0 { record.keywords = ["import", "x"] }
        var bytes = (0..<pick(1..<20)).map { _ in UInt8(pick(0..<256)) }
        if pick(0..<2) == 0, let content = shared.sorted().randomElement(using: &generator) {
            shared.remove(content)
            bytes = Array(repeating: content, count: 40)
        }
        try insertWithFile(record, bytes: bytes)
    }

    /// As `LibraryWorld.insertWithFile`, by this library's clock.
    func insertWithFile(_ record: AssetRecord, bytes: [UInt8]) throws {
        let written = try write(bytes, name: record.originalFilename)
        _ = try store.write(author: "test") { transaction in
            var file = written
            file.assetID = try transaction.insertAsset(record)
            file.assetUUID = record.uuid
            file.pixelSize = record.pixelSize
            let id = try transaction.insertResource(file)
            // As an import does it.
            let name = Data(file.uuid.utf8)
            try transaction.database.execute(
                sql: "INSERT INTO importedFile VALUES (?, 1, 1, 1, 1, 1, ?, ?)",
                arguments: [name, name, id]
            )
        }
    }

    /// Adds a sidecar to an asset, as an import does if the sidecar states nothing new.
    @discardableResult
    func addSidecar(
        to asset: String,
        bytes: [UInt8],
        name: String = "IMG_1.xmp",
        contentType: String = "public.data"
    ) throws -> ResourceRecord {
        var file = try write(bytes, as: .sidecar, name: name, contentType: contentType)
        try store.write(author: "test") { transaction in
            guard let owner = try transaction.asset(uuid: asset) else {
                throw Difference("\(asset) is not here")
            }
            file.assetID = owner.id
            file.assetUUID = asset
            try transaction.insertResource(file)
        }
        return file
    }

    /// Gives all members of the only album one order key, as devices do that choose the same one.
    ///
    /// Nothing can be placed between two of them until all have new keys.
    func makeOrderKeysEqual() throws {
        try store.write(author: "test") { transaction in
            try transaction.database.execute(
                sql: "UPDATE albumAsset SET orderKey = (SELECT min(orderKey) FROM albumAsset)"
            )
        }
    }

    /// Writes a file to its place in the library, and returns its record, which has no asset yet.
    func write(
        _ bytes: [UInt8],
        as type: ResourceType = .photo,
        name: String,
        contentType: String = "public.jpeg"
    ) throws -> ResourceRecord {
        let uuid = UUID().uuidString
        let path = FilePlacement.target(
            uuid: uuid,
            pathExtension: (name as NSString).pathExtension.lowercased()
        )
        let file = URL(fileURLWithPath: store.bundle.absolutePath(of: path))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
        let hasher = SHA256Hasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return ResourceRecord(
            id: 0,
            uuid: uuid,
            assetID: 0,
            assetUUID: "",
            type: type,
            originalFilename: name,
            contentType: contentType,
            path: path,
            size: Int64(bytes.count),
            sha256: hasher.finish()?.hexadecimal ?? "",
            pixelSize: PixelSize(width: 0, height: 0)
        )
    }

    // MARK: - Splits

    /// Adds a photo to an asset as its sidecar, which `splitSidecar` makes an asset of its own.
    func addSplittable(to asset: String, bytes: [UInt8]) throws {
        try addSidecar(to: asset, bytes: bytes, name: "IMG_2.JPG", contentType: "public.jpeg")
    }

    /// Makes the sidecar of an asset an asset of its own, as a refresh does, and returns its UUID.
    func splitSidecar(
        of asset: String,
        _ body: (inout AssetRecord) -> Void = { _ in }
    ) throws -> String {
        try store.write(author: "test") { transaction in
            guard let old = try transaction.asset(uuid: asset),
                let sidecar = try transaction.resources(ofAsset: old.id)
                    .first(where: { $0.type == .sidecar })
            else { throw Difference("\(asset) has no sidecar") }
            var record = LibraryWorld.record(sidecar.originalFilename)
            record.addedDate = transaction.now
            record.modificationDate = transaction.now
            body(&record)
            var file = sidecar
            file.assetID = try transaction.insertAsset(record)
            file.assetUUID = record.uuid
            file.type = .photo
            try transaction.updateResource(file)
            return record.uuid
        }
    }

    private func ids(_ sql: String, _ transaction: LibraryTransaction) throws -> [Int64] {
        try Int64.fetchAll(transaction.database, sql: sql)
    }

    private func some<Element>(_ list: [Element], upTo count: Int) -> [Element] {
        Array(list.shuffled(using: &generator).prefix(pick(0..<count + 1)))
    }

    private func edit(_ transaction: LibraryTransaction) throws {
        let assets = try ids("SELECT id FROM asset ORDER BY id", transaction)
        let albums = try ids("SELECT id FROM collection WHERE kind = 2 ORDER BY id", transaction)
        let rows = try ids("SELECT id FROM collection WHERE kind = 3 ORDER BY id", transaction)
        let folders = [0] + rows
        switch isTidying && pick(0..<3) > 0 ? pick(7..<11) : pick(0..<24) {
        case 0..<7:
            guard let id = assets.randomElement(using: &generator) else { return }
            try editValues(id, transaction)
        case 7, 8: try transaction.trashAssets(some(assets, upTo: 2))
        case 9:
            let trashed = try ids(
                "SELECT id FROM asset WHERE trashedDate IS NOT NULL ORDER BY id",
                transaction
            )
            try transaction.restoreAssets(some(trashed, upTo: 3))
        case 10:
            let trashed = try ids(
                "SELECT id FROM asset WHERE trashedDate IS NOT NULL ORDER BY id",
                transaction
            )
            try transaction.purgeAssets(some(trashed, upTo: 1))
        case 11, 12:
            guard albums.count + folders.count < 10 else { return }
            let kind: ObjectKind = pick(0..<2) == 0 ? .album : .folder
            let id = try transaction.insertCollection(
                LibraryWorld.collection(
                    kind,
                    "collection \(pick(0..<99))",
                    in: folders.randomElement(using: &generator) ?? 0
                )
            )
            if kind == .album { try transaction.appendMembers(some(assets, upTo: 5), to: id) }
        case 13:
            guard let id = (albums + folders.dropFirst()).randomElement(using: &generator),
                var record = try transaction.collection(id: id)
            else { return }
            record.title = "title \(pick(0..<9))"
            try transaction.updateCollection(record)
        case 14:
            guard pick(0..<3) == 0,
                let id = (albums + folders.dropFirst()).randomElement(using: &generator)
            else { return }
            try transaction.deleteCollection(id: id)
        case 15, 16, 17:
            let folder = folders.randomElement(using: &generator) ?? 0
            let children = try transaction.childIDs(of: folder)
            try transaction.placeCollections(
                some(albums + folders.dropFirst(), upTo: 2),
                in: folder,
                after: pick(0..<2) == 0 ? nil : children.randomElement(using: &generator)
            )
        default:
            guard let album = albums.randomElement(using: &generator) else { return }
            try editMembers(of: album, assets, transaction)
        }
    }

    private func editMembers(
        of album: Int64,
        _ assets: [Int64],
        _ transaction: LibraryTransaction
    ) throws {
        let members = try transaction.memberIDs(of: album)
        switch pick(0..<5) {
        case 0: try transaction.appendMembers(some(assets, upTo: 4), to: album)
        case 1: try transaction.removeMembers(some(members, upTo: 2), from: album)
        default:
            // Often at one place, until the album is renumbered.
            for _ in 0..<(pick(0..<12) == 0 ? 40 : 1) {
                let anchor = pick(0..<3) == 0 ? nil : members.first
                let moving = some(members + assets, upTo: 3).filter { $0 != anchor }
                try transaction.placeMembers(moving, in: album, after: anchor)
            }
        }
    }

    private func editValues(_ id: Int64, _ transaction: LibraryTransaction) throws {
        guard var record = try transaction.asset(id: id) else { return }
        switch pick(0..<9) {
        case 0: record.isFavorite.toggle()
        case 1: record.isHidden.toggle()
        case 2: record.title = [nil, "a", "x:1", "\"\\ 日本"].randomElement(using: &generator) ?? nil
        case 3: record.caption = pick(0..<2) == 0 ? nil : "caption \(pick(0..<9))"
        case 4: record.rating = pick(0..<6)
        case 5: record.keywords = some(["a", "b", "c", "ä"], upTo: 4)
        case 6:
            let date = clock.now.addingTimeInterval(-Double(pick(0..<1_000_000)))
            record.creationDate = date
            record.captureTime = CaptureTime(
                instant: date,
                wallTime: "2026-01-0\(pick(1..<9)) 10:00:00",
                offset: 3_600,
                wallTimeSource: .user,
                instantSource: .user
            )
        case 7:
            record.location =
                pick(0..<3) == 0
                ? nil
                : Location(
                    latitude: Double(pick(0..<50)),
                    longitude: Double(pick(0..<50)),
                    altitude: pick(0..<2) == 0 ? nil : 5
                )
        default: record.originalResourceChoice = pick(0..<2)
        }
        if Int.random(in: 0..<8, using: &rareChanges) == 0 { changeInitialValue(of: &record) }
        record.modificationDate = transaction.now
        try transaction.updateAsset(record, contentChanged: false)
    }

    /// Changes a value that its creation contains, as the still of an asset does that joins later.
    private func changeInitialValue(of record: inout AssetRecord) {
        let number = Int.random(in: 0..<9, using: &rareChanges)
        if Bool.random(using: &rareChanges) {
            record.originalFilename = "still \(number).JPG"
        } else {
            record.contentIdentifier = number == 0 ? nil : "still \(number)"
        }
    }
}
