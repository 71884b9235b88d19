import LibraryService
import PhotoModel
import Testing

/// History, pins, and the steps from one result to another.
@Suite(.timeLimit(.minutes(2))) struct ObservingCodingTests {
    private static let snapshot = LibrarySnapshot(version: .max, epoch: 7)

    @Test(arguments: HistoryChange.Kind.allCases)
    func changesComeBack(_ kind: HistoryChange.Kind) throws {
        try expectRoundTrip(
            HistoryChange(
                object: .album,
                uuid: "a",
                kind: kind,
                contentChanged: true,
                properties: ["members", "title"]
            )
        )
    }

    @Test func historyComesBack() throws {
        try expectRoundTrip(HistoryRequest(since: .max, limit: 1))
        let stamp = HistoryStamp(SeamValues.date)
        try expectRoundTrip(HistoryRequest(since: 7, stamp: stamp, limit: 1))
        try expectRoundTrip(HistoryReply(versions: [SeamValues.historyVersion], current: .max))
        try expectRoundTrip(HistoryReply(versions: [], current: 7, stamp: stamp))
        var undoing = SeamValues.historyVersion
        undoing.undoes = 3
        try expectRoundTrip(undoing)
        try expectRoundTrip(HistoryHorizonRequest())
        try expectRoundTrip(HistoryHorizonRequest(days: 30))
        try expectRoundTrip(HistoryHorizonReply(days: 30, start: 12))
    }

    @Test func pinsComeBack() throws {
        try expectRoundTrip(PinReply(pin: .max, snapshot: Self.snapshot))
        try expectRoundTrip(UnpinRequest(pin: 1))
        try expectRoundTrip(TouchedRequest(since: 1, through: .max))
        try expectRoundTrip(
            TouchedReply(assets: RowIDBuffer([1, 2]), collections: RowIDBuffer())
        )
    }

    @Test func advancesComeBack() throws {
        let ids = RowIDBuffer([3, 1, 2])
        for query in [
            AdvanceRequest.Query.assets(AssetFetchRequest(scope: .album("a"))),
            .collections(CollectionFetchRequest(scope: .library)),
        ] {
            try expectRoundTrip(
                AdvanceRequest(query: query, ids: ids, snapshot: Self.snapshot, pin: 4)
            )
            try expectRoundTrip(
                AdvanceRequest(query: query, ids: ids, snapshot: Self.snapshot, wantsSteps: false)
            )
        }
        let steps = ListSteps(
            removed: [0, 4],
            inserted: [2],
            changed: [1, 3],
            moves: [ListSteps.Move(from: 5, to: 0)]
        )
        for outcome in [
            AdvanceReply.Outcome.unchanged, .steps(ids, steps), .steps(RowIDBuffer(), ListSteps()),
            .reload(ids),
        ] {
            try expectRoundTrip(AdvanceReply(snapshot: Self.snapshot, outcome: outcome))
        }
    }

    @Test func namedAdvancesComeBack() throws {
        let request = AdvanceRequest(
            query: .assets(AssetFetchRequest(scope: .album("a"))),
            ids: RowIDBuffer([3, 1, 2]),
            snapshot: Self.snapshot,
            pin: 4,
            wantsSteps: false
        )
        try expectRoundTrip(HeldAdvanceRequest(request))
        #expect(HeldAdvanceRequest(request).holding(request.ids) == request)
        let steps = ListSteps(removed: [0], inserted: [2], changed: [1])
        let patch = ListPatch(removed: [0], places: [2], ids: RowIDBuffer([9]))
        for reply in [
            HeldAdvanceReply.unknown, .patch(Self.snapshot, patch, steps),
            .whole(AdvanceReply(snapshot: Self.snapshot, outcome: .unchanged)),
        ] {
            try expectRoundTrip(reply)
        }
    }

    @Test func objectChangesComeBack() throws {
        try expectRoundTrip(ObjectChangesRequest(kind: .asset, ids: RowIDBuffer([1]), since: 3))
        try expectRoundTrip(
            ObjectChangesRequest(kind: .album, ids: RowIDBuffer([0]), since: 3, pin: 9)
        )
        try expectRoundTrip(
            ObjectChangesReply(
                version: 5,
                outcomes: [
                    .unchanged, .asset(SeamValues.asset, contentChanged: true),
                    .collection(SeamValues.collection), .deleted,
                ]
            )
        )
    }

    @Test func access() throws {
        for access in [LibraryAccess.full, .unhidden, .none, .limited(["A", "B"])] {
            try expectRoundTrip(access)
        }
        let hidden = LibraryAccess(.some(["A"]), includesHidden: false)
        #expect(LibraryAccess.limited(["A"]).permits(asset: "A", isHidden: true))
        #expect(!LibraryAccess.limited(["A"]).permits(asset: "B", isHidden: false))
        #expect(hidden.permits(asset: "A", isHidden: false))
        #expect(!hidden.permits(asset: "A", isHidden: true))
        #expect(!LibraryAccess.unhidden.permits(asset: "A", isHidden: true))
        #expect(LibraryAccess.unhidden.permitsCollections)
        #expect(!LibraryAccess.limited(["A"]).permitsCollections)
    }
}
