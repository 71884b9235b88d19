import ArgumentParser
import Foundation

/// A command-line argument that is an ISO 8601 date, or `none`.
struct DateArgument: ExpressibleByArgument {
    /// The date; nil for `none`.
    let date: Date?

    init?(argument: String) {
        if argument == "none" {
            date = nil
            return
        }
        guard let date = Self.date(argument) else { return nil }
        self.date = date
    }

    /// Parses `2024-05-01`, or a time such as `2024-05-01T12:30` or `2024-05-01 12:30:45.5`.
    ///
    /// A time may be followed by `Z` or an offset such as `+02:00`. Otherwise it is in this
    /// computer's time zone.
    private static func date(_ text: String) -> Date? {
        let form =
            /(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)([.,]\d{1,9})?)?)?([Zz]|[+-]\d\d(?::?\d\d)?)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        let parts = match.output
        // An offset is only accepted with a time.
        if parts.4 == nil, parts.8 != nil { return nil }
        var calendar = Calendar(identifier: .gregorian)
        if let offset = parts.8 {
            guard let zone = zone(offset) else { return nil }
            calendar.timeZone = zone
        } else {
            calendar.timeZone = TimeZone.current
        }
        let components = DateComponents(
            year: Int(parts.1),
            month: Int(parts.2),
            day: Int(parts.3),
            hour: parts.4.map { Int($0) ?? -1 } ?? 0,
            minute: parts.5.map { Int($0) ?? -1 } ?? 0,
            second: parts.6.map { Int($0) ?? -1 } ?? 0
        )
        guard isValid(components), let date = calendar.date(from: components) else { return nil }
        let fraction = parts.7.flatMap { Double("0." + $0.dropFirst()) } ?? 0
        return date.addingTimeInterval(fraction)
    }

    private static func zone(_ offset: Substring) -> TimeZone? {
        if offset == "Z" || offset == "z" { return TimeZone(secondsFromGMT: 0) }
        let digits = offset.dropFirst().filter(\.isNumber)
        guard let hours = Int(digits.prefix(2)), let minutes = Int("0" + digits.dropFirst(2)),
            hours <= 18, minutes < 60
        else { return nil }
        return TimeZone(
            secondsFromGMT: (offset.first == "-" ? -1 : 1) * (hours * 60 + minutes) * 60
        )
    }

    /// Validates the components, because the calendar would convert February 30 to a day in March.
    private static func isValid(_ parts: DateComponents) -> Bool {
        guard let year = parts.year, let month = parts.month, let day = parts.day,
            let hour = parts.hour, let minute = parts.minute, let second = parts.second
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return year > 0 && (1...12).contains(month) && (1...lengths[month - 1]).contains(day)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...59).contains(second)
    }
}
