import LibraryService
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct FetchCodingTests {
    static let scopes: [AssetFetchRequest.Scope] = [
        .library, .identifiers(["a/L0/001", ""]), .identifiers([]), .burst("burst"),
        .rowIDs(RowIDBuffer([1, .max])), .recentlyDeleted, .album("album"), .moment("moment"),
    ]

    @Test(arguments: scopes) func requestKeepsItsScope(_ scope: AssetFetchRequest.Scope) throws {
        // Add later scopes to the list above.
        switch scope {
        case .library, .identifiers, .burst, .rowIDs, .recentlyDeleted, .album,
            .moment:
            break
        }
        try expectRoundTrip(AssetFetchRequest(scope: scope))
    }

    @Test func requestKeepsEverything() throws {
        var request = AssetFetchRequest(scope: .library)
        request.mediaType = .image
        request.predicate = .constant(true)
        request.sort = [
            AssetFetchRequest.SortKey("creationDate", ascending: false),
            AssetFetchRequest.SortKey("duration", ascending: true),
        ]
        request.limit = 12
        request.includesHidden = true
        request.includesAllBurstMembers = true
        request.sourceTypes = [.userLibrary, .computerSynced]
        try expectRoundTrip(request)
    }

    @Test func repliesAndTheOtherRequestsComeBack() throws {
        try expectRoundTrip(
            AssetFetchReply(
                snapshot: LibrarySnapshot(version: .max, epoch: 3),
                ids: RowIDBuffer([3, 1, 2])
            )
        )
        try expectRoundTrip(AssetLoadRequest(ids: RowIDBuffer([3, 1, 2])))
        try expectRoundTrip(AssetLoadRequest(ids: RowIDBuffer([3]), pin: 7, since: 5))
        try expectRoundTrip(AssetCountRequest(ids: RowIDBuffer(), since: 5))
    }

    @Test func statusComesBack() throws {
        try expectRoundTrip(LibraryStatus(path: "/a/b", version: 4, readOnlyReason: nil))
        let stamp = HistoryStamp(SeamValues.date)
        try expectRoundTrip(
            LibraryStatus(path: "/a", version: 4, stamp: stamp, readOnlyReason: nil)
        )
        try expectRoundTrip(LibraryStatus(path: "/", version: 0, readOnlyReason: "Read-only."))
    }
}
