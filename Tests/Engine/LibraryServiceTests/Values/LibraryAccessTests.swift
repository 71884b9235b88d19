import LibraryService
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct LibraryAccessTests {
    /// For each access, whether the asset A, the hidden asset A and the asset B may be seen, and
    /// albums.
    @Test(arguments: [
        (LibraryAccess.full, [true, true, true, true]),
        (.unhidden, [true, false, true, true]),
        (.none, [false, false, false, false]),
        (LibraryAccess(.none, includesHidden: true), [false, false, false, false]),
        (.limited(["A"]), [true, true, false, false]),
        (LibraryAccess(.some(["A"]), includesHidden: false), [true, false, false, false]),
        (.limited([]), [false, false, false, false]),
    ])
    func everyAccessHasItsPart(_ access: LibraryAccess, _ expected: [Bool]) {
        let found = [
            access.permits(asset: "A", isHidden: false), access.permits(asset: "A", isHidden: true),
            access.permits(asset: "B", isHidden: false), access.permitsCollections,
        ]
        #expect(found == expected)
        // An empty selection may grow, which access to nothing does not.
        #expect(access.isNone == (access.assets == .none))
    }

    private static let refusal = LibraryError(.accessDenied, "No.")

    @Test func aSessionWithoutHiddenAssetsRefusesThem() {
        let grant = ClientGrant.everything.withoutHidden
        #expect(grant.access == .unhidden && grant.mayCreate)
        #expect(grant.refusal?.code == .accessDenied)
        #expect(grant.hiddenRefusal == grant.refusal && grant.refusal?.recovery != nil)
        #expect(ClientGrant.everything.refusal == nil)
        #expect(ClientGrant.everything.hiddenRefusal == nil)
    }

    /// The reasons that a client had already remain.
    @Test func aSessionKeepsTheRefusalsOfItsClient() {
        let other = LibraryError(.accessDenied, "Nothing hidden.")
        let grant = ClientGrant(
            access: .limited(["A"]),
            mayCreate: false,
            refusal: Self.refusal,
            hiddenRefusal: other
        ).withoutHidden
        #expect(grant.access == LibraryAccess(.some(["A"]), includesHidden: false))
        #expect(!grant.mayCreate)
        #expect(grant.refusal == Self.refusal && grant.hiddenRefusal == other)
    }
}
