internal import Foundation

/// A parser for dates in movie metadata.
enum MetadataDate {
    /// Returns the date of an ISO 8601 string with an offset from UTC; nil for anything else.
    ///
    /// Fractions of a second and the separator in the offset are optional. A local time without an
    /// offset is not accepted.
    static func instant(_ text: String) -> Date? {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(\.\d+)?\s*(?:(Z)|([+-])(\d\d):?(\d\d))/
        // Other digits are no numbers for `Int`.
        let plain = text.trimmingCharacters(in: .whitespaces)
        guard let match = try? pattern.asciiOnlyDigits().wholeMatch(in: plain) else { return nil }
        let parts = match.output
        var offset = 0
        if parts.8 == nil, let sign = parts.9, let hours = parts.10.flatMap({ Int($0) }),
            let minutes = parts.11.flatMap({ Int($0) })
        {
            guard hours < 24, minutes < 60 else { return nil }
            offset = (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            year: Int(parts.1),
            month: Int(parts.2),
            day: Int(parts.3),
            hour: Int(parts.4),
            minute: Int(parts.5),
            second: Int(parts.6)
        )
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components)
        else { return nil }
        let fraction = parts.7.flatMap { Double("0\($0)") } ?? 0
        return date.addingTimeInterval(fraction - Double(offset))
    }
}
