import LibraryService
import PhotoModel
import Testing

/// What a fetch can say of itself before it is made.
@Suite(.timeLimit(.minutes(1))) struct FetchRequestTests {
    private static let uuid = "8D7B2D3A-6E0A-4B8C-9C1E-2F3A4B5C6D7E"

    /// The result of Recently Added depends on the present day, and that of no other album.
    @Test(arguments: SmartAlbum.allCases)
    func smartAlbumsAreRecognized(_ album: SmartAlbum) {
        let request = AssetFetchRequest(scope: .album(album.uuid))
        #expect(request.smartAlbum == album)
        #expect(request.dependsOnClock == (album == .recentlyAdded))
        let identifier = LocalIdentifier(uuid: album.uuid, kind: .album).description
        for scope in [
            CollectionFetchRequest.Scope.identifiers([identifier]),
            .rowIDs(RowIDBuffer([album.rowID])), .smartAlbums([album.rawValue]),
        ] {
            let collections = CollectionFetchRequest(scope: scope)
            #expect(collections.smartAlbums == [album])
            #expect(collections.dependsOnClock == (album == .recentlyAdded))
            #expect(!collections.findsMoments)
        }
    }

    @Test(arguments: [
        AssetFetchRequest.Scope.library, .album(uuid), .identifiers([SmartAlbum.videos.uuid]),
        .recentlyDeleted, .burst("b"), .moment("m"), .rowIDs(RowIDBuffer([1])),
    ])
    func otherScopesHaveNoSmartAlbum(_ scope: AssetFetchRequest.Scope) {
        let request = AssetFetchRequest(scope: scope)
        #expect(request.smartAlbum == nil && !request.dependsOnClock)
    }

    @Test func collectionsWithoutSmartAlbumsHaveNone() {
        for scope in [
            CollectionFetchRequest.Scope.library, .children(folder: Self.uuid), .listed([]),
            .containing(asset: Self.uuid), .parents(collection: Self.uuid),
            .moments(.init([.year])), .smartAlbums([]), .smartAlbums([1]),
            .identifiers([Self.uuid + "/L0/040", "no identifier"]), .rowIDs(RowIDBuffer([5])),
        ] {
            let request = CollectionFetchRequest(scope: scope)
            #expect(request.smartAlbums == [] && !request.dependsOnClock, "\(scope)")
        }
        // The identifier of a smart album names it only as an album.
        let asset = LocalIdentifier(uuid: SmartAlbum.videos.uuid, kind: .asset).description
        #expect(CollectionFetchRequest(scope: .identifiers([asset])).smartAlbums == [])
    }

    @Test func smartAlbumsAreInTheirOrder() {
        #expect(CollectionFetchRequest(scope: .smartAlbums(nil)).smartAlbums == SmartAlbum.allCases)
        let some = [SmartAlbum.videos, .userLibrary].map(\.rawValue)
        let request = CollectionFetchRequest(scope: .smartAlbums(some))
        #expect(request.smartAlbums == [.userLibrary, .videos])
    }

    @Test func momentsAreRecognized() {
        let found: [CollectionFetchRequest.Scope] = [
            .moments(.init([.moment])), .identifiers(["x", Self.uuid + "/L0/060"]),
            .identifiers([Self.uuid + "/L0/080"]),
            .rowIDs(RowIDBuffer([1, MomentLevel.rowID(of: 4)])),
        ]
        for scope in found {
            #expect(CollectionFetchRequest(scope: scope).findsMoments, "\(scope)")
        }
        let others: [CollectionFetchRequest.Scope] = [
            .library, .children(folder: "f"), .containing(asset: "a"), .parents(collection: "c"),
            .smartAlbums(nil), .listed([]), .identifiers([Self.uuid, Self.uuid + "/L0/040"]),
            .rowIDs(RowIDBuffer([1, SmartAlbum.videos.rowID])),
        ]
        for scope in others {
            #expect(!CollectionFetchRequest(scope: scope).findsMoments, "\(scope)")
        }
    }

    @Test func aQueryKnowsOfItsPredicate() {
        var assets = AssetFetchRequest()
        var collections = CollectionFetchRequest(scope: .library)
        #expect(!AdvanceRequest.Query.assets(assets).hasPredicate)
        #expect(!AdvanceRequest.Query.collections(collections).hasPredicate)
        assets.predicate = .constant(true)
        collections.predicate = .constant(true)
        #expect(AdvanceRequest.Query.assets(assets).hasPredicate)
        #expect(AdvanceRequest.Query.collections(collections).hasPredicate)
    }
}
