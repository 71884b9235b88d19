import Foundation
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(1))) struct TakeoutPolicyTests {
    private let policy = TakeoutPolicy(timeZone: .gmt)
    private static let taken = 1_600_000_000.0

    private func camera(_ seconds: Double, offset: Int? = nil) -> CaptureTime {
        CaptureTime(
            instant: Date(timeIntervalSince1970: seconds),
            wallTime: WallTime(secondsSince1970: seconds).text,
            offset: offset,
            wallTimeSource: .exifOriginal,
            instantSource: .machineTimeZone
        )
    }

    /// All quarter hours from -14 to +14 hours, with every deviation of the clocks up to a minute.
    @Test(arguments: -56...56) func cameraClockHasTheOffset(_ quarters: Int) {
        for deviation in [-60.0, -59.5, -1, 0, 0.25, 30, 60] {
            let wall = Self.taken + Double(quarters * 900) + deviation
            let (time, isChanged) = policy.captureTime(Self.taken, file: camera(wall))
            #expect(!isChanged)
            #expect(time.offset == quarters * 900)
            #expect(time.wallTime == WallTime(secondsSince1970: wall).text)
            // The camera's seconds stay.
            #expect(time.instant.timeIntervalSince1970 == Self.taken + deviation)
            #expect(time.wallTimeSource == .exifOriginal)
        }
        for deviation in [-61.0, 61, 200, -449, 449] {
            let wall = Self.taken + Double(quarters * 900) + deviation
            let (time, isChanged) = policy.captureTime(Self.taken, file: camera(wall))
            #expect(isChanged)
            #expect(time.instant.timeIntervalSince1970 == Self.taken)
            #expect(time.wallTimeSource == .user)
        }
    }

    @Test(arguments: [-57, 57, 96, -96, 4000]) func otherOffsetsAreAPersons(_ quarters: Int) {
        let wall = camera(Self.taken + Double(quarters * 900))
        #expect(policy.captureTime(Self.taken, file: wall).1)
    }

    @Test func writtenOffsetStays() {
        var file = camera(Self.taken + 7200, offset: 7200)
        file.instant = Date(timeIntervalSince1970: Self.taken)
        file.instantSource = .offsetTag
        #expect(policy.captureTime(Self.taken, file: file).0 == file)
    }

    @Test func withoutACameraGoogleKnows() {
        for file in [nil, CaptureTime?.some(ofFile)] {
            let (time, isChanged) = policy.captureTime(Self.taken, file: file)
            #expect(!isChanged)
            #expect(time.instant.timeIntervalSince1970 == Self.taken)
            #expect(time.offset == nil)
        }
    }

    private var ofFile: CaptureTime {
        var time = camera(99)
        time.wallTimeSource = .fileTime
        return time
    }

    // MARK: - Place

    @Test func placesRank() {
        let file = Location(latitude: 1, longitude: 1)
        let found = Location(latitude: 2, longitude: 2)
        let shown = Location(latitude: 3, longitude: 3)
        func location(_ shown: Location?, _ found: Location?, file: Location?) -> Location? {
            var facts = TakeoutFacts(kind: .asset)
            facts.location = shown
            facts.fileLocation = found
            return TakeoutPolicy.location(facts, file: file).0
        }
        #expect(location(nil, nil, file: nil) == nil)
        #expect(location(shown, nil, file: file) == file)
        #expect(location(nil, found, file: file) == file)
        #expect(location(nil, found, file: nil) == found)
        #expect(location(shown, nil, file: nil) == shown)
        // A person moved it.
        #expect(location(shown, found, file: file) == shown)
        #expect(location(found, found, file: file) == file)
        var facts = TakeoutFacts(kind: .asset)
        facts.location = shown
        #expect(TakeoutPolicy.location(facts, file: nil).1)
        #expect(!TakeoutPolicy.location(facts, file: file).1)
    }

    @Test func descriptionApplies() {
        var facts = TakeoutFacts(kind: .asset)
        facts.caption = "By the sea"
        facts.isFavorite = true
        facts.isFromPartner = true
        facts.takenSeconds = Int64(Self.taken)
        var record = AssetRecord(
            id: 0,
            uuid: "",
            mediaType: .image,
            originalFilename: "a.jpg",
            contentType: "public.jpeg",
            addedDate: Date(timeIntervalSince1970: 0)
        )
        #expect(policy.apply(facts, to: &record) == [.partnerSharing])
        #expect(record.caption == "By the sea")
        #expect(record.personFacts == [.caption])
        #expect(record.isFavorite)
        #expect(record.creationDate?.timeIntervalSince1970 == Self.taken)
        // A description without values changes nothing but the favorite.
        var other = record
        _ = policy.apply(TakeoutFacts(kind: .asset), to: &other)
        #expect(other.caption == record.caption)
        #expect(other.captureTime == record.captureTime)
        // Times of no calendar are ignored.
        for seconds in [Int64.min, -9_000_000_000, 9_000_000_000, .max] {
            facts.takenSeconds = seconds
            var copy = record
            _ = policy.apply(facts, to: &copy)
            #expect(copy.captureTime == record.captureTime)
        }
    }

    @Test func duplicateIsFilled() {
        var facts = TakeoutFacts(kind: .asset)
        facts.caption = "By the sea"
        facts.isFavorite = true
        facts.location = Location(latitude: 1, longitude: 1)
        facts.takenSeconds = Int64(Self.taken)
        var record = AssetRecord(
            id: 0,
            uuid: "",
            mediaType: .image,
            originalFilename: "a.jpg",
            contentType: "public.jpeg",
            addedDate: Date(timeIntervalSince1970: 0)
        )
        record.captureTime = ofFile
        var filled = record
        policy.fill(facts, into: &filled)
        #expect(filled.caption == "By the sea")
        #expect(filled.isFavorite)
        #expect(filled.location == facts.location)
        #expect(filled.creationDate?.timeIntervalSince1970 == Self.taken)
        // Values of the library stay.
        record.caption = "Mine"
        record.location = Location(latitude: 2, longitude: 2)
        record.captureTime?.wallTimeSource = .exifOriginal
        record.captureTime?.instantSource = .offsetTag
        filled = record
        policy.fill(facts, into: &filled)
        #expect(filled.caption == "Mine")
        #expect(filled.location == record.location)
        #expect(filled.captureTime == record.captureTime)
    }

    @Test(arguments: [Int64.min, -9_000_000_000, 9_000_000_000, 1_000_000_000_000, .max])
    func impossibleTimeDoesNotFill(_ seconds: Int64) {
        var facts = TakeoutFacts(kind: .asset)
        facts.takenSeconds = seconds
        var record = AssetRecord(
            id: 0,
            uuid: "",
            mediaType: .image,
            originalFilename: "a.jpg",
            contentType: "public.jpeg",
            addedDate: Date(timeIntervalSince1970: 0)
        )
        for time in [nil, CaptureTime?.some(ofFile)] {
            record.captureTime = time
            policy.fill(facts, into: &record)
            #expect(record.captureTime == time)
        }
    }

    /// A time of any size has a wall time.
    @Test func wallTimesDoNotOverflow() {
        let limit = 1e14
        for seconds in [Double(Int64.max), 1e300, .infinity] {
            #expect(WallTime(secondsSince1970: seconds) == WallTime(secondsSince1970: limit))
            #expect(WallTime(secondsSince1970: -seconds) == WallTime(secondsSince1970: -limit))
        }
        #expect(WallTime(secondsSince1970: .nan) == WallTime(secondsSince1970: 0))
    }

    /// A mark that is combined with a sign of XML does not hide it.
    @Test func peopleAreWrittenAsWellFormedXML() throws {
        var facts = TakeoutFacts(kind: .asset)
        facts.people = ["A<\u{338}b & \"c\"", "Zoë"]
        let data = try #require(TakeoutSidecar.data(facts))
        let folder = try TemporaryFolder("photos-sidecar")
        let file = try folder.write(data, to: "people.xmp")
        let output = try ProcessRunner.run(
            "python3",
            [
                "-c",
                """
                import sys, xml.etree.ElementTree as tree
                for one in tree.parse(sys.argv[1]).iter():
                    if one.tag.endswith("}li"): print(one.text)
                """,
                file.path,
            ]
        )
        #expect(output.lines == facts.people, "\(output.errorText)")
    }
}
