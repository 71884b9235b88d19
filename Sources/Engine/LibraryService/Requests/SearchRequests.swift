/// A request for the facets by which a search can be narrowed.
package struct SearchFacetsRequest: Codable, Hashable, Sendable {
    /// The maximum number of facets of each kind.
    package var limit: Int
    package init(limit: Int) { self.limit = limit }
}

/// The cameras and places of the visible assets, the most frequent first.
package struct SearchFacetsReply: Codable, Hashable, Sendable {
    /// A camera model.
    package struct Camera: Codable, Hashable, Sendable {
        package var make: String?
        package var model: String
        package var count: Int
        package init(make: String?, model: String, count: Int) {
            self.make = make
            self.model = model
            self.count = count
        }
    }

    /// A named place.
    package struct Place: Codable, Hashable, Sendable {
        /// The city; nil if no known place is near.
        package var city: String?
        /// The region, for a place without a city.
        package var region: String?
        /// The country code, two letters of ISO 3166-1.
        package var countryCode: String?
        /// The country in the user's language.
        package var country: String?
        package var count: Int
        package init(
            city: String?,
            region: String?,
            countryCode: String?,
            country: String?,
            count: Int
        ) {
            self.city = city
            self.region = region
            self.countryCode = countryCode
            self.country = country
            self.count = count
        }
    }

    package var cameras: [Camera]
    package var places: [Place]
    package init(cameras: [Camera], places: [Place]) {
        self.cameras = cameras
        self.places = places
    }
}
