import CBenchmarkPeers
import EmbeddedLibrary
import Foundation
import GRDB
import LibraryService
import PhotoModel

/// Measures durable commits of changes against the same rows written by plain SQLite, and imports
/// of files against `cp`.
struct ChangesSuite {
    let assets: Int
    let rounds: Int

    private static let albumSize = 100_000
    private static let favorites = 10_000
    private static let deletions = 36_000

    func run(_ report: Report) throws {
        for count in Set([min(100_000, assets), assets]).sorted() {
            let library = try SyntheticLibrary()
            try library.fill(assets: count)
            let album = try library.addAlbum(of: min(Self.albumSize, count))
            let service = try EmbeddedLibrary.open(at: library.url.path)
            try favorite(service, library, count, report)
            try manyFavorites(service, library, count, report)
            try editing(album, service, count, report)
            try creating(service, count, report)
            try deleting(service, library, count, report)
        }
    }

    // MARK: - Properties

    private func favorite(
        _ service: any LibraryService,
        _ library: SyntheticLibrary,
        _ count: Int,
        _ report: Report
    ) throws {
        let times = try favorites(service, library, count)
        report.print(
            Report.Case(
                suite: "changes",
                name: "one favorite among \(count) assets, durable",
                ours: times.ours,
                peer: times.peer,
                peerName: Self.peerName,
                unit: "ms",
                limit: 1.3
            )
        )
    }

    static let peerName = "plain SQLite, same rows"

    /// Returns the milliseconds that a durable change of one asset takes, ours and the peer's.
    func favorites(
        _ service: any LibraryService,
        _ library: SyntheticLibrary,
        _ count: Int
    ) throws -> (ours: Double, peer: Double) {
        let peer = try PeerWriter(assets: count)
        var ours: [Double] = []
        var theirs: [Double] = []
        let uuids = try library.uuids(first: 1, count: rounds * 140)
        for round in 0..<(rounds * 20) {
            let id = Int64(1 + round * 7)
            let uuid = uuids[round * 7]
            let isFavorite = !id.isMultiple(of: 50)
            ours.append(
                try seconds { try service.commit([Self.edit(uuid, isFavorite: isFavorite)]) }
            )
            theirs.append(try seconds { try peer.favorites(first: id, count: 1, isFavorite) })
        }
        return (median(ours) * 1_000, median(theirs) * 1_000)
    }

    private func manyFavorites(
        _ service: any LibraryService,
        _ library: SyntheticLibrary,
        _ count: Int,
        _ report: Report
    ) throws {
        let peer = try PeerWriter(assets: count)
        let size = min(Self.favorites, count)
        let uuids = try library.uuids(first: 1, count: size)
        var ours: [Double] = []
        var theirs: [Double] = []
        for round in 0..<rounds {
            // Every asset changes in each round; the first even round clears the few favorites.
            let isFavorite = !round.isMultiple(of: 2)
            if round == 0 {
                try service.commit(uuids.map { Self.edit($0, isFavorite: true) })
            }
            let actions = uuids.map { Self.edit($0, isFavorite: isFavorite) }
            ours.append(try seconds { try service.commit(actions) })
            theirs.append(
                try seconds { try peer.favorites(first: 1, count: Int64(size), isFavorite) }
            )
        }
        report.print(
            Report.Case(
                suite: "changes",
                name: "\(size) favorites in one block among \(count) assets",
                ours: median(ours) * 1_000,
                peer: median(theirs) * 1_000,
                peerName: Self.peerName,
                unit: "ms",
                limit: 2
            )
        )
    }

    static func edit(_ uuid: String, isFavorite: Bool) -> ChangeAction {
        var edit = AssetEdit()
        edit.isFavorite = isFavorite
        return .editAsset(uuid: uuid, edit)
    }

    // MARK: - Albums

    private func editing(
        _ album: String,
        _ service: any LibraryService,
        _ count: Int,
        _ report: Report
    ) throws {
        var fetch = AssetFetchRequest(scope: .album(album))
        fetch.includesHidden = true
        let basis = try service.fetch(fetch).ids
        let asset = try service.loadAssets(AssetLoadRequest(ids: RowIDBuffer([basis[0]]))).assets
        guard let uuid = asset.first?.uuid else { throw BenchmarkError(description: "No asset.") }
        var adding: [Double] = []
        var moving: [Double] = []
        for round in 0..<(rounds * 5) {
            try service.commit([.editMembers(album: album, ListEdit(steps: [.remove([uuid])]))])
            adding.append(
                try seconds {
                    try service.commit([
                        .editMembers(album: album, ListEdit(steps: [.add([uuid])]))
                    ])
                }
            )
            let source = basis.count / 2 + round * 11
            moving.append(
                try seconds {
                    try service.commit([
                        .editMembers(
                            album: album,
                            ListEdit(basis: basis, steps: [.move(from: [source], to: 10)])
                        )
                    ])
                }
            )
        }
        for (name, times) in [("adding one asset to", adding), ("moving one asset within", moving)]
        {
            report.print(
                Report.Case(
                    suite: "changes",
                    name: "\(name) an album of \(basis.count) among \(count) assets, durable",
                    ours: median(times) * 1_000,
                    unit: "ms",
                    limit: nil
                )
            )
        }
    }

    // MARK: - Deleting

