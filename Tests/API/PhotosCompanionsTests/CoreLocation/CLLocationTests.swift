import Foundation
import PhotosCompanions
import Testing

@Suite(.timeLimit(.minutes(2))) struct CLLocationTests {
    @Test(arguments: [
        // Distances between cities in meters, from the formulas for the ellipsoid.
        (52.5200, 13.4050, 48.8566, 2.3522, 879_699.0), (0, 0, 0, 1, 111_319.5),
        (40.7128, -74.0060, -33.8688, 151.2093, 15_988_755), (10, 179.5, 10, -179.5, 109_641.0),
        (5, 5, 5, 5, 0),
    ])
    func distancesAreThoseOfTheEarth(
        _ row: (Double, Double, Double, Double, Double)
    ) {
        let one = CLLocation(latitude: row.0, longitude: row.1)
        let other = CLLocation(latitude: row.2, longitude: row.3)
        #expect(abs(one.distance(from: other) - row.4) <= row.4 * 0.006)
        #expect(abs(one.distance(from: other) - other.distance(from: one)) < 0.001)
    }

    @Test func unknownFactsAreNegative() {
        let place = CLLocation(latitude: 1, longitude: 2)
        #expect(place.coordinate.latitude == 1 && place.coordinate.longitude == 2)
        #expect(place.verticalAccuracy < 0 && place.speed < 0 && place.course < 0)
        #expect(CLLocationCoordinate2DIsValid(place.coordinate))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(91, 0)))
    }

    @Test func movementsKnowTheirAccuracy() {
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2),
            altitude: 3,
            horizontalAccuracy: 4,
            verticalAccuracy: 5,
            course: 6,
            courseAccuracy: 7,
            speed: 8,
            speedAccuracy: 9,
            timestamp: Date(timeIntervalSince1970: 10)
        )
        #expect(place.course == 6 && place.courseAccuracy == 7)
        #expect(place.description.contains("3.0 m"))
        #expect(place.speed == 8 && place.speedAccuracy == 9)
        #expect(CLLocation(latitude: 0, longitude: 0).courseAccuracy == -1)
    }
}
