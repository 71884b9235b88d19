import Foundation
import PhotosCompanions
import Testing

/// Place names, as programs request them.
@Suite(.timeLimit(.minutes(1))) struct CLGeocoderTests {
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

    @Test func placemarksAreNamesOnly() async throws {
        let munich = CLLocation(latitude: 48.137154, longitude: 11.576124)
        let found = try await CLGeocoder()
            .reverseGeocodeLocation(munich, preferredLocale: Locale(identifier: "en_US"))
        let placemark = try #require(found.first)
        #expect(placemark.description == "Munich, Bavaria, Germany")
        let copy = CLPlacemark(placemark: placemark)
        #expect(copy.locality == "Munich" && copy.administrativeArea == "Bavaria")
        #expect(copy.country == "Germany" && copy.isoCountryCode == "DE")
        #expect(copy.timeZone == placemark.timeZone && copy.location === placemark.location)
        #expect(copy.copy() as? CLPlacemark === copy && copy.name == "Munich")
        #expect(copy.subLocality == nil && copy.subAdministrativeArea == nil)
        #expect(copy.subThoroughfare == nil && copy.postalCode == nil)
        #expect(copy.inlandWater == nil && copy.ocean == nil && copy.areasOfInterest == nil)
    }

    @Test func codesAreThoseOfCoreLocation() {
        let codes: [(CLError.Code, Int)] = [
            (.locationUnknown, 0), (.denied, 1), (.network, 2), (.geocodeFoundNoResult, 8),
            (.geocodeFoundPartialResult, 9), (.geocodeCanceled, 10),
        ]
        #expect(codes.count == CLError.Code.allCases.count)
        for (code, number) in codes {
            let error = CLError(code) as NSError
            #expect(error.domain == kCLErrorDomain && error.code == number)
            #expect(error.localizedDescription == CLError(code).errorDescription)
        }
        #expect(Set(CLError.Code.allCases.map { CLError($0).errorDescription }).count == 6)
    }

    @Test func aCanceledTaskDoesNotSearchForever() async {
        let task = Task {
            try await CLGeocoder().geocodeAddressString("Paris").first?.isoCountryCode
        }
        task.cancel()
        switch await task.result {
        case .success(let code): #expect(code == "FR")
        case .failure(let error): #expect(error as? CLError == CLError(.geocodeCanceled))
        }
    }

    private static func cancelTask() { withUnsafeCurrentTask { $0?.cancel() } }

    @Test func aTaskThatIsCanceledBeforeItsCallFails() async {
        let task = Task {
            Self.cancelTask()
            return try await CLGeocoder().geocodeAddressString("Paris").count
        }
        await #expect(throws: CLError(.geocodeCanceled)) { try await task.value }
    }

    /// There are enough searches that some are in progress whenever a task is canceled.
    @Test func aCanceledTaskDoesNotCancelOtherSearches() async throws {
        let geocoder = CLGeocoder()
        let searches = (0..<200).map { _ in
            Task { try await geocoder.geocodeAddressString("Paris").first?.isoCountryCode }
        }
        for _ in 0..<10 {
            let canceled = Task {
                Self.cancelTask()
                return try await geocoder.geocodeAddressString("Paris").count
            }
            await #expect(throws: CLError(.geocodeCanceled)) { try await canceled.value }
        }
        for search in searches { #expect(try await search.value == "FR") }
    }
}
