internal import Foundation
internal import PhotoModel

extension Gazetteer {
    /// A place found by name.
    package struct NamedPlace: Equatable, Sendable {
        package var place: Place
        /// The latitude in degrees.
        package var latitude: Double
        package var longitude: Double
        /// The radius of the place in kilometers, measured from its coordinates.
        package var reach: Double
    }

    /// Returns the places with a given name, in descending order of their radius.
    ///
    /// Case and diacritics are ignored.
    ///
    /// Compares all names, which takes about ten milliseconds.
    package func places(named name: String) -> [NamedPlace] {
        let wanted = Self.folded(name)
        guard !wanted.isEmpty else { return [] }
        let ascii = wanted.utf8.first.map { $0 < 128 } ?? false
        return (0..<count).compactMap { index -> NamedPlace? in
            guard let found = namedPlace(index), let city = found.place.city else { return nil }
            // Most names differ in the first letter, and folding costs more than this comparison.
            if ascii, let first = city.utf8.first, first < 128, first | 32 != wanted.utf8.first {
                return nil
            }
            return Self.folded(city) == wanted ? found : nil
        }.sorted { $0.reach > $1.reach }
    }

    /// Returns a name with its case and diacritics removed, for comparisons.
    package static func folded(_ name: String) -> String {
        name.trimmingCharacters(in: .whitespaces).folding(
            options: [.caseInsensitive, .diacriticInsensitive],
            locale: nil
        ).lowercased()
    }
}
