internal import Foundation
internal import GRDB
internal import Geography
internal import PhotoModel

/// What moments and lists of them are called: by their place where one is known, else by their date.
///
/// Names of countries and dates are in the user's language, as POSIX has it (`LC_ALL`, `LC_MESSAGES`,
/// `LANG`); names of places as the gazetteer has them.
struct MomentTitles {
    private let gazetteer: Gazetteer?
    private let locale: Locale

    init(gazetteer: Gazetteer?, locale: Locale) {
        self.gazetteer = gazetteer
        self.locale = locale
    }

    /// Those of the user.
    static let ofUser = MomentTitles(gazetteer: .installed, locale: userLocale)

    /// The title of a group.
    ///
    /// - Parameters:
    ///   - level: How large a group it is.
    ///   - time: When it begins; see `TimelineKey`.
    ///   - place: Where it is; of a list, where the most of it is.
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

    /// The names of a place, from the smallest: the place, its region, its country.
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

    /// `ph_moment_title(level, time, placeCount, x, y, z)`: a group's title.
    private static let title = DatabaseFunction("ph_moment_title", argumentCount: 6, pure: true) {
        values in
        guard let level = Int.fromDatabaseValue(values[0]).flatMap(MomentLevel.init(rawValue:)),
            let time = Int64.fromDatabaseValue(values[1])
        else { return nil }
        return ofUser.title(level, time: time, place: place(values[2...]))
    }

    /// `ph_moment_names(placeCount, x, y, z)`: the names of a group's place, as a JSON list.
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
