import LibraryService
import PhotoModel
import Testing

@Suite struct CollectionCodingTests {
    static let scopes: [CollectionFetchRequest.Scope] = [
        .library, .identifiers(["a/L0/040", ""]), .children(folder: CollectionRecord.rootUUID),
        .containing(asset: "a"), .parents(collection: "b"), .rowIDs(RowIDBuffer([2, 1])),
    ]

    @Test(arguments: scopes)
    func requestKeepsItsScope(_ scope: CollectionFetchRequest.Scope) throws {
        // A scope that is added later has to be added to the list above.
        switch scope {
        case .library, .identifiers, .children, .containing, .parents, .rowIDs: break
        }
        try expectRoundTrip(CollectionFetchRequest(scope: scope))
        var full = CollectionFetchRequest(scope: scope, kind: .folder)
        full.predicate = .constant(false)
        full.sort = [AssetFetchRequest.SortKey("localizedTitle", ascending: true)]
        full.limit = 3
        try expectRoundTrip(full)
        try expectRoundTrip(AdvanceRequest.Query.collections(full))
    }

    @Test func recordsComeBack() throws {
        try expectRoundTrip(CollectionRecord.root)
        try expectRoundTrip(SeamValues.collection)
        try expectRoundTrip(
            CollectionLoadReply(version: .max, collections: [SeamValues.collection])
        )
        try expectRoundTrip(CollectionLoadRequest(ids: RowIDBuffer([0]), pin: .min))
        try expectRoundTrip(CollectionLoadRequest(ids: RowIDBuffer()))
        try expectRoundTrip(
            CollectionFetchReply(
                snapshot: LibrarySnapshot(version: 3, epoch: 1),
                ids: RowIDBuffer([9])
            )
        )
    }
}
