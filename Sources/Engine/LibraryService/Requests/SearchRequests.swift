/// Asks what a search can be narrowed by.
package struct SearchFacetsRequest: Codable, Hashable, Sendable {
    /// So many of each sort at most.
    package var limit: Int
    package init(limit: Int) { self.limit = limit }
}

/// With which cameras and where the visible assets were taken, the most frequent first.
package struct SearchFacetsReply: Codable, Hashable, Sendable {
    /// A model of camera.
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

    /// A place with a name.
    package struct Place: Codable, Hashable, Sendable {
        /// Nil far from all places that are known.
        package var city: String?
        /// Of a place without a city.
        package var region: String?
        /// ISO 3166-1, two letters.
        package var countryCode: String?
        /// In the user's language.
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
