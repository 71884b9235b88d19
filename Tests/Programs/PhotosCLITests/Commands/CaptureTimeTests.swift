import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// The capture time that the command reports for imported photos.
@Suite(.timeLimit(.minutes(1))) struct CaptureTimeTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    private func captureTime(
        _ metadata: SampleMetadata,
        sidecar: String? = nil,
        variables: [String: String?] = [:]
    ) throws -> [String: Any] {
        let file = try world.photo("IMG_0001.JPG", metadata: metadata)
        var paths = [file.path]
        if let sidecar {
            paths.append(try world.folder.write(Data(sidecar.utf8), to: "source/IMG_0001.xmp").path)
        }
        let imported = try world.run(["import", "--json"] + paths, variables: variables)
        #expect(imported.status == 0, "\(imported.errorText)")
        let identifier = try #require(
            try imported.lines.map(JSONLine.init).first?["localIdentifier"]
        )
        let shown = try #require(try world.objects("show", identifier, "--json").first)
        if sidecar != nil { #expect(shown.values["location"] is [String: Any]) }
        return try #require(shown.values["captureTime"] as? [String: Any])
    }

    @Test(
        "An IPTC time without a zone, or with a program's zero, gives no offset",
        arguments: ["121314", "121314+0000"]
    )
    func iptcGivesNoOffset(time: String) throws {
        var metadata = SampleMetadata(date: SampleDate(text: "2023:07:15 12:13:14"))
        metadata.iptcDay = "20230715"
        metadata.iptcTime = time
        let capture = try captureTime(metadata)
        #expect(capture["wallTime"] as? String == "2023-07-15T12:13:14")
        #expect(capture["utcOffset"] as? Int == nil)
        #expect(capture["dateSource"] as? String == "machineTimeZone")
    }

    /// Kathmandu, UTC+05:45 since 1986.
    private static let place = Location(latitude: 27.7172, longitude: 85.324)

    private func photo(place: Location? = Self.place) -> SampleMetadata {
        SampleMetadata(
            date: SampleDate(text: "2023:07:15 12:30:45"),
            location: place,
            make: "Seagull",
            model: "Seagull Model 1"
        )
    }

    @Test("A camera's place gives the offset; the wall time stays")
    func placeGivesOffset() throws {
        let capture = try captureTime(photo())
        #expect(capture["wallTime"] as? String == "2023-07-15T12:30:45")
        #expect(capture["utcOffset"] as? Int == 20_700)
        #expect(capture["date"] as? String == "2023-07-15T06:45:45Z")
        #expect(capture["wallTimeSource"] as? String == "exifOriginal")
        #expect(capture["dateSource"] as? String == "place")
    }

    @Test("A place that is not the camera's, or whose clocks are uncertain, gives none")
    func otherPlacesGiveNoOffset() throws {
        var nameless = photo()
        nameless.model = nil
        // The high seas, a bridge between two countries, and the hour that is skipped.
        let sea = photo(place: Location(latitude: 0, longitude: 0))
        var border = photo(place: Location(latitude: 36.0161, longitude: -114.7377))
        border.date = SampleDate(text: "2023:01:15 12:30:45")
        var skipped = photo(place: Location(latitude: 40.7128, longitude: -74.006))
        skipped.date = SampleDate(text: "2023:03:12 02:30:00")
        for metadata in [nameless, sea, border, skipped] {
            let world = try Self()
            let capture = try world.captureTime(metadata)
            #expect(capture["utcOffset"] as? Int == nil, "\(metadata)")
            #expect(capture["dateSource"] as? String == "machineTimeZone", "\(metadata)")
        }
    }

    @Test("A sidecar's place gives none")
    func sidecarGivesNoOffset() throws {
        let sidecar = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
            exif:GPSLatitude="27,43.032N" exif:GPSLongitude="85,19.44E"/>
            </rdf:RDF></x:xmpmeta>
            """
        let capture = try captureTime(photo(place: nil), sidecar: sidecar)
        #expect(capture["utcOffset"] as? Int == nil)
        #expect(capture["dateSource"] as? String == "machineTimeZone")
    }

    @Test(
        "Without its data the command imports as before",
        arguments: ["/nonexistent", "/dev/null"]
    )
    func worksWithoutData(path: String) throws {
        let capture = try captureTime(photo(), variables: ["PHOTOS_TIME_ZONES": path])
        #expect(capture["utcOffset"] as? Int == nil)
        #expect(capture["wallTime"] as? String == "2023-07-15T12:30:45")
    }

    @Test("Offsets of real files come from the tag, the satellites or the place", .needsSharedData)
    func realFiles() throws {
        let expected: [(file: String, offset: Int?, source: String)] = [
            ("timezone/tz-position-only-no-offset.jpg", 20_700, "place"),
            // Its IPTC time says +0000.
            ("gps/with-location.jpg", -28_800, "place"),
            ("gps/DSCN0010.jpg", 7_200, "place"),
            ("gps/gps-north-east.jpg", 7_200, "place"),
            ("gps/gps-south-west-below-sea.jpg", -14_400, "place"),
            ("gps/gps-antimeridian-east.jpg", 43_200, "place"),
            ("gps/gps-antimeridian-west.jpg", 43_200, "place"),
            ("timezone/sydney_opera_house_no_tsoffset_but_gps_utc.jpg", 36_000, "place"),
            ("timezone/big_ben_no_tsoffset_but_gps_utc.jpg", 3_600, "offsetTag"),
            ("gps/nikon-d5000-gps.jpg", 3_600, "offsetTag"),
            ("timezone/tz-gps-utc-nine-hours-off.jpg", 32_400, "gpsTime"),
            // At sea, when clocks are set forward, and by XMP.
            ("gps/with-location-inv.jpg", nil, "machineTimeZone"),
            ("gps/gps-null-island.jpg", nil, "machineTimeZone"),
            ("gps/gps-north-pole.jpg", nil, "machineTimeZone"),
            ("timezone/tz-dst-gap-new-york.jpg", nil, "machineTimeZone"),
            ("gps/gps-xmp-only.jpg", nil, "machineTimeZone"),
        ]
        let paths = expected.map { SharedData.file($0.file).path }
        let imported = try world.run(["import", "--json"] + paths).lines.map(JSONLine.init)
        for row in expected {
            let outcome = imported.first { $0["path"] == SharedData.file(row.file).path }
            let identifier = try #require(outcome?["localIdentifier"], "\(row.file)")
            let shown = try #require(try world.objects("show", identifier, "--json").first)
            let capture = try #require(shown.values["captureTime"] as? [String: Any])
            #expect(capture["utcOffset"] as? Int == row.offset, "\(row.file)")
            #expect(capture["dateSource"] as? String == row.source, "\(row.file)")
        }
    }

    @Test func iptcTimeAloneGivesNoOffset() throws {
        var metadata = SampleMetadata()
        metadata.iptcDay = "20230715"
        metadata.iptcTime = "121314"
        let capture = try captureTime(metadata)
        #expect(capture["wallTime"] as? String == "2023-07-15T12:13:14")
        #expect(capture["wallTimeSource"] as? String == "iptc")
        #expect(capture["utcOffset"] as? Int == nil)
    }
}
