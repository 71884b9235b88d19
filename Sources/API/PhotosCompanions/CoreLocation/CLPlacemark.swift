public import Foundation
internal import Geography

/// A location and its place names.
///
/// Names come from the library's bundled gazetteer, which has places of at least 5,000 people with
/// their regions and countries. It has no streets, postal codes or bodies of water, so those
/// properties are nil.
open class CLPlacemark: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is an immutable value.

    /// The location.
    public let location: CLLocation?
    /// The time zone; nil if ambiguous or unknown.
    public let timeZone: TimeZone?
    /// The city or town; nil if no known place is nearby.
    public let locality: String?
    /// The full name of the state, province or region.
    public let administrativeArea: String?
    /// The country, in the requested language.
    public let country: String?
    /// The two-letter country code (ISO 3166-1).
    public let isoCountryCode: String?

    init(_ place: Gazetteer.Place, at location: CLLocation, _ locale: Locale) {
        self.location = location
        locality = place.city
        administrativeArea = place.region
        isoCountryCode = place.countryCode
        country =
            place.countryCode.flatMap { locale.localizedString(forRegionCode: $0) }
            ?? place.countryCode
        let zones =
            TimeZoneMap.installed?.zones(
                latitude: location.coordinate.latitude,
                longitude: location.coordinate.longitude
            ) ?? []
        timeZone = zones.count == 1 ? TimeZone(identifier: zones[0]) : nil
        super.init()
    }

    /// Creates a copy of another placemark.
    public init(placemark: CLPlacemark) {
        location = placemark.location
        timeZone = placemark.timeZone
        locality = placemark.locality
        administrativeArea = placemark.administrativeArea
        country = placemark.country
        isoCountryCode = placemark.isoCountryCode
        super.init()
    }

    /// The most specific known name.
    open var name: String? { locality ?? administrativeArea ?? country }
    /// The neighborhood; always nil.
    open var subLocality: String? { nil }
    /// The county or district; always nil.
    open var subAdministrativeArea: String? { nil }
    /// The street; always nil.
    open var thoroughfare: String? { nil }
    /// The street number; always nil.
    open var subThoroughfare: String? { nil }
    /// The postal code; always nil.
    open var postalCode: String? { nil }
    /// The lake or river; always nil.
    open var inlandWater: String? { nil }
    /// The ocean; always nil.
    open var ocean: String? { nil }
    /// The points of interest; always nil.
    open var areasOfInterest: [String]? { nil }

    /// Returns the placemark itself, because placemarks are immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns the placemark itself, because placemarks are immutable.
    open override func copy() -> Any { self }

    /// A description with the place names, the most specific first.
    open override var description: String {
        [locality, administrativeArea, country].compactMap(\.self).joined(separator: ", ")
    }
}
