/// A date and time of day as a clock shows them, without a time zone.
package struct WallTime: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    /// The second, 0...60: a camera may count a leap second.
    package var second: Int
    /// The digits of the fraction of a second as written, without trailing garbage; empty for none.
    package var fraction: String
    /// Indicates whether a time of day was written; if not, the time of day is midnight.
    package var hasTime: Bool

    /// The plausible years: from the beginning of photography to the latest setting of camera
    /// clocks.
    package static let plausibleYears = 1826...2199

    /// Seconds from 1970 to this time interpreted as UTC, including the fraction.
    package var secondsSince1970: Double {
        Double(wholeSecondsSince1970) + fractionOfSecond
    }

    /// Whole seconds from 1970 to this time interpreted as UTC.
    package var wholeSecondsSince1970: Int {
        Self.days(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// The fraction of a second, 0 ≤ … < 1.
    package var fractionOfSecond: Double {
        fraction.isEmpty ? 0 : Double("0." + fraction) ?? 0
    }

    /// The text form, `YYYY-MM-DDTHH:MM:SS[.fff]`.
    package var text: String {
        let date = [Self.padded(year, 4), Self.padded(month, 2), Self.padded(day, 2)]
        let time = [Self.padded(hour, 2), Self.padded(minute, 2), Self.padded(second, 2)]
        return date.joined(separator: "-") + "T" + time.joined(separator: ":")
            + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Indicates whether the date and time are valid and could be a photo's capture time.
    package var isPlausible: Bool {
        guard Self.plausibleYears.contains(year), (1...12).contains(month),
            (1...Self.daysInMonth(month, year: year)).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return false }
        return !isZeroOfAnEpoch
    }

    /// Indicates whether this is the start of QuickTime's or Unix's epoch, as shown by a clock that
    /// was never set.
    private var isZeroOfAnEpoch: Bool {
        (year == 1904 || year == 1970) && month == 1 && day == 1 && hour == 0 && minute == 0
            && second == 0
    }

    // MARK: - Calendar

    /// Returns the number of days from 1970-01-01 to a day of the Gregorian calendar.
    ///
    /// After Howard Hinnant, https://howardhinnant.github.io/date_algorithms.html#days_from_civil.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2:
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension WallTime {
    /// Creates a wall time from `seconds`: the seconds since 1970 in UTC plus the clock's UTC
    /// offset.
    ///
    /// Times beyond three million years are clamped.
    package init(secondsSince1970 seconds: Double) {
        let limit = 1e14
        let limited = seconds.isNaN ? 0 : min(max(seconds, -limit), limit)
        let whole = limited.rounded(.down)
        let total = Int(whole)
        let day = total >= 0 ? total / 86_400 : (total - 86_399) / 86_400
        let time = total - day * 86_400
        // The inverse of `days`, by the same author.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let milliseconds = Int(((limited - whole) * 1_000).rounded(.down))
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
            hour: time / 3_600,
            minute: time % 3_600 / 60,
            second: time % 60,
            fraction: milliseconds == 0 ? "" : Self.padded(milliseconds, 3),
            hasTime: true
        )
    }
}
