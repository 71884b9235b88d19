import FoundationEssentials
import LibraryService
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct AssetCodingTests {
    @Test func recordKeepsEveryProperty() throws {
        try expectRoundTrip(SeamValues.asset)
        try expectRoundTrip(SeamValues.bareAsset)
        try expectRoundTrip(AssetLoadReply(version: 9, assets: [SeamValues.asset]))
        try expectRoundTrip(AssetLoadReply(version: 0, assets: []))
    }

    @Test(arguments: MediaType.allCases, PlaybackStyle.allCases)
    func recordKeepsItsMedium(_ mediaType: MediaType, _ style: PlaybackStyle) throws {
        var asset = SeamValues.bareAsset
        asset.mediaType = mediaType
        asset.playbackStyle = style
        try expectRoundTrip(asset)
    }

    @Test(arguments: CaptureTime.Source.allCases)
    func captureTimeKeepsItsSources(_ source: CaptureTime.Source) throws {
        try expectRoundTrip(SeamValues.captureTime(source, .user))
        try expectRoundTrip(SeamValues.captureTime(.user, source))
        var unknown = SeamValues.captureTime(source, source)
        unknown.offset = nil
        try expectRoundTrip(unknown)
    }

    @Test(arguments: 0..<64)
    func optionSetsKeepBitsWithoutAName(_ bit: UInt) throws {
        var asset = SeamValues.bareAsset
        asset.mediaSubtypes = MediaSubtypes(rawValue: 1 << bit)
        asset.sourceType = SourceTypes(rawValue: 1 << bit)
        asset.burstSelectionTypes = BurstSelectionTypes(rawValue: 1 << bit)
        let json = try Self.json(asset)
        #expect(json.contains("\(UInt(1) << bit)"))
        try expectRoundTrip(asset)
    }

    private static func json(_ asset: AssetRecord) throws -> String {
        String(decoding: try JSONEncoder().encode(asset), as: UTF8.self)
    }

    @Test(arguments: Orientation.allCases)
    func orientationsKeepTheirNumbers(_ orientation: Orientation) throws {
        try expectRoundTrip(orientation)
    }

    @Test(arguments: ObjectKind.allCases)
    func identifiersKeepTheirKind(_ kind: ObjectKind) throws {
        try expectRoundTrip(LocalIdentifier(new: kind))
    }

    @Test func locationsKeepAnUnknownAltitude() throws {
        try expectRoundTrip(Location(latitude: 0, longitude: -180))
    }

    @Test func countsKeepTheirTypes() throws {
        var counts: [MediaType: Int] = [:]
        for type in MediaType.allCases { counts[type] = type.rawValue + 1 }
        try expectRoundTrip(AssetCountReply(counts: counts))
        try expectRoundTrip(AssetCountReply(counts: [:]))
    }
}
