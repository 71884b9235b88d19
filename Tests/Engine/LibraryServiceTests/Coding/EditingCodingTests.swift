import FoundationEssentials
import LibraryService
import PhotoModel
import Testing

/// Requests and replies about edits, and about the days of assets.
@Suite(.timeLimit(.minutes(2))) struct EditingCodingTests {
    static let adjustments = ContentAdjustments(
        formatIdentifier: "org.example.editor",
        formatVersion: "1.0",
        data: Data([0, 255, 7])
    )

    @Test func adjustmentsComeBack() throws {
        try expectRoundTrip(AdjustmentsRequest(assetUUID: "8D7B"))
        try expectRoundTrip(AdjustmentsReply(adjustments: Self.adjustments))
        try expectRoundTrip(AdjustmentsReply(adjustments: nil))
    }

    @Test func searchFacetsComeBack() throws {
        try expectRoundTrip(SearchFacetsRequest(limit: 9))
        let reply = SearchFacetsReply(
            cameras: [.init(make: nil, model: "X \"1\"", count: 2)],
            places: [
                SearchFacetsReply.Place(
                    city: "München",
                    region: nil,
                    countryCode: "DE",
                    country: "Deutschland",
                    count: 3
                )
            ]
        )
        try expectRoundTrip(reply)
        try expectRoundTrip(reply.cameras)
        try expectRoundTrip(reply.places)
    }

    @Test func daysComeBack() throws {
        try expectRoundTrip(CaptureDaysRequest(ids: RowIDBuffer([3, 1, .max])))
        var reply = CaptureDaysReply(runs: [])
        for day: Int32? in [19_000, 19_000, nil, nil, -5, 19_000] { reply.append(day) }
        typealias Run = CaptureDaysReply.Run
        #expect(
            reply.runs == [
                Run(day: 19_000, count: 2), Run(day: nil, count: 2), Run(day: -5, count: 1),
                Run(day: 19_000, count: 1),
            ]
        )
        try expectRoundTrip(reply)
    }
}
