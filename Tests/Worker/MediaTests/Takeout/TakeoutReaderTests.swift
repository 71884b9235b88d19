import Foundation
import Media
import PhotoModel
import Testing
import WorkerProtocol

/// Descriptions by Google.
@Suite(.timeLimit(.minutes(1))) struct TakeoutReaderTests {
    private func read(_ text: String) -> TakeoutReading {
        Array(text.utf8).withUnsafeBytes { TakeoutReader.read(ByteView($0)) }
    }

    private func facts(_ text: String) throws -> TakeoutFacts {
        guard case .facts(let facts) = read(text) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return facts
    }

    @Test func anAssetHasItsValues() throws {
        let facts = try facts(
            """
            {"title": " IMG_1.jpg\\u0007", "description": "one\\r\\ntwo", "favorited": true,
             "archived": true, "photoTakenTime": {"timestamp": "1600000000"},
             "geoData": {"latitude": 47.5, "longitude": -8.25, "altitude": 400.0},
             "geoDataExif": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
             "people": [{"name": "Ann"}, {"nickname": "x"}, {"name": "Bo"}],
             "googlePhotosOrigin": {"mobileUpload": {"deviceType": "ANDROID", "list": [1, {}]},
                                    "fromPartnerSharing": {}, "none": null, "yes": true}}
            """
        )
        #expect(facts.kind == .asset && facts.title == "IMG_1.jpg" && facts.caption == "one\ntwo")
        #expect(facts.isFavorite && facts.isArchived && !facts.isTrashed && facts.isFromPartner)
        #expect(facts.takenSeconds == 1_600_000_000)
        #expect(facts.location == Location(latitude: 47.5, longitude: -8.25, altitude: 400))
        // Google writes zeros for no place.
        #expect(facts.fileLocation == nil)
        #expect(facts.people == ["Ann", "Bo"])
        #expect(
            facts.origin == [
                "fromPartnerSharing={}", "mobileUpload.deviceType=ANDROID",
                "mobileUpload.list[0]=1", "mobileUpload.list[1]={}", "yes=true",
            ]
        )
        #expect(facts.cutValues == [])
    }

    @Test func anAlbumHasItsTitle() throws {
        for text in [
            #"{"title": "Trip", "description": "Sea"}"#,
            #"{"albumData": {"title": "Trip", "description": "Sea"}}"#,
        ] {
            let facts = try facts(text)
            #expect(facts.kind == .album && facts.title == "Trip" && facts.caption == "Sea")
        }
        for text in ["[]", "5", "{}", #"{"title": 5}"#, #"{"albumData": {}}"#] {
            #expect(try facts(text).kind == .other, "\(text)")
        }
    }

    @Test(arguments: [
        #"{"latitude": 91, "longitude": 0}"#, #"{"latitude": 5, "longitude": 181}"#,
        #"{"latitude": 5}"#, #"{"longitude": 5}"#, #"{"latitude": "x", "longitude": 5}"#, "[]",
    ])
    func impossiblePlacesAreNone(_ place: String) throws {
        let facts = try facts(#"{"photoTakenTime": {}, "geoData": \#(place)}"#)
        #expect(facts.kind == .asset && facts.location == nil && facts.takenSeconds == nil)
    }

    /// What is cut is named, so that nothing is lost without notice.
    @Test func longValuesAreCutWithNotice() throws {
        let long = String(repeating: "x", count: Text.limitInBytes + 1)
        let names = (0...TakeoutFacts.maximumPeople).map { #"{"name": "\#($0)"}"# }
        let parts = (0..<41).map { #""\#($0)": 1"# }
        let caption = String(repeating: "y", count: TakeoutFacts.maximumCaption + 1)
        let facts = try facts(
            """
            {"photoTakenTime": {"timestamp": 1}, "title": "\(long)", "description": "\(caption)",
             "people": [\(names.joined(separator: ","))],
             "googlePhotosOrigin": {\(parts.joined(separator: ","))}}
            """
        )
        #expect(Set(facts.cutValues) == ["title", "description", "people", "origin"])
        #expect(facts.title?.utf8.count == Text.limitInBytes)
        #expect(facts.caption?.utf8.count == TakeoutFacts.maximumCaption)
        #expect(facts.people.count == TakeoutFacts.maximumPeople && facts.origin.count == 40)
    }

    @Test func otherFilesHaveAReason() {
        guard case .failed(let reason) = read("{") else {
            Issue.record("A damaged file was read.")
            return
        }
        #expect(reason == "It is not valid JSON.")
        let long = "\"" + String(repeating: "x", count: JSONParser.maximumLength) + "\""
        guard case .failed(let other) = read(long) else {
            Issue.record("A long file was read.")
            return
        }
        #expect(other.contains("longer than 1 MB"))
    }
}
