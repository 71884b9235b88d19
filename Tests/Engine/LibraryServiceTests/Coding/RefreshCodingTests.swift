import FoundationEssentials
import LibraryService
import PhotoModel
import Testing

/// Reading originals again.
@Suite(.timeLimit(.minutes(2))) struct RefreshCodingTests {
    @Test func requestsKeepTheirAssets() throws {
        try expectRoundTrip(RefreshRequest())
        try expectRoundTrip(RefreshRequest(uuids: ["a", ""], cursor: .max, isDryRun: true))
        try expectRoundTrip(ReaderStatusReply(earlierAssets: .max, readerVersion: 3))
    }

    @Test func keptMetadataIsWhole() throws {
        try expectRoundTrip(KeptMetadataRequest(assetUUID: "a"))
        var kept = KeptMetadata()
        (kept.label, kept.people, kept.placeNames) = ("Red", ["Ädä"], ["a", "b"])
        kept.regionImageSize = PixelSize(width: 3, height: 2)
        kept.keywordPaths = [["a", "b"], []]
        kept.place.city = "Rome"
        kept.regions = [ImageRegion(name: nil, type: "Face", x: 0.1, y: 1)]
        kept.regions[0].diameter = 0.25
        let date = Date(timeIntervalSinceReferenceDate: 0.5)
        let reply = KeptMetadataReply(metadata: kept, metadataDate: date, unreadable: ["b.xmp"])
        try expectRoundTrip(reply)
        try expectRoundTrip(KeptMetadataReply())
    }

    @Test(arguments: RefreshOutcome.Kind.allCases)
    func outcomesKeepTheirChanges(_ kind: RefreshOutcome.Kind) throws {
        let values: [RefreshValue] = [
            .text("Ünïcode 👩‍👩‍👧"), .number(-0.1), .date(Date(timeIntervalSinceReferenceDate: 0.5)),
            .location(Location(latitude: 1, longitude: -180)), .texts([]), .texts(["a", "b"]),
        ]
        let outcome = RefreshOutcome(
            kind,
            localIdentifier: "a/L0/001",
            filename: "IMG.JPG",
            reason: "Why",
            changes: values.map { RefreshChange("caption", $0, nil) }
                + values.map { RefreshChange("caption", nil, $0) }
        )
        try expectRoundTrip(RefreshReply(outcomes: [outcome], next: 7))
        try expectRoundTrip(RefreshReply(outcomes: []))
        try expectRoundTrip(RefreshOutcome(kind, localIdentifier: ""))
    }
}
