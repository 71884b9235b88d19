import LibraryService
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct CollectionCodingTests {
    static let scopes: [CollectionFetchRequest.Scope] = [
        .library, .identifiers(["a/L0/040", ""]), .children(folder: CollectionRecord.rootUUID),
        .containing(asset: "a"), .parents(collection: "b"), .rowIDs(RowIDBuffer([2, 1])),
        .smartAlbums(nil), .smartAlbums([]), .smartAlbums([203, 200]), .listed([]),
        .listed([SeamValues.collection, .root]),
        .moments(.init([.moment])), .moments(.init([.cluster, .year], .inList("c"))),
        .moments(.init([.year], .holding("d"))), .moments(.init([], .ofAsset("e"))),
    ]

    @Test(arguments: scopes)
    func requestKeepsItsScope(_ scope: CollectionFetchRequest.Scope) throws {
        // Add later scopes to the list above.
        switch scope {
        case .library, .identifiers, .children, .containing, .parents, .rowIDs, .smartAlbums,
            .listed, .moments:
            break
        }
        try expectRoundTrip(CollectionFetchRequest(scope: scope))
        var full = CollectionFetchRequest(scope: scope, kind: .folder)
        full.predicate = .constant(false)
        full.sort = [AssetFetchRequest.SortKey("localizedTitle", ascending: true)]
        full.limit = 3
        try expectRoundTrip(full)
        try expectRoundTrip(AdvanceRequest.Query.collections(full))
    }

    @Test func momentScopesComeBack() throws {
        typealias Relation = CollectionFetchRequest.MomentScope.Relation
        for relation: Relation in [.all, .inList("c"), .holding("d"), .ofAsset("e")] {
            try expectRoundTrip(CollectionFetchRequest.MomentScope([.moment], relation))
        }
    }

    @Test func recordsComeBack() throws {
        try expectRoundTrip(CollectionRecord.root)
        try expectRoundTrip(SeamValues.collection)
        try expectRoundTrip(
            CollectionLoadReply(version: .max, collections: [SeamValues.collection])
        )
        try expectRoundTrip(CollectionLoadRequest(ids: RowIDBuffer([0]), pin: .min))
        try expectRoundTrip(CollectionLoadRequest(ids: RowIDBuffer()))
        try expectRoundTrip(CollectionLoadRequest(ids: RowIDBuffer([4]), includesFormer: true))
        try expectRoundTrip(
            CollectionFetchReply(
                snapshot: LibrarySnapshot(version: 3, epoch: 1, firstRecentDay: 9_000),
                ids: RowIDBuffer([9])
            )
        )
    }
}

@Suite(.timeLimit(.minutes(2))) struct DuplicateCodingTests {
    @Test func requestsAndRepliesComeBack() throws {
        try expectRoundTrip(DuplicatesRequest(patience: 0.5, ticket: CallTicket()))
        try expectRoundTrip(DuplicatesReply(remaining: 3, groups: []))
        try expectRoundTrip(
            DuplicatesReply(remaining: 0, groups: [RowIDBuffer([2, 1]), RowIDBuffer([7, .max])])
        )
    }
}
