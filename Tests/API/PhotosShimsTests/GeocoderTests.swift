import CoreLocation
import Foundation
import Testing

/// Place names, as programs request them.
@Suite(.timeLimit(.minutes(1))) struct GeocoderTests {
    private func address(of location: CLLocation) async throws -> String {
        let placemarks = try await CLGeocoder().reverseGeocodeLocation(location)
        guard let placemark = placemarks.first else { return "" }
        return [placemark.locality, placemark.administrativeArea, placemark.country]
            .compactMap { $0 }
            .joined(separator: ", ")
    }

    @Test func placesHaveNames() async throws {
        let munich = CLLocation(latitude: 48.137154, longitude: 11.576124)
        #expect(try await address(of: munich).hasPrefix("Munich, Bavaria"))
        let german = try await CLGeocoder().reverseGeocodeLocation(
            munich,
            preferredLocale: Locale(identifier: "de_DE")
        )
        let placemark = try #require(german.first)
        #expect(placemark.country == "Deutschland" && placemark.isoCountryCode == "DE")
        #expect(placemark.name == "Munich" && placemark.thoroughfare == nil)
        #expect(placemark.timeZone?.identifier == "Europe/Berlin")
        #expect(placemark.location?.coordinate.latitude == 48.137154)
    }

    @Test func handlersAreCalledOnce() async throws {
        let geocoder = CLGeocoder()
        let sea = CLLocation(latitude: 30, longitude: -40)
        let code = await withCheckedContinuation { continuation in
            geocoder.reverseGeocodeLocation(sea) { placemarks, error in
                #expect(placemarks == nil)
                continuation.resume(returning: (error as? CLError)?.code)
            }
        }
        #expect(code == .geocodeFoundNoResult)
        #expect(!geocoder.isGeocoding)
        await #expect(throws: CLError(.geocodeFoundNoResult)) {
            try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 91, longitude: 0))
        }
    }

    @Test func placesAreFoundByTheirNames() async throws {
        let geocoder = CLGeocoder()
        let paris = try #require(try await geocoder.geocodeAddressString("Paris").first)
        #expect(paris.isoCountryCode == "FR")
        let texas = try #require(
            try await geocoder.geocodeAddressString("paris, Texas, United States").first
        )
        #expect(texas.isoCountryCode == "US" && texas.administrativeArea == "Texas")
        let zurich = try #require(try await geocoder.geocodeAddressString("zurich").first)
        #expect(zurich.isoCountryCode == "CH")
        await #expect(throws: CLError.self) { try await geocoder.geocodeAddressString("Xyzzy") }
        await #expect(throws: CLError.self) { try await geocoder.geocodeAddressString("") }
    }
}
