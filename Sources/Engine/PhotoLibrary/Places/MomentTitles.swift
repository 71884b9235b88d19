internal import Foundation
internal import GRDB
internal import Geography
internal import PhotoModel

/// Titles of moments and moment lists: the place if it is known, otherwise the date.
///
/// Names of countries and dates are in the user's language according to POSIX (`LC_ALL`,
/// `LC_MESSAGES`, `LANG`). Names of places are those of the gazetteer.
struct MomentTitles {
    private let gazetteer: Gazetteer?
    private let locale: Locale

    init(gazetteer: Gazetteer?, locale: Locale) {
        self.gazetteer = gazetteer
        self.locale = locale
    }

    /// An instance with the installed gazetteer and the user's locale.
    static let ofUser = MomentTitles(gazetteer: .installed, locale: userLocale)

    /// Returns the title of a moment or moment list.
    ///
    /// - Parameters:
    ///   - level: The level of the group.
    ///   - time: The start of the group; see `TimelineKey`.
    ///   - place: The location of the group; for a list, that of its moment with the most located
    ///     assets.
    /// - Returns: A place, a date, a month or a year.
    func title(_ level: MomentLevel, time: Int64, place: Location?) -> String {
        let date = Date(timeIntervalSinceReferenceDate: Double(time) / 1_000)
        if level == .year { return "\(MomentRule.civil(day(time)).year)" }
        let names = place.map(self.names) ?? []
        if let first = names.first {
            return names.count > 1 ? first + ", " + names[1] : first
        }
        var style = Date.FormatStyle(
            locale: locale,
            calendar: Calendar(identifier: .gregorian),
            timeZone: .gmt
        )
        style = style.month(.wide).year()
        return date.formatted(level == .moment ? style.day() : style)
    }

    /// Returns the names of a location, most specific first: the place, its region and its country.
    func names(_ place: Location) -> [String] {
        guard
            let found = gazetteer?.place(latitude: place.latitude, longitude: place.longitude)
        else { return [] }
        let country = found.countryCode.flatMap { locale.localizedString(forRegionCode: $0) }
        var names: [String] = []
        for name in [found.city, found.region, country ?? found.countryCode] {
            if let name, !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }

    private func day(_ time: Int64) -> Int64 {
        TimelineKey(time: time, latitude: TimelineKey.nowhere, longitude: TimelineKey.nowhere).day
    }

    static var userLocale: Locale { UserLocale.current }

    // MARK: - As SQL

    static func register(in database: Database) {
        database.add(function: title)
        database.add(function: names)
    }

    /// The SQL function `ph_moment_title(level, time, placeCount, x, y, z)`, which returns a
    /// group's title.
    private static let title = DatabaseFunction("ph_moment_title", argumentCount: 6, pure: true) {
        values in
        guard let level = Int.fromDatabaseValue(values[0]).flatMap(MomentLevel.init(rawValue:)),
            let time = Int64.fromDatabaseValue(values[1])
        else { return nil }
        return ofUser.title(level, time: time, place: place(values[2...]))
    }

    /// The SQL function `ph_moment_names(placeCount, x, y, z)`, which returns the names of a
    /// group's location as a JSON list.
    private static let names = DatabaseFunction("ph_moment_names", argumentCount: 4, pure: true) {
        values in
        JournalValue.encode(strings: place(values[...]).map(ofUser.names) ?? [])
    }

    private static func place(_ values: ArraySlice<DatabaseValue>) -> Location? {
        let numbers = values.compactMap { Int64.fromDatabaseValue($0) }
        guard numbers.count == 4 else { return nil }
        return MomentTotals.place(
            count: Int(numbers[0]),
            x: numbers[1],
            y: numbers[2],
            z: numbers[3]
        )
    }
}
