import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct AssetFetcherTests {
    let world: LibraryWorld
    let fetcher: AssetFetcher

    init() throws {
        world = try LibraryWorld()
        fetcher = AssetFetcher(store: world.store)
    }

    private func fetch(_ change: (inout AssetFetchRequest) -> Void = { _ in }) throws -> [Int64] {
        var request = AssetFetchRequest()
        change(&request)
        return Array(try fetcher.fetch(request).ids)
    }

    private func comparison(
        _ key: String,
        _ operation: PredicateComparison.Operator,
        _ value: PredicateValue,
        _ options: PredicateComparison.Options = []
    ) -> PredicateNode {
        .comparison(
            PredicateComparison(
                .key(key, position: nil),
                operation,
                .value(value),
                options: options
            )
        )
    }

    // MARK: - Visibility

    /// Behaviors 51–53 and 55.
    @Test func specialAssetsStayOutUnlessAskedFor() throws {
        var hidden = LibraryWorld.record()
        hidden.isHidden = true
        var burst = LibraryWorld.record()
        burst.burstIdentifier = "B"
        var picked = burst
        picked.uuid = UUID().uuidString
        picked.burstSelectionTypes = .userPick
        var shared = LibraryWorld.record()
        shared.sourceType = .cloudShared
        var trashed = LibraryWorld.record()
        trashed.trashedDate = Date()
        let plain = LibraryWorld.record()
        let ids = try world.insert(hidden, burst, picked, shared, trashed, plain)
        #expect(try fetch() == [ids[2], ids[5]])
        #expect(try fetch { $0.includesHidden = true } == [ids[0], ids[2], ids[5]])
        #expect(try fetch { $0.includesAllBurstMembers = true } == [ids[1], ids[2], ids[5]])
        #expect(try fetch { $0.sourceTypes = .cloudShared } == [ids[3]])
        #expect(
            try fetch { $0.sourceTypes = [.cloudShared, .userLibrary] } == [ids[2], ids[3], ids[5]]
        )
        #expect(try fetch { $0.scope = .burst("B") } == [ids[2]])
        #expect(
            try fetch {
                $0.scope = .burst("B")
                $0.includesAllBurstMembers = true
            } == [ids[1], ids[2]]
        )
        #expect(try fetch { $0.scope = .recentlyDeleted } == [ids[4]])
    }

    /// Behaviors 52 and 64.
    @Test func identifiersFindHiddenAssetsOnceAndDropUnknownOnes() throws {
        var hidden = LibraryWorld.record()
        hidden.isHidden = true
        var trashed = LibraryWorld.record()
        trashed.trashedDate = Date()
        let plain = LibraryWorld.record()
        let ids = try world.insert(hidden, trashed, plain)
        let wanted = [
            plain.localIdentifier, hidden.uuid, plain.localIdentifier, trashed.localIdentifier,
            "nonsense", UUID().uuidString, hidden.uuid + "/L0/040",
        ]
        #expect(try fetch { $0.scope = .identifiers(wanted) } == [ids[2], ids[0]])
    }

    // MARK: - Order and limits

    @Test func tiesAreBrokenByRowIDInBothDirections() throws {
        let ids = try world.insert((0..<5).map { _ in LibraryWorld.record() })
        #expect(try fetch { $0.sort = [.init("creationDate", ascending: true)] } == ids)
        #expect(try fetch { $0.sort = [.init("creationDate", ascending: false)] } == ids.reversed())
        #expect(try fetch() == ids)
    }

    /// Behavior 56.
    @Test func limitComesAfterFilterAndSort() throws {
        var records = (0..<10).map { _ in LibraryWorld.record() }
        for index in records.indices { records[index].duration = Double(index) }
        let ids = try world.insert(records)
        let found = try fetch {
            $0.predicate = comparison("duration", .lessOrEqual, .real(6))
            $0.sort = [.init("duration", ascending: false)]
            $0.limit = 3
        }
        #expect(found == [ids[6], ids[5], ids[4]])
    }

    @Test func fetchByDateStepsTheCoveringIndex() throws {
        let plan = try FetchPlan(AssetFetchRequest())
        let details = try world.store.queryPlan(of: plan.sql, arguments: plan.allArguments)
        #expect(details == ["SEARCH asset USING COVERING INDEX asset_creationDate (isVisible=?)"])
    }

    /// The cost does not depend on the size of the library: unaffected rows are not read.
    @Test func whatWasTouchedIsLookedUpOneByOne() throws {
        var request = AssetFetchRequest()
        request.sort = [.init("creationDate", ascending: false)]
        #expect(
            try Self.steps(FetchPlan(request), in: world.store).prefix(2) == [
                "SCAN touched VIRTUAL TABLE INDEX 1:",
                "SEARCH asset USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        )
        request.scope = .album("album")
        let album = try Self.steps(FetchPlan(request), in: world.store)
        #expect(album.first == "SCAN touched VIRTUAL TABLE INDEX 1:")
        #expect(album.dropFirst().first?.hasSuffix("(assetId=? AND albumId=?)") == true)
    }

    private static func steps(_ plan: FetchPlan, in store: LibraryStore) throws -> [String] {
        try store.queryPlan(of: plan.matchingSQL, arguments: plan.matchingArguments([1]))
    }

    @Test func albumsAreReadInTheirOrder() throws {
        let plan = try FetchPlan(AssetFetchRequest(scope: .album("album")))
        let details = try world.store.queryPlan(of: plan.sql, arguments: plan.allArguments)
        #expect(
            details.contains {
                $0.hasPrefix("SEARCH member USING COVERING INDEX albumAsset_position (albumId=?")
            }
        )
        #expect(!details.contains { $0.contains("TEMP B-TREE") })
    }

    /// An order or a condition that has an index does not make a small album cost a scan.
    @Test func sortedAlbumsReadTheirMembersOnly() throws {
        for mediaType in [nil, MediaType.image] {
            var request = AssetFetchRequest(scope: .album("album"))
            request.sort = [.init("creationDate", ascending: false)]
            request.mediaType = mediaType
            let plan = try FetchPlan(request)
            let details = try world.store.queryPlan(of: plan.sql, arguments: plan.allArguments)
            #expect(details.first?.hasPrefix("SEARCH member ") == true)
            #expect(details.contains("SEARCH asset USING INTEGER PRIMARY KEY (rowid=?)"))
        }
    }

    @Test func answerFromMemoryHoldsUntilTheNextChange() throws {
        let first = try world.insert(LibraryWorld.record())
        #expect(try fetch() == first)
        let second = try world.insert(LibraryWorld.record())
        #expect(try fetch() == first + second)
    }

    // MARK: - Predicates

    @Test func missingValuesFollowPredicatesNotSQL() throws {
        var with = LibraryWorld.record()
        with.burstIdentifier = "B"
        with.representsBurst = true
        let without = LibraryWorld.record()
        let ids = try world.insert(with, without)
        let equal = comparison("burstIdentifier", .equal, .string("B"))
        #expect(try fetch { $0.predicate = equal } == [ids[0]])
        #expect(try fetch { $0.predicate = .not(equal) } == [ids[1]])
        #expect(
            try fetch { $0.predicate = comparison("burstIdentifier", .notEqual, .string("B")) }
                == [ids[1]]
        )
        #expect(
            try fetch { $0.predicate = comparison("burstIdentifier", .equal, .null) } == [ids[1]]
        )
        #expect(
            try fetch { $0.predicate = comparison("burstIdentifier", .notEqual, .null) } == [ids[0]]
        )
        #expect(try fetch { $0.predicate = comparison("location", .equal, .null) } == ids)
    }

    @Test(arguments: [
        ("CAFÉ", PredicateComparison.Operator.equal, true, true, true),
        ("cafe", .equal, true, true, true), ("cafe", .equal, true, false, false),
        ("caf", .beginsWith, true, false, true), ("caf", .beginsWith, false, false, false),
        ("É", .endsWith, false, false, true), ("e", .endsWith, true, true, true),
        ("", .endsWith, false, false, true), ("AF", .contains, false, false, true),
        ("%", .contains, false, false, false), ("C?F*", .like, false, false, true),
        ("c?f", .like, true, false, false), ("C[A-Z]F\\D", .matches, false, false, true),
        ("c.f\\D", .matches, true, false, true), ("C", .matches, false, false, false),
    ])
    func textOperators(
        _ text: String,
        _ operation: PredicateComparison.Operator,
        _ ignoresCase: Bool,
        _ ignoresDiacritics: Bool,
        _ matches: Bool
    ) throws {
        var record = LibraryWorld.record()
        record.caption = "CAFÉ"
        try world.insert(record, LibraryWorld.record())
        var options: PredicateComparison.Options = []
        if ignoresCase { options.insert(.caseInsensitive) }
        if ignoresDiacritics { options.insert(.diacriticInsensitive) }
        let predicate = comparison("caption", operation, .string(text), options)
        #expect(try fetch { $0.predicate = predicate }.count == (matches ? 1 : 0))
        #expect(try fetch { $0.predicate = .not(predicate) }.count == (matches ? 1 : 2))
    }

    @Test func nilOnBothSidesAndInListsCounts() throws {
        var same = LibraryWorld.record()
        same.title = "a"
        same.caption = "a"
        var other = LibraryWorld.record()
        other.title = "a"
        let ids = try world.insert(same, other, LibraryWorld.record())
        let title = PredicateTerm.key("title", position: nil)
        let caption = PredicateTerm.key("caption", position: nil)
        let equal = PredicateNode.comparison(PredicateComparison(title, .equal, caption))
        #expect(try fetch { $0.predicate = equal } == [ids[0], ids[2]])
        let unequal = PredicateNode.comparison(PredicateComparison(title, .notEqual, caption))
        #expect(try fetch { $0.predicate = unequal } == [ids[1]])
        let list = PredicateTerm.list([.value(.null), .value(.string("b"))])
        let inList = PredicateNode.comparison(PredicateComparison(caption, .in, list))
        #expect(try fetch { $0.predicate = inList } == [ids[1], ids[2]])
        #expect(try fetch { $0.predicate = .not(inList) } == [ids[0]])
    }

    @Test func wideConditionsAreAnsweredAndEndlessOnesRefused() throws {
        let ids = try world.insert(LibraryWorld.record())
        let parts = (0..<5_000).map { comparison("pixelWidth", .equal, .integer($0)) }
        #expect(try fetch { $0.predicate = .or(parts) } == ids)
        #expect(try fetch { $0.predicate = .and(parts) } == [])
        var deep = PredicateNode.constant(true)
        for _ in 0..<10_000 { deep = .not(deep) }
        #expect(throws: LibraryError.self) { try fetch { $0.predicate = deep } }
        let many = (0..<40_000).map { comparison("pixelWidth", .equal, .integer($0)) }
        #expect(throws: LibraryError.self) { try fetch { $0.predicate = .or(many) } }
    }

    @Test func keywordsAreAskedByMember() throws {
        var record = LibraryWorld.record()
        record.keywords = ["Sea", "Sun, sand"]
        let ids = try world.insert(record, LibraryWorld.record())
        #expect(
            try fetch { $0.predicate = comparison("keywords", .contains, .string("Sea")) } == [
                ids[0]
            ]
        )
        #expect(try fetch { $0.predicate = comparison("keywords", .contains, .string("S")) } == [])
        let folded = comparison("keywords", .contains, .string("sea"), .caseInsensitive)
        #expect(try fetch { $0.predicate = folded } == [ids[0]])
    }

    @Test func longListsTakeOneArgument() throws {
        let records = (0..<3).map { _ in LibraryWorld.record() }
        let ids = try world.insert(records)
        let names =
            (0..<50_000).map { _ in UUID().uuidString + "/L0/001" }
            + records.map(\.localIdentifier)
        let list = PredicateTerm.list(names.map { .value(.string($0)) })
        let predicate = PredicateComparison(.key("localIdentifier", position: 0), .in, list)
        #expect(try fetch { $0.predicate = .comparison(predicate) } == ids)
    }

    @Test func objectsAreComparedByIdentifier() throws {
        let records = [LibraryWorld.record(), LibraryWorld.record()]
        let ids = try world.insert(records)
        let object = PredicateTerm.value(.object(records[1].localIdentifier))
        let equal = PredicateComparison(.selfObject, .equal, object)
        #expect(try fetch { $0.predicate = .comparison(equal) } == [ids[1]])
        let inList = PredicateComparison(.selfObject, .in, .list([object]))
        #expect(try fetch { $0.predicate = .not(.comparison(inList)) } == [ids[0]])
    }

    @Test func unknownKeysAndKindsAreNamed() throws {
        func error(_ node: PredicateNode) -> LibraryError? {
            do {
                _ = try fetch { $0.predicate = node }
                return nil
            } catch { return error as? LibraryError }
        }
        let unknown = PredicateComparison(.key("colour", position: 7), .equal, .value(.null))
        let named = try #require(error(.comparison(unknown)))
        #expect(named.code == .unsupportedPredicate)
        #expect(named.message.contains("\"colour\" at position 7"))
        let mixed = error(comparison("creationDate", .greater, .string("2020")))
        #expect(mixed?.message.contains("\"creationDate\"") == true)
        #expect(error(comparison("location", .equal, .string("Rome"))) != nil)
        #expect(
            error(comparison("caption", .matches, .string("[")))?.reasonOrMessage.contains("[")
                == true
        )
        #expect(throws: LibraryError.self) {
            try fetch { $0.sort = [.init("Nope", ascending: true)] }
        }
        // Keys are case-sensitive (predicate-keys.md §3).
        #expect(error(comparison("MediaType", .equal, .integer(1))) != nil)
    }

    @Test func valuesNeverBecomePartOfTheStatement() throws {
        let hostile = "' OR 1=1; DROP TABLE asset; --"
        try world.insert(LibraryWorld.record())
        #expect(try fetch { $0.predicate = comparison("caption", .equal, .string(hostile)) } == [])
        #expect(try fetch { $0.scope = .identifiers([hostile]) } == [])
        #expect(try fetch { $0.scope = .burst(hostile) } == [])
        #expect(try fetch().count == 1)
    }

    // MARK: - Loading

    @Test func recordsComeInTheOrderAskedFor() throws {
        let ids = try world.insert((0..<4).map { _ in LibraryWorld.record() })
        let order = RowIDBuffer([ids[3], 999, ids[0], ids[3]])
        let reply = try fetcher.load(AssetLoadRequest(ids: order))
        #expect(reply.assets.map(\.id) == [ids[3], ids[0], ids[3]])
        #expect(reply.version == 1)
    }

    @Test func whatWasPurgedIsLoadedAsItWasWhereThatIsWanted() throws {
        let ids = try world.insert((0..<3).map { _ in LibraryWorld.record() })
        var request = AssetLoadRequest(ids: RowIDBuffer(ids))
        let before = try fetcher.load(request).assets
        try world.store.write(author: "test") { transaction in
            try transaction.deleteAsset(id: ids[0])
            try transaction.deleteAsset(id: ids[2])
        }
        #expect(try fetcher.load(request).assets == [before[1]])
        request.since = 1
        #expect(try fetcher.load(request).assets == before)
        try world.store.write(author: "test") { transaction in
            try transaction.database.execute(
                sql: "DELETE FROM journalEntry WHERE objectId = ?",
                arguments: [ids[2]]
            )
        }
        #expect(try fetcher.load(request).assets.map(\.uuid) == before.map(\.uuid))
    }

    @Test(arguments: [10, 5_000])
    func mediaTypesAreCounted(count: Int) throws {
        let ids = try world.insert(
            (0..<count).map { index in
                var record = LibraryWorld.record()
                record.mediaType = index % 5 == 0 ? .video : .image
                return record
            }
        )
        let reply = try fetcher.count(AssetCountRequest(ids: RowIDBuffer(ids + [999_999])))
        #expect(reply.counts == [.video: count / 5, .image: count - count / 5])
    }

    // MARK: - Damage

    /// An unreadable page of the database does not reduce a count.
    @Test(arguments: [false, true]) func damagedPageIsNoSmallerNumber(isLimited: Bool) throws {
        let records = (0..<200).map { LibraryWorld.record("IMG_\($0).JPG") }
        let ids = try world.insert(records)
        let access = isLimited ? LibraryAccess.limited(Set(records.map(\.uuid))) : .full
        try world.store.close()
        try Self.damageLastPage(ofTable: "asset", in: world.store.bundle.database)
        let store = try LibraryStore.open(at: world.path)
        let view = LibraryView(store: store)
        view.access.set(access)
        let fetcher = AssetFetcher(view)
        #expect(throws: DatabaseError.self) {
            try fetcher.count(AssetCountRequest(ids: RowIDBuffer(ids)))
        }
        #expect(throws: DatabaseError.self) {
            try fetcher.days(CaptureDaysRequest(ids: RowIDBuffer(ids)))
        }
    }

    private static func damageLastPage(ofTable table: String, in path: String) throws {
        let queue = try DatabaseQueue(path: path)
        let (page, size) = try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            let sql = "SELECT max(pageno) FROM dbstat WHERE name = ? AND pagetype = 'leaf'"
            return (
                try #require(try Int.fetchOne(database, sql: sql, arguments: [table])),
                try #require(try Int.fetchOne(database, sql: "PRAGMA page_size"))
            )
        }
        try queue.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: size))
        try file.close()
    }
}

extension LibraryError {
    fileprivate var reasonOrMessage: String { message + (reason ?? "") }
}
