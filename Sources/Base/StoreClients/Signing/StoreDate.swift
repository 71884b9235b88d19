package import FoundationEssentials

/// Conversions of dates in the formats of HTTP, S3 listings and signatures, all in UTC.
package enum StoreDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110); returns nil for other text.
    package static func fromHTTP(_ text: String) -> Date? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, words.count == 6, words[5] == "GMT",
            let day = number(words[1], digits: 2), let year = number(words[3], digits: 4),
            let month = months.firstIndex(of: String(words[2]))
        else { return nil }
        return date(year: year, month: month + 1, day: day, clock: words[4])
    }

    /// Parses `2009-10-12T17:50:30.000Z`, with or without a fraction; returns nil for other text.
    package static func fromListing(_ text: String) -> Date? {
        guard text.utf8.count <= 40, text.hasSuffix("Z") else { return nil }
        let halves = text.dropLast().split(separator: "T", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let day = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard day.count == 3, let year = number(day[0], digits: 4),
            let month = number(day[1], digits: 2), let dayOfMonth = number(day[2], digits: 2)
        else { return nil }
        return date(year: year, month: month, day: dayOfMonth, clock: halves[1].prefix(8))
    }

    /// Returns a date in the format of a signature, such as `20150830T123600Z`.
    package static func signing(_ date: Date) -> String {
        // A clock that is centuries off, or not a number, makes an invalid signature, not a trap.
        let limit = 253_402_300_799.0
        let exact = date.timeIntervalSince1970
        let seconds = exact > 0 ? Int(min(exact, limit)) : 0
        let day = civil(daysSince1970: seconds / 86_400)
        let time = seconds % 86_400
        return padded(day.year, 4) + padded(day.month, 2) + padded(day.day, 2) + "T"
            + padded(time / 3600, 2) + padded(time / 60 % 60, 2) + padded(time % 60, 2) + "Z"
    }

    private static func date(year: Int, month: Int, day: Int, clock: Substring) -> Date? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2),
            let minute = number(parts[1], digits: 2), let second = number(parts[2], digits: 2),
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return Date(
            timeIntervalSince1970: Double(days * 86_400 + hour * 3600 + minute * 60 + second)
        )
    }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return Int(text)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    // Both follow Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”: years begin in
    // March, so that the leap day is the last one.
    // https://howardhinnant.github.io/date_algorithms.html
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
