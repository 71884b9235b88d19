internal import LibraryService
internal import PhotoModel

/// What a search can be narrowed by: the cameras and the places that a library has photos of.
///
/// Predicates name them by keys that `PHAsset` does not have: `cameraMake`, `cameraModel`, `lensModel`,
/// `aperture`, `exposureTime`, `isoSpeed`, `focalLength`, `latitude`, `longitude`, `altitude`, and `places`, which
/// CONTAINS the names of the place where a photo was taken, of its region and of its country, in English, in
/// the user's language and by its two letters. They hold for fetches from a library of swift-photos.
public struct SearchFacets: Sendable, Hashable {
    /// A model of camera.
    public struct Camera: Sendable, Hashable {
        /// Who made it, as its files say.
        public var make: String?
        /// What it is called, as its files say.
        public var model: String
        /// How many assets that are not hidden were taken with it.
        public var count: Int
    }

    /// A place with a name, the nearest of 5,000 people and more that the gazetteer knows.
    public struct Place: Sendable, Hashable {
        /// Nil far from all of them.
        public var city: String?
        /// Where there is no city.
        public var region: String?
        /// ISO 3166-1, two letters.
        public var countryCode: String?
        /// In the user's language.
        public var country: String?
        /// How many assets that are not hidden were taken there.
        public var count: Int
    }

    /// The most frequent first.
    public var cameras: [Camera]
    /// The most frequent first.
    public var places: [Place]
}

extension PhotoLibraryBundle {
    /// The cameras and places that the library has photos of.
    ///
    /// Walks over indexes, and looks a name up for each square kilometre, about, that photos are of: a large
    /// library of many places takes seconds the first time.
    ///
    /// - Parameter limit: So many cameras, and so many places, at most.
    /// - Returns: Those with the most assets; hidden and deleted assets do not count.
    /// - Throws: `PHPhotosError` when the library cannot be read, and for a program that may not see all.
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
