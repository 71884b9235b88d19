public import Foundation
internal import Geography

/// What a place is called.
///
/// Names are those of the gazetteer that comes with the library: places of 5,000 people and more, their
/// regions and countries. Streets, postal codes and waters are not in it, and nil.
open class CLPlacemark: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open; every stored property is an immutable value.

    /// Where it is.
    public let location: CLLocation?
    /// The zone of its time; nil where more than one may be meant.
    public let timeZone: TimeZone?
    /// The city or town; nil far from all that are known.
    public let locality: String?
    /// The state, province or region, by its whole name.
    public let administrativeArea: String?
    /// The country, in the language that was asked for.
    public let country: String?
    /// The country's two letters (ISO 3166-1).
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

    /// The same place as another placemark.
    public init(placemark: CLPlacemark) {
        location = placemark.location
        timeZone = placemark.timeZone
        locality = placemark.locality
        administrativeArea = placemark.administrativeArea
        country = placemark.country
        isoCountryCode = placemark.isoCountryCode
        super.init()
    }

    /// The smallest of the names that are known.
    open var name: String? { locality ?? administrativeArea ?? country }
    /// The part of the city; not known.
    open var subLocality: String? { nil }
    /// The part of the region; not known.
    open var subAdministrativeArea: String? { nil }
    /// The street; not known.
    open var thoroughfare: String? { nil }
    /// The number in the street; not known.
    open var subThoroughfare: String? { nil }
    /// The postal code; not known.
    open var postalCode: String? { nil }
    /// The lake or river; not known.
    open var inlandWater: String? { nil }
    /// The ocean; not known.
    open var ocean: String? { nil }
    /// What is of interest there; not known.
    open var areasOfInterest: [String]? { nil }

    /// Itself: a placemark never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Itself: a placemark never changes.
    open override func copy() -> Any { self }

    /// The names, from the smallest.
    open override var description: String {
        [locality, administrativeArea, country].compactMap(\.self).joined(separator: ", ")
    }
}
