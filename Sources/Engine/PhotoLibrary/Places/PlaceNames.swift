internal import Foundation
internal import GRDB
internal import Geography
internal import PhotoModel
internal import Synchronization

/// What the places are called where photos were taken, for searches: a place's own name, its region and
/// its country, in English, in the user's language and by its two letters.
///
/// Looked up for cells of a hundredth of a degree, about a kilometre, so that a library's many photos of few
/// places cost few look-ups. Thread-safe.
final class PlaceNames: Sendable {
    /// A hundredth of a degree each way.
    struct Cell: Hashable {
        let latitude: Int32
        let longitude: Int32

        /// The cell that a place is in; nil for what is no place.
        init?(latitude: Double, longitude: Double) {
            guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
                return nil
            }
            self.latitude = Int32((latitude * 100).rounded())
            self.longitude = Int32((longitude * 100).rounded())
        }
    }

    /// What is known of a cell.
    struct Names {
        let place: Gazetteer.Place
        /// In the user's language.
        let country: String?
        let all: [String]
        /// Without case and diacritics.
        let folded: [String]
    }

    /// Those of the user.
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

    /// The names of a cell; nil far from all places that are known.
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

    /// Whether a place or what it lies in is called so.
    ///
    /// - Parameters:
    ///   - latitude: Where it is.
    ///   - longitude: Where it is.
    ///   - name: A whole name, folded as the options say.
    ///   - options: 1 for case, 2 for diacritics.
    /// - Returns: False for what is no place.
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

    /// `ph_is_in(latitude, longitude, name, options)`: whether a place is called so.
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