    /// Moves assets from all times to Recently Deleted, and recovers them.
    ///
    /// Measures processor time, because the time that the disk takes for the log depends on the
    /// machine only.
    private func deleting(
        _ service: any LibraryService,
        _ library: SyntheticLibrary,
        _ count: Int,
        _ report: Report
    ) throws {
        let size = min(Self.deletions, count / 10)
        let uuids = try library.uuids(first: 1, count: size, every: count / size)
        var deleting: [Double] = []
        var undoing: [Double] = []
        var log = 0.0
        for _ in 0..<min(rounds, 3) {
            deleting.append(try processorTime { try service.commit([.deleteAssets(uuids)]) })
            undoing.append(
                try processorTime { _ = try service.undo(UndoRequest()) }
            )
            log = max(log, library.logSize)
        }
        let limit = count >= 1_000_000 ? 5.0 : nil
        for (name, times) in [("deleting", deleting), ("undoing that of", undoing)] {
            report.print(
                Report.Case(
                    suite: "changes",
                    name: "\(name) \(size) of \(count) assets, processor time",
                    ours: median(times),
                    unit: "s",
                    limit: limit
                )
            )
        }
        report.print(
            Report.Case(
                suite: "changes",
                name: "the write-ahead log after that",
                ours: log,
                unit: "MB",
                limit: 8.5
            )
        )
    }

    // MARK: - Files

    private func creating(_ service: any LibraryService, _ count: Int, _ report: Report) throws {
        let work = try WorkFolder()
        let drawings = try BenchmarkPictures.jpegs(count: 2)
        var ours: [Double] = []
        var theirs: [Double] = []
        // The first change of a program starts a worker, which is not measured.
        for round in 0...(rounds * 3) {
            var data = drawings[round % drawings.count]
            data.append(Data("\(round)".utf8))
            let source = work.url.appendingPathComponent("IMG_\(round).JPG")
            try data.write(to: source)
            let copy = work.url.appendingPathComponent("copy-\(round).JPG")
            try Shell.run("sync -f \"$1\"", [work.url.path])
            let number = open(source.path, O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { throw BenchmarkError(description: source.path) }
            let file = Descriptor(owning: number)
            let creation = AssetCreation(
                uuid: UUID().uuidString,
                resources: [
                    ResourceCreation(
                        type: .photo,
                        file: FileToken(0),
                        originalFilename: "IMG_\(round).JPG"
                    )
                ]
            )
            let own = try seconds { try service.commit([.createAsset(creation)], files: [file]) }
            try Shell.run("sync -f \"$1\"", [work.url.path])
            let other = try seconds {
                try Shell.run(
                    "cp \"$1\" \"$2\" && sync -f \"$2\" && sha256sum \"$2\" > /dev/null",
                    [source.path, copy.path]
                )
            }
            guard round > 0 else { continue }
            ours.append(own)
            theirs.append(other)
        }
        report.print(
            Report.Case(
                suite: "changes",
                name: "one asset of a \(drawings[0].count / 1_000) kB JPEG among \(count), durable",
                ours: median(ours) * 1_000,
                peer: median(theirs) * 1_000,
                peerName: "cp + sync -f + sha256sum",
                unit: "ms",
                limit: 1.5
            )
        )
    }
}

extension LibraryService {
    func commit(_ actions: [ChangeAction], files: [Descriptor] = []) throws {
        let operations = actions.map { ChangeOperation(request: "benchmark", action: $0) }
        try commit(ChangeSet(operations: operations), files: files)
    }
}

extension SyntheticLibrary {
    /// Adds an album of the first assets, in the state that many changes would have left.
    fileprivate func addAlbum(of count: Int) throws -> String {
        let uuid = UUID().uuidString
        let queue = try DatabaseQueue(path: database)
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO collection (uuid, kind, title, position, creationDate,
                        modificationDate, assetCount, startDate, endDate)
                    SELECT ?, 2, 'Album', 0, 0, 0, count(*), min(creationDate), max(creationDate)
                    FROM asset WHERE id <= ? AND isVisible = 1
                    """,
                arguments: [uuid, count]
            )
            try database.execute(
                sql: """
                    INSERT INTO albumAsset (albumId, assetId, position)
                    SELECT ?, id, id << 32 FROM asset WHERE id <= ?
                    """,
                arguments: [database.lastInsertedRowID, count]
            )
        }
        try queue.close()
        return uuid
    }

    /// In megabytes.
    fileprivate var logSize: Double {
        let attributes = try? FileManager.default.attributesOfItem(atPath: database + "-wal")
        return Double(attributes?[.size] as? Int ?? 0) / 1_000_000
    }

    fileprivate func uuids(first: Int64, count: Int, every step: Int = 1) throws -> [String] {
        let queue = try DatabaseQueue(path: database)
        defer { try? queue.close() }
        return try queue.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT uuid FROM asset WHERE id >= ? AND id % ? = 0 ORDER BY id LIMIT ?",
                arguments: [first, step, count]
            )
        }
    }
}

/// Plain SQLite on a separate copy of a library's database.
private final class PeerWriter {
    private let library: SyntheticLibrary
    private let writer: OpaquePointer
    private var time = 800_000_000.0

    init(assets: Int) throws {
        library = try SyntheticLibrary()
        try library.fill(assets: assets)
        guard let writer = cphotos_peer_writer_open(library.database) else {
            throw BenchmarkError(description: "The peer cannot write.")
        }
        self.writer = writer
    }

    deinit { cphotos_peer_writer_close(writer) }

    func favorites(first: Int64, count: Int64, _ isFavorite: Bool) throws {
        time += 1
        let code = cphotos_peer_favorites(writer, first, count, isFavorite ? 1 : 0, time)
        guard code == 0 else { throw BenchmarkError(description: "SQLite's code \(code).") }
    }
}
