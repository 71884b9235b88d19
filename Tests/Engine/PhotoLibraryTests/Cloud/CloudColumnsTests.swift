import CloudSync
import Foundation
import PhotoModel
import Testing

@testable import PhotoLibrary

/// The values of registers that become columns.
@Suite(.timeLimit(.minutes(1))) struct CloudColumnsTests {
    private func applying(
        _ text: String,
        of group: RegisterGroup,
        to record: AssetRecord = LibraryWorld.record()
    ) throws -> AssetRecord {
        try CloudColumns.apply(Array(text.utf8), of: group, to: record)
    }

    @Test func valuesArriveAsTheyWere() throws {
        var record = LibraryWorld.record()
        record.camera.make = "x:Canon"
        record.camera.model = "s:"
        record.camera.lens = "xs Straße"
        record.camera.aperture = 2.8
        record.camera.isoSpeed = -3
        record.duration = 12.5
        record.readerVersion = 7
        record.title = "Two\nlines \u{2028} \"quoted\""
        record.rating = -1
        record.location = Location(latitude: -48.25, longitude: 11, altitude: nil)
        record.trashedDate = Date(timeIntervalSinceReferenceDate: 0.1)
        record.personFacts = [.title]
        var received = LibraryWorld.record()
        received.uuid = record.uuid
        for group in CloudColumns.assetGroups {
            let bytes = CloudColumns.bytes(of: group, in: record)
            received = try CloudColumns.apply(bytes, of: group, to: received)
        }
        #expect(received == record)
    }

    @Test func columnsOfOtherGroupsAndVersionsAreIgnored() throws {
        // Only a general decoder reads the exponent.
        let record = try applying(#"{"future":1e3,"isFavorite":1,"rating":3}"#, of: .rating)
        #expect(record.rating == 3)
        #expect(!record.isFavorite)
        let simple = try applying(#"{"future":1,"isFavorite":1,"rating":3}"#, of: .rating)
        #expect(simple.rating == 3)
        #expect(!simple.isFavorite)
    }

    @Test func whetherAPersonSetAValueIsKnown() throws {
        let set = try applying(#"{"title":"A","isSet":1}"#, of: .title)
        #expect(set.title == "A")
        #expect(set.personFacts == [.title])
        let unset = try applying(#"{"title":"B"}"#, of: .title, to: set)
        #expect(unset.title == "B")
        #expect(unset.personFacts == [])
        let escaped = try applying(#"{"title":"\\","isSet":1}"#, of: .title)
        #expect(escaped.title == "\\")
        #expect(escaped.personFacts == [.title])
    }

    @Test func aColumnThatIsRepeatedHasOneOfItsValues() throws {
        let record = try applying(#"{"title":"A","title":"B"}"#, of: .title)
        #expect(["A", "B"].contains(record.title))
    }

    @Test(arguments: ["", "{", "[]", #"{"title":"#, #"{"title":"A"}{"#])
    func whatIsNoObjectIsRefused(_ text: String) throws {
        let error = #expect(throws: LibraryError.self) { try applying(text, of: .title) }
        #expect(error?.code == .corrupt)
    }
}
