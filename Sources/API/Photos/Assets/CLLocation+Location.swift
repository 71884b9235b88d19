internal import Foundation
internal import PhotoModel
internal import PhotosCompanions

extension CLLocation {
    /// Creates a Core Location object from a location stored in the library.
    ///
    /// The vertical accuracy is positive, as programs expect of a valid altitude, or negative if
    /// the stored location has no altitude.
    convenience init(_ place: Location, timestamp: Date) {
        self.init(
            coordinate: CLLocationCoordinate2D(
                latitude: place.latitude,
                longitude: place.longitude
            ),
            altitude: place.altitude ?? 0,
            horizontalAccuracy: 0,
            verticalAccuracy: place.altitude == nil ? -1 : 1,
            timestamp: timestamp
        )
    }
}
