import Foundation
import PhotosCompanions
import Testing

/// API that programs use and that Foundation and Dispatch lack on Linux.
@Suite(.timeLimit(.minutes(2))) struct FoundationGapTests {
    @Test func placesOfCellsAreSectionAndRow() {
        var place = IndexPath(item: 7, section: 2)
        #expect(place == IndexPath(indexes: [2, 7]))
        #expect(place == IndexPath(row: 7, section: 2))
        #expect(place.section == 2)
        #expect(place.row == 7)
        #expect(place.item == 7)
        place.item = 3
        place.section = 0
        #expect(place == IndexPath(row: 3, section: 0))
    }

    @Test func dispatchConstantsAreThoseOfC() {
        #expect(NSEC_PER_SEC == 1_000_000_000)
        #expect(NSEC_PER_SEC == NSEC_PER_MSEC * 1000)
        #expect(NSEC_PER_MSEC == NSEC_PER_USEC * 1000)
        #expect(USEC_PER_SEC * NSEC_PER_USEC == NSEC_PER_SEC)
    }

    @Test func coreFoundationNamesCastAsOnAppleSystems() throws {
        let url = URL(fileURLWithPath: "/photo.jpg")
        #expect((url as CFURL) as URL == url)
        #expect(kUTTypeJPEG as String == UTType.jpeg.identifier)
        let options = [kUTTypeImage: true, kUTTypeMovie: 2] as CFDictionary
        let byName = try #require(options as? [String: Any])
        #expect(byName["public.image"] as? Bool == true)
        #expect(byName[kUTTypeMovie as String] as? Int == 2)
        #expect(kCFBooleanTrue as? Bool == true)
        #expect(kCFBooleanFalse?.boolValue == false)
    }
}
