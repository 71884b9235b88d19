internal import Foundation
internal import PhotoModel

extension Gazetteer {
    /// A place that was found by its name.
    package struct NamedPlace: Equatable, Sendable {
        package var place: Place
        /// Degrees.
        package var latitude: Double
        package var longitude: Double
        /// Kilometers.
        package var reach: Double
    }

    /// The places with a name, whatever its case and diacritics, from the largest.
    ///
    /// Every name is compared, which takes some ten milliseconds.
    package func places(named name: String) -> [NamedPlace] {
        let wanted = Self.folded(name)
        guard !wanted.isEmpty else { return [] }
        let ascii = wanted.utf8.first.map { $0 < 128 } ?? false
        return (0..<count).compactMap { index -> NamedPlace? in
            guard let found = namedPlace(index), let city = found.place.city else { return nil }
            // Most names differ in their first letter, and folding them costs more than that.
            if ascii, let first = city.utf8.first, first < 128, first | 32 != wanted.utf8.first {
                return nil
            }
            return Self.folded(city) == wanted ? found : nil
        }.sorted { $0.reach > $1.reach }
    }

    /// A name without case and diacritics.
    package static func folded(_ name: String) -> String {
        name.trimmingCharacters(in: .whitespaces).folding(
            options: [.caseInsensitive, .diacriticInsensitive],
            locale: nil
        ).lowercased()
    }
}
