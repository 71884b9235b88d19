import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// Makes the same random changes to a library and to a model of it.
struct ModelWriter {
    private struct Stop: Error {}

    /// A version that an undo could revert.
    private struct Undoable {
        var version: Int64
        /// The change that it ultimately concerns; for a redo, another one.
        var change: Int64
        var batch: String?
        var before: LibraryModel
        /// The objects that it removed permanently.
        var purged: Set<String>
    }

    /// The versions that a redo could repeat.
    private struct Redoable {
        var change: Int64
        var after: LibraryModel
    }

    let clock = TestClock()
    let store: LibraryStore
    private(set) var model = LibraryModel()
    /// The expected number of versions, and of those that undid something.
    private(set) var versions: Int64 = 0
    private(set) var undos = 0
    private(set) var redos = 0

    private let world: LibraryWorld
    private var generator: SeededGenerator
    private var history: [Undoable] = []
    private var undone: [Redoable] = []
    private var ids: [String: Int64] = [CollectionRecord.rootUUID: 0]
    private var batch: String?
    private var purged: Set<String> = []

    init(seed: TestSeed) throws {
        let world = try LibraryWorld()
        self.world = world
        let clock = clock
        store = try LibraryStore.open(at: world.path, clock: { clock.now })
        generator = seed.generator
        _ = try store.historyHorizon(HistoryHorizonRequest(days: 1))
    }

    func verify() throws -> [Finding] {
        let verifier = Verifier(store: store)
        var findings: [Finding] = []
        // Assets without files are not findings here, since nothing was imported.
        for stage in [Verifier.Stage.database, .collections, .journal] {
            var cursor: VerifyCursor? = VerifyCursor(stage: stage.rawValue, position: 0)
            while let now = cursor, now.stage == stage.rawValue {
                let reply = try verifier.verify(
                    VerifyRequest(isFull: false, repairs: false, cursor: now)
                )
                findings += reply.findings
                cursor = reply.next
            }
        }
        return findings
    }

