internal import Foundation
internal import GRDB
internal import Geography
internal import PhotoModel
internal import Synchronization

/// Looks up the names of the places where photos were taken, for searches.
///
/// They are a place's own name, its region and its country, the latter in English, in the user's
/// language and as its two-letter code. Names are looked up and cached for cells of a hundredth of
/// a degree (about a kilometer), so that many photos of few places cost few lookups. Thread-safe.
final class PlaceNames: Sendable {
    /// A cell of the map, a hundredth of a degree in each direction.
    struct Cell: Hashable {
        let latitude: Int32
        let longitude: Int32

        /// Creates the cell that contains a location; nil for invalid coordinates.
        init?(latitude: Double, longitude: Double) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
                return nil
            }
            self.latitude = Int32((latitude * 100).rounded())
            self.longitude = Int32((longitude * 100).rounded())
        }
    }

    /// The names of a cell.
    struct Names {
        let place: Gazetteer.Place
        /// The country's name in the user's language.
        let country: String?
        let all: [String]
        /// The names with case and diacritics folded.
        let folded: [String]
    }

    /// An instance with the installed gazetteer and the user's locale.
    static let ofUser = PlaceNames(gazetteer: .installed, locale: MomentTitles.userLocale)

    private static let limit = 65_536
    private static let english = Locale(identifier: "en")

    private let gazetteer: Gazetteer?
    private let locale: Locale
    private let known = Mutex<[Cell: Names?]>([:])

    init(gazetteer: Gazetteer?, locale: Locale) {
        self.gazetteer = gazetteer
        self.locale = locale
    }

    /// Returns the names of a cell; nil if no known place is near.
    func names(_ cell: Cell) -> Names? {
        if let names = known.withLock({ $0[cell] }) { return names }
        let names = find(cell)
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[cell] = .some(names)
        }
        return names
    }

    private func find(_ cell: Cell) -> Names? {
        let found = gazetteer?.place(
            latitude: Double(cell.latitude) / 100,
            longitude: Double(cell.longitude) / 100
        )
        guard let found else { return nil }
        let country = found.countryCode.flatMap { locale.localizedString(forRegionCode: $0) }
        let english = found.countryCode.flatMap {
            Self.english.localizedString(forRegionCode: $0)
        }
        var all: [String] = []
        for name in [found.city, found.region, country, english, found.countryCode] {
            if let name, !name.isEmpty, !all.contains(name) { all.append(name) }
        }
        return Names(
            place: found,
            country: country,
            all: all,
            folded: all.map { StringFunctions.folded($0, options: 3) }
        )
    }

    /// Returns whether a location is in a place, region or country with the given name.
    ///
    /// - Parameters:
    ///   - latitude: The latitude of the location.
    ///   - longitude: The longitude of the location.
    ///   - name: A whole name, folded according to the options.
    ///   - options: 1 to ignore case, 2 to ignore diacritics, or their sum.
    /// - Returns: False for invalid coordinates.
    func has(latitude: Double, longitude: Double, name: String, options: Int) -> Bool {
        guard let cell = Cell(latitude: latitude, longitude: longitude),
            let names = names(cell)
        else { return false }
        switch options {
        case 0: return names.all.contains(name)
        case 3: return names.folded.contains(name)
        default:
            return names.all.contains { StringFunctions.folded($0, options: options) == name }
        }
    }

    // MARK: - As SQL

    static func register(in database: Database) { database.add(function: isIn) }

    /// The SQL function `ph_is_in(latitude, longitude, name, options)`; see
    /// `has(latitude:longitude:name:options:)`.
    private static let isIn = DatabaseFunction("ph_is_in", argumentCount: 4, pure: true) { values in
        guard let latitude = Double.fromDatabaseValue(values[0]),
            let longitude = Double.fromDatabaseValue(values[1]),
            let name = String.fromDatabaseValue(values[2])
        else { return false }
        return ofUser.has(
            latitude: latitude,
            longitude: longitude,
            name: name,
            options: Int.fromDatabaseValue(values[3]) ?? 0
        )
    }
}
