internal import Foundation
internal import LibraryService

/// The conversion of a constant to a date, for `CAST(…, 'NSDate')` in a format.
///
/// It expresses a date without an argument, for example on a command line.
enum PredicateDate {
    /// Returns the date for a constant, or nil if the constant does not represent a date.
    ///
    /// A number is in seconds since 2001-01-01 00:00 UTC, as in Apple's CAST. A string is in ISO
    /// 8601 format: `2024-05-01`, `2024-05-01T18:30`, `2024-05-01 18:30:15.5`, optionally followed
    /// by `Z` or an offset. Without one it is in this computer's time zone.
    static func date(from constant: PredicateValue, timeZone: TimeZone = .current) -> Date? {
        switch constant {
        case .integer(let seconds): Date(timeIntervalSinceReferenceDate: Double(seconds))
        case .real(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .date(let date): date
        case .string(let text): date(from: text, timeZone: timeZone)
        case .null, .bool, .object: nil
        }
    }

    private static func date(from text: String, timeZone: TimeZone) -> Date? {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        guard let zone = zone(match.8.map(String.init), otherwise: timeZone) else { return nil }
        calendar.timeZone = zone
        let components = DateComponents(
            year: Int(match.1),
            month: Int(match.2),
            day: Int(match.3),
            hour: match.4.flatMap { Int($0) } ?? 0,
            minute: match.5.flatMap { Int($0) } ?? 0,
            second: match.6.flatMap { Int($0) } ?? 0
        )
        // A calendar would accept February 30 as March 1, but in a format it is a mistake.
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components)
        else {
            return nil
        }
        return date.addingTimeInterval(match.7.flatMap { Double("0" + $0) } ?? 0)
    }

    private static func zone(_ text: String?, otherwise zone: TimeZone) -> TimeZone? {
        guard let text else { return zone }
        if text == "Z" { return .gmt }
        let digits = text.dropFirst().filter(\.isNumber)
        guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)),
            hours < 24, minutes < 60
        else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return TimeZone(secondsFromGMT: text.hasPrefix("-") ? -seconds : seconds)
    }
}
