internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The facets by which a search can be narrowed: years, cameras and places.
///
/// Finding the facets reads indexes of all assets, so the result is cached. After a change that can
/// affect the facets, they are found again in the background. Setting a favorite or a title, for
/// example, does not affect them. A session that may not see hidden photos receives no facets from
/// before a photo was hidden.
final class FacetCache: Sendable {
    /// The asset properties whose changes cannot affect the facets.
    private static let others: Set<String> = [
        "isFavorite", "title", "caption", "keywords", "rating", "modificationDate",
    ]

    private struct Facets: Sendable {
        /// The latest version of the library for which the facets are known to be correct.
        var version: Int64
        var json: String
    }

    let library: PhotoLibraryBundle
    private let showsHidden: Bool
    private let known: RecomputedValue<Facets>
    private let searches = Atomic(0)

    /// The number of times that the whole library was read to find the facets.
    var searchCount: Int { searches.load(ordering: .relaxed) }

    /// Creates a cache for a view of the library.
    ///
    /// - Parameters:
    ///   - library: The view.
    ///   - showsHidden: Whether the sessions of the view may see hidden photos.
    ///   - patience: The time for which a request waits if there are former facets.
    init(
        library: PhotoLibraryBundle,
        showsHidden: Bool,
        patience: Duration = .milliseconds(300)
    ) {
        self.library = library
        self.showsHidden = showsHidden
        known = RecomputedValue(patience: patience)
    }

    /// Returns all facets as JSON for the page.
    func json() throws -> String {
        let version = try library.version
        return try known.value(
            renewed: {
                try $0.version >= version || self.hold($0, at: version)
                    ? Facets(version: max($0.version, version), json: $0.json) : nil
            },
            permitted: { try self.areWithoutHidden($0, at: version) },
            compute: { [self] in
                // What changes meanwhile belongs to a later version.
                let version = try library.version
                return Facets(version: version, json: try find())
            }
        ).json
    }

    /// Indicates whether the facets of an earlier version are still correct at a later version.
    private func hold(_ facets: Facets, at version: Int64) throws -> Bool {
        try !RecentChanges(library: library).contain(since: facets.version, to: version) { change in
            change.kind != .updated || change.properties.isEmpty
                || !Self.others.isSuperset(of: change.properties)
        }
    }

    /// Indicates whether no photo in the facets of an earlier version was hidden until a later one.
    ///
    /// In a view without hidden photos, hiding a photo is a deletion.
    private func areWithoutHidden(_ facets: Facets, at version: Int64) throws -> Bool {
        guard !showsHidden, facets.version < version else { return true }
        return try !RecentChanges(library: library).contain(since: facets.version, to: version) {
            $0.kind == .deleted || $0.properties.contains("isHidden")
        }
    }

    private func find() throws -> String {
        searches.add(1, ordering: .relaxed)
        var object = JSONObject()
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        let result = try library.fetchAssets(with: options)
        var years: [(year: Substring, count: Int)] = []
        for run in try library.captureDays(of: result) {
            guard let day = run.day else { continue }
            let year = Substring(day.description.prefix { $0 != "-" })
            if let last = years.indices.last, years[last].year == year {
                years[last].count += run.count
            } else if let index = years.firstIndex(where: { $0.year == year }) {
                years[index].count += run.count
            } else {
                years.append((year, run.count))
            }
        }
        object.add(
            "years",
            years.map { entry in
                var part = JSONObject()
                part.add("year", Int(entry.year))
                part.add("count", entry.count)
                return part
            }
        )
        let facets = try library.searchFacets(limit: Self.limit)
        object.add("cameras", facets.cameras.map(Self.json))
        object.add("places", facets.places.map(Self.json))
        return object.line
    }

    /// The maximum number of cameras and, separately, of places.
    private static let limit = 300

    private static func json(_ camera: SearchFacets.Camera) -> JSONObject {
        var part = JSONObject()
        // Many makers start the model's name with their own name.
        let make = camera.make ?? ""
        let hasMake = camera.model.lowercased().hasPrefix(make.lowercased())
        part.add("name", hasMake ? camera.model : make + " " + camera.model)
        part.add("make", camera.make)
        part.add("model", camera.model)
        let made = camera.make.map(SearchWords.quoted) ?? "nil"
        let model = SearchWords.quoted(camera.model)
        part.add("predicate", "(cameraModel = \(model) AND cameraMake = \(made))")
        part.add("count", camera.count)
        return part
    }

    private static func json(_ place: SearchFacets.Place) -> JSONObject {
        var part = JSONObject()
        let names = [place.city, place.region].compactMap(\.self)
        part.add("name", names.first ?? place.country ?? place.countryCode ?? "")
        part.add("country", place.country)
        part.add("countryCode", place.countryCode)
        let wanted = names + [place.countryCode].compactMap(\.self)
        let conditions = wanted.map { "places CONTAINS \(SearchWords.quoted($0))" }
        part.add("predicate", "(\(conditions.joined(separator: " AND ")))")
        part.add("count", place.count)
        return part
    }
}
