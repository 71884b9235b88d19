internal import Foundation

/// A geographic bounding box that extends from its center by a distance in kilometers in each
/// direction.
struct NearRegion {
    private static let kilometresPerDegree = 111.195
    /// The default distance in kilometers.
    private static let standard = 5.0

    let latitude: Double
    let longitude: Double
    let kilometres: Double

    /// Parses `LATITUDE,LONGITUDE` or `LATITUDE,LONGITUDE,KILOMETERS`; returns nil for any other
    /// text.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard numbers.count == parts.count, (2...3).contains(parts.count),
            (-90...90).contains(numbers[0]), (-180...180).contains(numbers[1])
        else { return nil }
        let kilometres = numbers.count == 3 ? numbers[2] : Self.standard
        guard kilometres > 0, kilometres <= 20_000 else { return nil }
        (latitude, longitude, self.kilometres) = (numbers[0], numbers[1], kilometres)
    }

    /// The predicate format for assets in the box.
    var predicate: String {
        let height = kilometres / Self.kilometresPerDegree
        let (south, north) = (latitude - height, latitude + height)
        let band = "latitude BETWEEN {\(Self.text(max(-90, south))), \(Self.text(min(90, north)))}"
        // Around a pole, all longitudes are in the region.
        let widest = max(abs(south), abs(north))
        guard widest < 90 else { return "(\(band))" }
        let width = height / cos(widest * .pi / 180)
        guard width < 180 else { return "(\(band))" }
        let (west, east) = (longitude - width, longitude + width)
        if west >= -180, east <= 180 {
            return "(\(band) AND longitude BETWEEN {\(Self.text(west)), \(Self.text(east))})"
        }
        // Across the antimeridian, the region continues at the other end.
        let start = west < -180 ? west + 360 : west
        let end = east > 180 ? east - 360 : east
        return "(\(band) AND (longitude >= \(Self.text(start)) OR longitude <= \(Self.text(end))))"
    }

    /// Formats a coordinate with a precision of about a meter.
    ///
    /// Predicate formats do not support exponents.
    private static func text(_ number: Double) -> String {
        String(format: "%.5f", locale: Locale(identifier: "en_US_POSIX"), number)
    }
}