    /// Makes or undoes one change set.
    ///
    /// - Returns: A description of the change, for a failure's message.
    mutating func step() throws -> String {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0...3: return try undo()
        case 4: return try change(fails: true)
        case 5...7: return try redo()
        default: return try change(fails: false)
        }
    }

    // MARK: - Changing and undoing

    private mutating func change(fails: Bool) throws -> String {
        let before = self
        if Int.random(in: 0..<8, using: &generator) == 0 { batch = UUID().uuidString }
        if Int.random(in: 0..<4, using: &generator) == 0 { batch = nil }
        purged = []
        var trail: [String] = []
        let count = Int.random(in: 1...4, using: &generator)
        do {
            let version = try store.write(author: "model", batch: batch) { transaction in
                for _ in 0..<count { trail.append(try operation(transaction)) }
                if fails { throw Stop() }
                return transaction
            }.version
            guard let version else { return trail.joined(separator: ", ") }
            versions += 1
            history.append(
                Undoable(
                    version: version,
                    change: version,
                    batch: batch,
                    before: before.model,
                    purged: purged
                )
            )
            undone = []
        } catch is Stop {
            let generator = generator
            self = before
            self.generator = generator
            trail.append("failing")
        }
        return trail.joined(separator: ", ")
    }

    private mutating func undo() throws -> String {
        let start = try store.read(HistorySummary.start)
        history.removeAll { $0.version <= start }
        guard let last = history.last else {
            #expect(throws: LibraryError.self) {
                try store.undo(UndoRequest(), author: "model")
            }
            return "undo of nothing"
        }
        var undone = [last]
        if let batch = last.batch {
            undone = Array(history.reversed().prefix { $0.batch == batch })
        }
        let lost = undone.reduce(into: Set()) { $0.formUnion($1.purged) }
        if !lost.isDisjoint(with: (undone.last ?? last).before.assets.keys) {
            let error = #expect(throws: LibraryError.self) {
                try store.undo(UndoRequest(), author: "model")
            }
            #expect(error?.code == .changeNotSupported)
            #expect(error?.message.contains("permanently deleted") == true)
            // Otherwise nothing would be undone from here on.
            return try change(fails: false)
        }
        let reply = try store.undo(UndoRequest(), author: "model")
        #expect(reply.undone.map(\.version) == undone.map(\.version))
        history.removeLast(undone.count)
        self.undone.append(Redoable(change: last.change, after: model))
        versions += 1
        undos += 1
        guard let before = undone.last?.before else { return "" }
        model = model.undoing(to: before)
        return "undo of \(undone.map(\.version))"
    }

    private mutating func redo() throws -> String {
        let request = UndoRequest(redoes: true)
        let start = try store.read(HistorySummary.start)
        guard let last = undone.last, last.change > start else {
            let error = #expect(throws: LibraryError.self) {
                try store.undo(request, author: "model")
            }
            #expect(error?.code == .changeNotSupported)
            return "redo of nothing"
        }
        let reply = try store.undo(request, author: "model")
        #expect(reply.undone.first?.version == last.change)
        undone.removeLast()
        versions += 1
        redos += 1
        history.append(
            Undoable(version: reply.version, change: last.change, before: model, purged: [])
        )
        model = model.undoing(to: last.after)
        return "redo of \(last.change)"
    }

    // MARK: - Operations

    private mutating func operation(_ transaction: LibraryTransaction) throws -> String {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0, 1: return try insertAsset(transaction)
        case 2, 3, 4: return try updateAsset(transaction)
        case 5: return try trash(transaction)
        case 6: return try restore(transaction)
        case 7:
            guard Int.random(in: 0..<5, using: &generator) == 0 else { return "" }
            return try purge(transaction)
        case 8, 9: return try insertCollection(transaction)
        case 10: return try deleteCollection(transaction)
        case 11: return try retitle(transaction)
        case 12: return try moveCollections(transaction)
        default: return try changeMembers(transaction)
        }
    }

    private mutating func insertAsset(_ transaction: LibraryTransaction) throws -> String {
        guard model.assets.count < 60 else { return "" }
        var record = LibraryWorld.record()
        record.isHidden = Int.random(in: 0..<5, using: &generator) == 0
        record.creationDate = randomDate()
        ids[record.uuid] = try transaction.insertAsset(record)
        model.assets[record.uuid] = LibraryModel.Asset(
            date: record.creationDate,
            isHidden: record.isHidden
        )
        return "insert asset"
    }

    private mutating func updateAsset(_ transaction: LibraryTransaction) throws -> String {
        guard let uuid = model.assets.keys.sorted().randomElement(using: &generator),
            var record = try transaction.asset(uuid: uuid)
        else { return "" }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: record.isFavorite.toggle()
        case 1: record.isHidden.toggle()
        case 2: record.creationDate = randomDate()
        default:
            record.title =
                [nil, "x:1", "s:\"\\\u{1}", "日本"].randomElement(using: &generator) ?? nil
        }
        record.modificationDate = transaction.now
        try transaction.updateAsset(record, contentChanged: false)
        model.assets[uuid]?.isFavorite = record.isFavorite
        model.assets[uuid]?.isHidden = record.isHidden
        model.assets[uuid]?.date = record.creationDate
        model.assets[uuid]?.title = record.title
        return "update asset"
    }

    private mutating func trash(_ transaction: LibraryTransaction) throws -> String {
        let chosen = some(model.assets.keys.sorted(), upTo: 3)
        try transaction.trashAssets(rowIDs(chosen))
        for uuid in chosen { model.assets[uuid]?.isTrashed = true }
        return "trash \(chosen.count)"
    }

    private mutating func restore(_ transaction: LibraryTransaction) throws -> String {
        let chosen = some(model.assets.filter(\.value.isTrashed).keys.sorted(), upTo: 9)
        try transaction.restoreAssets(rowIDs(chosen))
        for uuid in chosen { model.assets[uuid]?.isTrashed = false }
        return "restore \(chosen.count)"
    }

    private mutating func purge(_ transaction: LibraryTransaction) throws -> String {
        let chosen = some(model.assets.filter(\.value.isTrashed).keys.sorted(), upTo: 5)
        try transaction.purgeAssets(rowIDs(chosen))
        for uuid in chosen { model.purge(uuid) }
        purged.formUnion(chosen)
        return "purge \(chosen.count)"
    }

    private mutating func insertCollection(_ transaction: LibraryTransaction) throws -> String {
        guard model.collections.count < 15,
            let parent = model.folders.randomElement(using: &generator)
        else { return "" }
        let kind: ObjectKind = Bool.random(using: &generator) ? .album : .folder
        let record = CollectionRecord(
            id: 0,
            uuid: UUID().uuidString,
            kind: kind,
            title: "\(Int.random(in: 0..<9, using: &generator))",
            parentID: ids[parent] ?? 0,
            position: 0,
            creationDate: transaction.now
        )
        ids[record.uuid] = try transaction.insertCollection(record)
        model.insert(record.uuid, .init(kind: kind, title: record.title, parent: parent))
        return "insert \(kind)"
    }

    private mutating func deleteCollection(_ transaction: LibraryTransaction) throws -> String {
        guard let uuid = model.collections.keys.sorted().randomElement(using: &generator) else {
            return ""
        }
        let below = model.descendants(of: uuid)
        if !below.isEmpty {
            #expect(throws: LibraryError.self) {
                try transaction.deleteCollection(id: ids[uuid] ?? 0)
            }
        }
        for uuid in below + [uuid] {
            try transaction.deleteCollection(id: ids[uuid] ?? 0)
            model.delete(collection: uuid)
        }
        return "delete \(below.count + 1) collections"
    }

    private mutating func retitle(_ transaction: LibraryTransaction) throws -> String {
        guard let uuid = model.collections.keys.sorted().randomElement(using: &generator),
            var record = try transaction.collection(uuid: uuid)
        else { return "" }
        record.title = "\(Int.random(in: 0..<9, using: &generator))"
        record.assetCount = 99
        try transaction.updateCollection(record)
        model.collections[uuid]?.title = record.title
        return "retitle"
    }

    private mutating func moveCollections(_ transaction: LibraryTransaction) throws -> String {
        guard let folder = model.folders.randomElement(using: &generator) else { return "" }
        let moved = some(model.collections.keys.sorted(), upTo: 3)
        let isCycle = moved.contains { $0 == folder || model.descendants(of: $0).contains(folder) }
        let anchor = anchor(in: model.children[folder] ?? [])
        let appends = Bool.random(using: &generator)
        func move(_ transaction: LibraryTransaction) throws {
            let (moved, folder) = (rowIDs(moved), ids[folder] ?? 0)
            if appends {
                try transaction.appendCollections(moved, to: folder)
            } else {
                try transaction.placeCollections(
                    moved,
                    in: folder,
                    after: anchor.flatMap { ids[$0] }
                )
            }
        }
        if isCycle {
            let error = #expect(throws: LibraryError.self) { try move(transaction) }
            #expect(error?.code == .changeNotSupported)
            return "refused cycle"
        }
        try move(transaction)
        if appends {
            model.append(moved, toFolder: folder)
        } else if !moved.isEmpty {
            model.place(moved, inFolder: folder, after: anchor)
        }
        return "move \(moved.count) collections"
    }

    private mutating func changeMembers(_ transaction: LibraryTransaction) throws -> String {
        guard let album = model.albums.randomElement(using: &generator), let id = ids[album] else {
            return ""
        }
        let members = model.collections[album]?.members ?? []
        let chosen = some(model.assets.keys.sorted(), upTo: 6)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1, 2:
            try transaction.appendMembers(rowIDs(chosen), to: id)
            model.append(chosen, to: album)
            return "append \(chosen.count)"
        case 3, 4:
            let anchor = anchor(in: members)
            try transaction.placeMembers(
                rowIDs(chosen),
                in: id,
                after: anchor.flatMap { ids[$0] }
            )
            if !chosen.isEmpty { model.place(chosen, in: album, after: anchor) }
            return "place \(chosen.count)"
        case 5:
            // Uses up the gap after the first.
            guard let first = members.first, members.count > 3 else { return "" }
            for turn in 0..<40 {
                let moved = members[1 + turn % 2]
                try transaction.placeMembers(rowIDs([moved]), in: id, after: ids[first])
                model.place([moved], in: album, after: first)
            }
            return "crowd"
        default:
            try transaction.removeMembers(rowIDs(chosen), from: id)
            model.collections[album]?.members.removeAll { chosen.contains($0) }
            return "remove \(chosen.count)"
        }
    }

    // MARK: - Choosing

    private func rowIDs(_ uuids: [String]) -> [Int64] { uuids.compactMap { ids[$0] } }

    private mutating func some(_ list: [String], upTo count: Int) -> [String] {
        let number = Int.random(in: 0...count, using: &generator)
        return Array(list.shuffled(using: &generator).prefix(number))
    }

    private mutating func anchor(in list: [String]) -> String? {
        Bool.random(using: &generator) ? list.randomElement(using: &generator) : nil
    }

    private mutating func randomDate() -> Date? {
        let number = Int.random(in: -1..<12, using: &generator)
        return number < 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 1_000.5)
    }
}
