import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// Every predicate, option and scope at every level of permission: a client gets exactly the
/// visible part of the owner's result (pains 14, 19 and 24).
@Suite(.timeLimit(.minutes(5))) struct FetchTableTests {
    /// A level of visibility, with its name.
    private struct Level {
        var name: String
        var access: LibraryAccess
        var fetcher: AssetFetcher
    }

    /// Whether every value is tried at every level instead of in turn: `PHOTOS_ACCESS_TABLE=all`.
    private static let triesAll =
        ProcessInfo.processInfo.environment["PHOTOS_ACCESS_TABLE"] == "all"

    private let world: LibraryWorld
    private let known: [Int64: AssetRecord]
    private let records: [AssetRecord]
    private let album: CollectionRecord
    private let owner: AssetFetcher
    private let levels: [Level]
    private let seed = TestSeed()

    init() throws {
        let world = try LibraryWorld()
        var random = seed.generator
        var records = (0..<40).map { Self.record($0, &random) }
        let ids = try world.insert(records)
        for index in records.indices { records[index].id = ids[index] }
        var album = CollectionFetcherTests.album("album")
        let (made, members) = (album, ids.filter { $0 % 3 != 0 })
        album.id = try world.store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(made)
            try transaction.appendMembers(members, to: id)
            try transaction.trashAssets(Array(ids.suffix(6)))
            return id
        }
        func fetcher(_ access: LibraryAccess) -> AssetFetcher {
            AssetFetcher(LibraryView(store: world.store, access: ClientAccess(access)))
        }
        self.world = world
        self.album = album
        self.records = records
        known = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
        owner = fetcher(.full)
        let some = Set(records.filter { $0.id % 2 == 0 }.map(\.uuid))
        // The statuses with the same visibility are one level: not determined, restricted, denied
        // and add-only.
        levels = [
            ("nothing", LibraryAccess.none),
            ("limited to nothing", LibraryAccess(.some([]), includesHidden: false)),
            ("limited", LibraryAccess(.some(some), includesHidden: false)),
            ("limited, hidden too", LibraryAccess(.some(some), includesHidden: true)),
            ("authorized", .unhidden),
            ("authorized, hidden too", .full),
        ].map { Level(name: $0, access: $1, fetcher: fetcher($1)) }
    }

    private static func record(_ number: Int, _ random: inout SeededGenerator) -> AssetRecord {
        var record = LibraryWorld.record("IMG_\(number).JPG")
        func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }
        record.isHidden = number == 0 || chance(4)
        record.isFavorite = chance(2)
        record.mediaType = [.image, .video, .audio].randomElement(using: &random) ?? .image
        record.mediaSubtypes = [[], .photoLive, .photoPanorama].randomElement(using: &random) ?? []
        record.duration = Double(number)
        record.rating = number % 6
        record.creationDate =
            chance(5) ? nil : Date(timeIntervalSinceReferenceDate: Double(number % 7) * 86_400)
        record.title = chance(2) ? nil : "Title \(number % 5)"
        record.caption = chance(2) ? nil : "Über \(number % 5)"
        record.keywords = chance(2) ? [] : ["lake", "see \(number % 3)"]
        record.sourceType =
            [.userLibrary, .cloudShared, .computerSynced].randomElement(using: &random)
            ?? .userLibrary
        record.hasAdjustments = chance(3)
        record.adjustmentFormatIdentifier = record.hasAdjustments ? "com.example" : nil
        if number % 4 == 3 {
            record.burstIdentifier = "burst \(number % 3)"
            record.representsBurst = chance(2)
        }
        record.location = chance(2) ? nil : Location(latitude: Double(number), longitude: 9)
        return record
    }

    /// Returns the part of the owner's result that a level may see, in the same order.
    private func expected(
        _ request: AssetFetchRequest,
        _ level: Level,
        of whole: [Int64]
    ) -> [Int64] {
        let visible = whole.filter { id in
            guard let record = known[id] else { return false }
            return level.access.permits(asset: record.uuid, isHidden: record.isHidden)
        }
        return request.limit > 0 ? Array(visible.prefix(request.limit)) : visible
    }

    /// Compares the results of all levels with the owner's.
    ///
    /// Returns the number of assets that the owner sees, or nil if all levels get the same error.
    private func compare(
        _ request: AssetFetchRequest,
        at levels: [Level],
        _ words: @autoclosure () -> String
    ) throws -> Int? {
        var unlimited = request
        unlimited.limit = 0
        let whole: [Int64]
        do {
            whole = Array(try owner.fetch(unlimited).ids)
        } catch let error as LibraryError {
            for level in levels {
                let refused = #expect(throws: LibraryError.self) {
                    try level.fetcher.fetch(request)
                }
                #expect(refused?.code == error.code, "\(level.name): \(words())")
            }
            return nil
        }
        for level in levels {
            let ids = Array(try level.fetcher.fetch(request).ids)
            let wanted = expected(request, level, of: whole)
            #expect(ids == wanted, "\(level.name): \(words()), \(seed)")
        }
        return whole.count
    }

    // MARK: - Predicates

    /// Returns values that a key can be compared with.
    private func values(_ key: FetchKey, _ name: String) -> [PredicateTerm] {
        let values: [PredicateValue] =
            switch key.kind {
            case .boolean: [.bool(true), .bool(false)]
            case .integer: [.integer(1), .integer(3)]
            case .real: [.real(12), .integer(7)]
            case .date: [.date(Date(timeIntervalSinceReferenceDate: 3 * 86_400))]
            case .text: [.string("Title 2"), .string("*E*"), .string("über 1")]
            case .identifier:
                name == "uuid"
                    ? [.string(records[2].uuid)]
                    : [.string(records[2].localIdentifier), .object(records[0].localIdentifier)]
            case .texts, .places: [.string("lake")]
            case .location: []
            }
        let terms = values.map(PredicateTerm.value)
        return terms + [.value(.null), .list(terms), .list(terms + terms.prefix(1))]
    }

    @Test("Every key with every operator, and the contrary of it")
    func predicates() throws {
        var (tried, answered, telling) = (0, 0, 0)
        for (name, key) in KeyTable.assets.keys.sorted(by: { $0.key < $1.key }) {
            for comparison in PredicateComparison.Operator.allCases {
                let values = values(key, name)
                for (index, value) in values.enumerated() {
                    tried += 1
                    // In turn; seven is coprime to their number.
                    guard Self.triesAll || (tried + index) % 6 == 0 else { continue }
                    let levels = Self.triesAll ? levels : [levels[tried * 7 % levels.count]]
                    let node = PredicateNode.comparison(
                        PredicateComparison(
                            .key(name, position: nil),
                            comparison,
                            value,
                            options: index % 2 == 0
                                ? [] : [.caseInsensitive, .diacriticInsensitive]
                        )
                    )
                    var request = AssetFetchRequest()
                    // Half of them include hidden assets, and all sources.
                    request.includesHidden = answered % 2 == 0
                    request.includesAllBurstMembers = answered % 4 < 2
                    request.sourceTypes = [.userLibrary, .cloudShared, .computerSynced]
                    request.predicate = node
                    guard
                        let count = try compare(
                            request,
                            at: levels,
                            "\(name) \(comparison) \(value)"
                        )
                    else { continue }
                    if Self.triesAll || answered % 3 == 0 {
                        request.predicate = .or([.not(node), .and([node, .constant(true)])])
                        _ = try compare(
                            request,
                            at: levels,
                            "NOT \(name) \(comparison) \(value)"
                        )
                    }
                    answered += 1
                    telling += count > 0 ? 1 : 0
                }
            }
        }
        // Ensures that the table does not consist of errors.
        #expect(answered > 50, "\(answered)")
        #expect(telling > 15, "\(telling)")
    }

    // MARK: - Options and scopes

    private var scopes: [(String, AssetFetchRequest.Scope)] {
        let ids = RowIDBuffer(records.map(\.id).reversed())
        return [
            ("library", .library), ("rows", .rowIDs(ids)),
            ("identifiers", .identifiers(records.map(\.localIdentifier).reversed())),
            ("burst", .burst("burst 0")), ("Recently Deleted", .recentlyDeleted),
        ] + SmartAlbum.allCases.map { ("\($0)", .album($0.uuid)) }
    }

    @Test("Every scope with every option")
    func options() throws {
        let sources: [SourceTypes] = [[], .cloudShared, [.userLibrary, .computerSynced]]
        let sorts: [[AssetFetchRequest.SortKey]] = [
            [], [.init("creationDate", ascending: false)],
            [.init("isHidden", ascending: false), .init("title", ascending: true)],
        ]
        var telling = 0
        for (name, scope) in scopes {
            // Smart albums differ only in their members.
            let isAlbum = if case .album = scope { true } else { false }
            for number in 0..<(isAlbum ? 6 : 36) {
                var request = AssetFetchRequest(scope: scope)
                request.includesHidden = number % 2 == 0
                request.includesAllBurstMembers = number / 2 % 2 == 0
                request.sourceTypes = sources[number % 3]
                request.limit = number / 3 % 2 == 0 ? 0 : 3
                request.sort = sorts[number / 6 % 3]
                request.mediaType = number % 5 == 0 ? .image : nil
                let some =
                    Self.triesAll
                    ? levels
                    : levels.indices.filter { ($0 + number) % 2 == 0 }
                        .map { levels[$0] }
                let count = try compare(request, at: some, "\(name) \(number)")
                telling += count ?? 0 > 0 ? 1 : 0
            }
        }
        #expect(telling > 60, "\(telling)")
    }

    @Test("Albums are for who sees everything, and show what is hidden to nobody else")
    func albums() throws {
        for includesHidden in [true, false] {
            var request = AssetFetchRequest(scope: .album(album.uuid))
            request.includesHidden = includesHidden
            let whole = Array(try owner.fetch(request).ids)
            #expect(!whole.isEmpty)
            for level in levels {
                let ids = Array(try level.fetcher.fetch(request).ids)
                let isOpen = level.access.permitsCollections
                #expect(ids == (isOpen ? expected(request, level, of: whole) : []), "\(level.name)")
                #expect(
                    try level.fetcher.count(AssetCountRequest(ids: RowIDBuffer(whole))).counts
                        .values.reduce(0, +) == expected(request, level, of: whole).count
                )
            }
        }
    }
}
