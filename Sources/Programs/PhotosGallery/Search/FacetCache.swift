internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The facets by which a search can be narrowed: years, cameras and places.
///
/// Finding them reads indexes of all assets, so the result is cached until a change that can affect
/// it. Setting a favorite or a title, for example, does not.
final class FacetCache: Sendable {
    /// The asset properties whose update cannot affect the facets.
    private static let others: Set<String> = [
        "isFavorite", "title", "caption", "keywords", "rating", "modificationDate",
    ]

    let library: PhotoLibraryBundle
    private let known = Mutex<(version: Int64, json: String)?>(nil)
    private let searches = Atomic(0)

    /// The number of times that the whole library was searched for facets.
    var searchCount: Int { searches.load(ordering: .relaxed) }

    init(library: PhotoLibraryBundle) {
        self.library = library
    }

    /// Returns all facets as JSON for the page.
    func json() throws -> String {
        let version = try library.version
        if let known = known.withLock(\.self) {
            if known.version == version { return known.json }
            let changes = RecentChanges(library: library)
            let isCurrent = try !changes.contain(since: known.version, to: version) { change in
                change.kind != .updated || change.properties.isEmpty
                    || !Self.others.isSuperset(of: change.properties)
            }
            if isCurrent {
                self.known.withLock { $0 = (version, known.json) }
                return known.json
            }
        }
        let json = try find()
        known.withLock { $0 = (version, json) }
        return json
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

    /// The maximum number of cameras, and of places.
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
