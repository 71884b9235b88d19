import Foundation
import PhotosCompanions
import Testing

/// Names of places from the data that the package contains.
@Suite(.timeLimit(.minutes(1))) struct CLGeocoderTests {
    @Test func placesHaveNames() async throws {
        let munich = CLLocation(latitude: 48.137154, longitude: 11.576124)
        let english = Locale(identifier: "en_US")
        let found = try await CLGeocoder()
            .reverseGeocodeLocation(munich, preferredLocale: english)
        let placemark = try #require(found.first)
        #expect(placemark.locality == "Munich" && placemark.isoCountryCode == "DE")
        #expect(placemark.country == "Germany")
        #expect(placemark.timeZone?.identifier == "Europe/Berlin")
        await #expect(throws: CLError.self) {
            try await CLGeocoder().reverseGeocodeLocation(CLLocation(latitude: 30, longitude: -40))
        }
    }
}
