internal import LibraryService
internal import PhotoModel

/// The facets of a search: the cameras and places of a library's photos.
///
/// Predicates refer to them by keys that `PHAsset` does not have: `cameraMake`, `cameraModel`,
/// `lensModel`, `aperture`, `exposureTime`, `isoSpeed`, `focalLength`, `latitude`, `longitude`,
/// `altitude`, and `places`. The last one CONTAINS the names of a photo's place, region and country
/// in English and in the user's language, and the two-letter country code. The keys are supported
/// in fetches from a library of swift-photos.
public struct SearchFacets: Sendable, Hashable {
    /// A camera model.
    public struct Camera: Sendable, Hashable {
        /// The manufacturer, as recorded in the files.
        public var make: String?
        /// The model name, as recorded in the files.
        public var model: String
        /// The number of assets taken with the camera, excluding hidden ones.
        public var count: Int
    }

    /// A named place in or near which photos were taken.
    ///
    /// It is the nearest place of the gazetteer, among those with at least 5,000 inhabitants.
    public struct Place: Sendable, Hashable {
        /// The city; nil if no city is near the photos.
        public var city: String?
        /// The region; nil if there is a city.
        public var region: String?
        /// The country code, two letters of ISO 3166-1.
        public var countryCode: String?
        /// The country in the user's language.
        public var country: String?
        /// The number of assets taken at the place, excluding hidden ones.
        public var count: Int
    }

    /// The cameras, the most frequent first.
    public var cameras: [Camera]
    /// The places, the most frequent first.
    public var places: [Place]
}

extension PhotoLibraryBundle {
    /// Returns the cameras and places of the library's photos.
    ///
    /// The call scans indexes, and looks up a name for each area of about one square kilometer that
    /// contains photos. A large library with many places takes seconds the first time.
    ///
    /// - Parameter limit: The maximum number of cameras, and of places.
    /// - Returns: The facets with the most assets, excluding hidden and deleted assets.
    /// - Throws: `PHPhotosError` when the library cannot be read, and for a program without access
    ///   to every asset.
    public func searchFacets(limit: Int = 500) throws -> SearchFacets {
        let reply = try edge { () throws(LibraryError) in
            try service.searchFacets(SearchFacetsRequest(limit: max(0, limit)))
        }
        return SearchFacets(
            cameras: reply.cameras.map {
                SearchFacets.Camera(make: $0.make, model: $0.model, count: $0.count)
            },
            places: reply.places.map {
                SearchFacets.Place(
                    city: $0.city,
                    region: $0.region,
                    countryCode: $0.countryCode,
                    country: $0.country,
                    count: $0.count
                )
            }
        )
    }
}
