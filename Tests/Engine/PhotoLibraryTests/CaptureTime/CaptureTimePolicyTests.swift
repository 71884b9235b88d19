import Foundation
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

@Suite(.timeLimit(.minutes(2))) struct CaptureTimePolicyTests {
    let policy: CaptureTimePolicy
    let fileTime = Date(timeIntervalSince1970: 1_000_000_000.25)

    init() throws {
        policy = CaptureTimePolicy(machineTimeZone: try ImportWorld.zone("America/New_York"))
    }

    private func decide(_ dates: [WrittenDate], gps: String? = nil) -> CaptureTime? {
        policy.captureTime(dates: dates, gpsDateTime: gps, fileTime: fileTime)
    }

    private func original(_ text: String, offset: String? = nil) -> WrittenDate {
        WrittenDate(source: .exifOriginal, text: text, offset: offset)
    }

    private func instant(_ text: String) -> Date? { ISO8601DateFormatter().date(from: text) }

    @Test("The weightiest date that is possible counts, whatever the order in the file")
    func weighsSources() throws {
        let order: [CaptureTime.Source] = [
            .exifOriginal, .exifDigitized, .quickTimeKey, .movieHeader, .xmp, .iptc, .exifModified,
            .png,
        ]
        for start in order.indices {
            let dates = order[start...].reversed().enumerated().map { year, source in
                WrittenDate(source: source, text: "\(2001 + year):01:01 01:01:01")
            }
            #expect(decide(dates)?.wallTimeSource == order[start])
        }
        let impossible = [
            original("2023:02:30 10:00:00"),
            WrittenDate(source: .movieHeader, text: "1904:01:01 00:00:00"),
            WrittenDate(source: .exifModified, text: "2020:01:02 03:04:05"),
        ]
        let time = try #require(decide(impossible))
        #expect(time.wallTimeSource == .exifModified)
        #expect(time.wallTime == "2020-01-02T03:04:05")
    }

    @Test("A day without a time counts after dates with one, and before the file's time")
    func weighsDaysLess() {
        let day = original("2023:06:01")
        let modified = WrittenDate(source: .exifModified, text: "2023:06:02 10:00:00")
        #expect(decide([day, modified])?.wallTimeSource == .exifModified)
        #expect(decide([day])?.wallTime == "2023-06-01T00:00:00")
        #expect(decide([day], gps: "2023:06:01 12:00:00Z")?.wallTimeSource == .gpsTime)
    }

    @Test("A written offset makes the instant and leaves the wall time as it is")
    func usesOffsetTag() throws {
        let time = try #require(decide([original("2023:07:15 12:30:45", offset: "+05:45")]))
        #expect(time.instant == instant("2023-07-15T06:45:45Z"))
        #expect(time.offset == 20_700)
        #expect(time.wallTime == "2023-07-15T12:30:45")
        #expect(time.instantSource == .offsetTag)
    }

    @Test("The offset of another date counts only when both show the same wall time")
    func borrowsOffsets() {
        let digitized = WrittenDate(
            source: .exifDigitized,
            text: "2023:07:15 12:30:45",
            offset: "+02:00"
        )
        #expect(decide([original("2023:07:15 12:30:45"), digitized])?.offset == 7_200)
        #expect(decide([original("2023:07:15 12:30:46"), digitized])?.offset == nil)
    }

    @Test(
        "Zero that programs write in IPTC and PNG is no camera's offset",
        arguments: [CaptureTime.Source.iptc, .png],
        ["+00:00", "Z", "-00:00"]
    )
    func ignoresZeroOfPrograms(source: CaptureTime.Source, zero: String) {
        let text = "2018:09:28 15:35:49"
        let written = WrittenDate(source: source, text: text, offset: zero)
        let time = decide([original(text), written])
        #expect(time?.offset == nil && time?.instantSource == .machineTimeZone)
        #expect(time?.wallTimeSource == .exifOriginal)
        // An explicitly chosen offset counts, and so does zero if nothing else has a time.
        let chosen = WrittenDate(source: source, text: text, offset: "-07:00")
        #expect(decide([original(text), chosen])?.offset == -25_200)
        #expect(decide([written])?.offset == 0)
        #expect(decide([written])?.instantSource == .offsetTag)
    }

    @Test("IPTC's zero is ignored also where IPTC has more weight than the EXIF time beside it")
    func ignoresZeroBesideModified() {
        let iptc = WrittenDate(source: .iptc, text: "2018:09:28 15:35:49", offset: "+00:00")
        var modified = WrittenDate(source: .exifModified, text: "2019:01:02 03:04:05")
        let time = decide([iptc, modified])
        #expect(time?.wallTimeSource == .iptc && time?.offset == nil)
        modified = WrittenDate(source: .exifModified, text: iptc.text, offset: "+00:00")
        #expect(decide([iptc, modified])?.offset == 0)
        // A day without a time does not reveal how the time was made.
        modified = WrittenDate(source: .exifModified, text: "2019:01:02")
        #expect(decide([iptc, modified])?.offset == 0)
    }

    @Test(
        "GPS time gives the offset when it is near one that clocks have",
        arguments: [
            ("2023:07:15 12:30:45", "2023:07:15 03:30:40Z", 32_400),
            ("2018:02:05 15:11:44", "2018:02:05 07:11:43.07Z", 28_800),
            ("2020:02:04 19:07:38", "2020:02:05 00:07:31.25Z", -18_000),
            ("2024:04:14 02:20:31", "2024:04:13 20:35:31Z", 20_700),
            ("2023:06:07 13:45:55", "2023:06:07 12:46:01Z", 3_600),
            ("2023:06:07 13:45:55", "2023:06:07 12:40:00Z", nil),
            ("2023:06:07 13:45:55", "2023:06:05 12:46:01Z", nil),
            ("2023:06:07 13:15:00", "2023:06:07 12:00:00Z", nil),
            ("2023:06:07 13:45:55", "0000:00:00 00:00:00Z", nil),
        ] as [(String, String, Int?)]
    )
    func usesSatellites(wallTime: String, gps: String, offset: Int?) {
        let time = decide([original(wallTime)], gps: gps)
        #expect(time?.offset == offset)
        #expect(time?.instantSource == (offset == nil ? .machineTimeZone : .gpsTime))
    }

    @Test("A written offset outweighs GPS time, which may be an old fix")
    func prefersOffsetTag() {
        let time = decide(
            [original("2025:09:06 20:24:47", offset: "-08:00")],
            gps: "2025:09:07 03:19:17Z"
        )
        #expect(time?.offset == -28_800)
    }

    @Test("GPS time alone is an instant in UTC")
    func usesSatellitesAlone() {
        let time = decide([], gps: "2023:07:15 03:30:45Z")
        #expect(time?.instant == instant("2023-07-15T03:30:45Z"))
        #expect(time?.offset == 0)
        #expect(time?.wallTimeSource == .gpsTime)
    }

    @Test("A movie header is UTC, also when GPS time would say otherwise; its key is preferred")
    func readsMovies() {
        let header = WrittenDate(source: .movieHeader, text: "2023:07:15 06:45:45")
        let time = decide([header], gps: "2023:07:15 01:45:45Z")
        #expect(time?.instant == instant("2023-07-15T06:45:45Z"))
        #expect(time?.offset == 0)
        #expect(time?.instantSource == .movieHeader)
        let key = WrittenDate(
            source: .quickTimeKey,
            text: "2016:01:18 15:20:40",
            offset: "-07:00"
        )
        #expect(decide([header, key])?.instant == instant("2016-01-18T22:20:40Z"))
        #expect(decide([header, key])?.instantSource == .quickTimeKey)
    }

    @Test(
        "Without an offset the machine's zone gives the instant, and the record says so",
        arguments: [
            ("2023:07:15 12:30:45", "2023-07-15T16:30:45Z"),
            ("2023:01:15 12:30:45", "2023-01-15T17:30:45Z"),
            ("1955:05:05 05:05:05", "1955-05-05T09:05:05Z"),
            // Clocks skip from 02:00 to 03:00: the offset before applies.
            ("2023:03:12 02:30:00", "2023-03-12T07:30:00Z"),
            ("2023:03:12 01:59:59", "2023-03-12T06:59:59Z"),
            ("2023:03:12 03:00:00", "2023-03-12T07:00:00Z"),
            // 01:30 occurs twice: the first applies.
            ("2023:11:05 01:30:00", "2023-11-05T05:30:00Z"),
            ("2023:11:05 02:00:00", "2023-11-05T07:00:00Z"),
            ("2038:01:19 03:14:08", "2038-01-19T08:14:08Z"),
        ]
    )
    func usesMachineZone(wallTime: String, utc: String) {
        let time = decide([original(wallTime)])
        #expect(time?.instant == instant(utc))
        #expect(time?.offset == nil)
        #expect(time?.instantSource == .machineTimeZone)
        #expect(time?.wallTimeSource == .exifOriginal)
    }

    @Test("The two halves of an overlap are told apart by their offsets")
    func tellsOverlapHalves() throws {
        let first = try #require(decide([original("2023:11:05 01:30:00", offset: "-04:00")]))
        let second = try #require(decide([original("2023:11:05 01:30:00", offset: "-05:00")]))
        #expect(second.instant.timeIntervalSince(first.instant) == 3_600)
        #expect(first.wallTime == second.wallTime)
    }

    @Test("Fractions of a second are kept in both")
    func keepsSubseconds() throws {
        let date = WrittenDate(
            source: .exifOriginal,
            text: "2023:07:15 12:30:45",
            subseconds: "007",
            offset: "Z"
        )
        let time = try #require(decide([date]))
        #expect(time.wallTime == "2023-07-15T12:30:45.007")
        #expect(abs(time.instant.timeIntervalSince1970 - 1_689_424_245.007) < 1e-6)
    }

    @Test("Without any date the file's time counts, and nothing at all is nil")
    func usesFileTime() {
        let time = decide([])
        #expect(time?.instant == fileTime)
        #expect(time?.wallTime == "2001-09-08T21:46:40.250")
        #expect(time?.instantSource == .fileTime)
        #expect(policy.captureTime(dates: [], gpsDateTime: nil, fileTime: nil) == nil)
    }

    // MARK: - Zone of the place

    private static let somewhere = Location(latitude: 1, longitude: 2)

    private func decide(
        _ dates: [WrittenDate],
        in zones: [String],
        gps: String? = nil
    ) -> CaptureTime? {
        var policy = policy
        policy.zonesOfPlace = { $0 == Self.somewhere ? zones : [] }
        return policy.captureTime(
            dates: dates,
            gpsDateTime: gps,
            cameraPlace: Self.somewhere,
            fileTime: fileTime
        )
    }

    @Test(
        "A camera's wall time without an offset takes that of its place, as it was on that day",
        arguments: [
            ("2023:07:15 12:30:45", "Asia/Kathmandu", 20_700),
            ("1985:07:15 12:30:45", "Asia/Kathmandu", 19_800),
            ("2023:07:15 12:30:45", "Europe/Berlin", 7_200),
            ("2023:01:15 12:30:45", "Europe/Berlin", 3_600),
            ("1978:07:15 12:30:45", "Europe/Berlin", 3_600),
            ("2010:07:15 12:30:45", "Europe/Moscow", 14_400),
            ("2012:01:15 12:30:45", "Europe/Moscow", 14_400),
            ("2015:01:15 12:30:45", "Europe/Moscow", 10_800),
            ("2023:07:15 12:30:45", "Pacific/Kiritimati", 50_400),
            ("2023:07:15 12:30:45", "Africa/Casablanca", 3_600),
        ]
    )
    func usesPlace(text: String, zone: String, offset: Int) throws {
        for source in [CaptureTime.Source.exifOriginal, .exifDigitized] {
            let written = WrittenDate(source: source, text: text)
            let time = try #require(decide([written], in: [zone]))
            let wall = try #require(WrittenDateParser.parse(text)).wallTime
            #expect(time.offset == offset && time.instantSource == .place)
            #expect(time.wallTime == wall.text && time.wallTimeSource == source)
            let seconds = time.instant.timeIntervalSince1970
            #expect(seconds == wall.secondsSince1970 - Double(offset))
        }
    }

    @Test(
        "Clocks that differ, wall times that come twice or never and unknown zones say nothing",
        arguments: [
            // Clocks are set forward from 02:00 to 03:00, and back from 02:00 to 01:00.
            ("2023:03:12 02:00:00", ["America/New_York"], nil),
            ("2023:03:12 02:59:59", ["America/New_York"], nil),
            ("2023:03:12 01:59:59", ["America/New_York"], -18_000),
            ("2023:03:12 03:00:00", ["America/New_York"], -14_400),
            ("2023:11:05 01:00:00", ["America/New_York"], nil),
            ("2023:11:05 01:59:59", ["America/New_York"], nil),
            ("2023:11:05 00:59:59", ["America/New_York"], -14_400),
            ("2023:11:05 02:00:00", ["America/New_York"], -18_000),
            // Samoa skipped a day.
            ("2011:12:30 12:00:00", ["Pacific/Apia"], nil),
            ("2011:12:31 12:00:00", ["Pacific/Apia"], 50_400),
            // Berlin and Paris differed in some summers; Phoenix and Denver differ in summer.
            ("2023:07:15 12:30:45", ["Europe/Berlin", "Europe/Paris"], 7_200),
            ("1978:07:15 12:30:45", ["Europe/Berlin", "Europe/Paris"], nil),
            ("2023:01:15 12:30:45", ["America/Denver", "America/Phoenix"], -25_200),
            ("2023:07:15 12:30:45", ["America/Denver", "America/Phoenix"], nil),
            ("2023:07:15 12:30:45", ["Asia/Shanghai", "Asia/Urumqi"], nil),
            ("2023:07:15 12:30:45", ["Europe/Atlantis"], nil),
            ("2023:07:15 12:30:45", ["Europe/Paris", "Europe/Atlantis"], nil),
            ("2023:07:15 12:30:45", [], nil),
            // Local mean time.
            ("1860:07:15 12:30:45", ["Europe/Berlin"], nil),
        ] as [(String, [String], Int?)]
    )
    func doubtsPlace(text: String, zones: [String], offset: Int?) {
        let time = decide([original(text)], in: zones)
        #expect(time?.offset == offset)
        #expect(time?.instantSource == (offset == nil ? .machineTimeZone : .place))
        // The same instant as without a place if the place determines no offset.
        if offset == nil { #expect(time == decide([original(text)])) }
    }

    @Test("The place is the weakest source, and counts for the camera's own clock alone")
    func placeIsWeakest() {
        let text = "2023:07:15 12:30:45"
        let zone = ["Asia/Kathmandu"]
        let written = decide([original(text, offset: "+02:00")], in: zone)
        #expect(written?.offset == 7_200 && written?.instantSource == .offsetTag)
        let satellites = decide([original(text)], in: zone, gps: "2023:07:15 10:30:45Z")
        #expect(satellites?.offset == 7_200 && satellites?.instantSource == .gpsTime)
        // An offset of another date shows that the device knew one.
        let modified = WrittenDate(
            source: .exifModified,
            text: "2023:07:16 08:00:00",
            offset: "+02:00"
        )
        #expect(decide([original(text), modified], in: zone)?.offset == nil)
        let zero = WrittenDate(source: .iptc, text: text, offset: "+00:00")
        #expect(decide([original(text), zero], in: zone)?.instantSource == .place)
        for source in [
            CaptureTime.Source.quickTimeKey, .movieHeader, .xmp, .iptc, .exifModified, .png,
        ] {
            let date = WrittenDate(source: source, text: text)
            #expect(decide([date], in: zone)?.instantSource != .place, "\(source)")
        }
        // A day without a time does not come from a clock.
        #expect(decide([original("2023:07:15")], in: zone)?.offset == nil)
    }

    @Test(.needsSharedData)
    func agreesWithExifToolOnRealFiles() throws {
        let sources: [(String, CaptureTime.Source)] = [
            ("ExifIFD:DateTimeOriginal", .exifOriginal), ("ExifIFD:CreateDate", .exifDigitized),
            ("Keys:CreationDate", .quickTimeKey), ("QuickTime:CreateDate", .movieHeader),
            ("XMP", .xmp), ("IPTC", .iptc), ("IFD0:ModifyDate", .exifModified), ("PNG", .png),
        ]
        var compared = 0
        for row in try SharedData.rows(of: "expected.tsv") {
            guard let text = row["capture_date"], !text.isEmpty,
                let from = row["capture_from"],
                let source = sources.first(where: { from.hasPrefix($0.0) })?.1,
                let offset = row["capture_offset"], !offset.isEmpty,
                let seconds = WrittenDateParser.parseOffset(offset),
                let expected = WrittenDateParser.parse(text), expected.wallTime.isPlausible
            else { continue }
            let date = WrittenDate(
                source: source,
                text: text,
                subseconds: row["subsec"],
                offset: offset
            )
            let time = policy.captureTime(
                dates: [date],
                gpsDateTime: row["gps_datetime"],
                fileTime: fileTime
            )
            let utc = expected.wallTime.secondsSince1970 + fraction(row["subsec"]) - Double(seconds)
            #expect(
                abs((time?.instant.timeIntervalSince1970 ?? 0) - utc) < 0.001,
                "\(row["file"] ?? "?")"
            )
            compared += 1
        }
        #expect(compared > 60)
    }

    private func fraction(_ digits: String?) -> Double {
        guard let digits, !digits.isEmpty else { return 0 }
        return Double("0." + digits) ?? 0
    }
}
