package import Foundation

/// A date as a camera writes it: wall time, fraction, offset.
package struct SampleDate: Hashable, Sendable {
    /// `YYYY:MM:DD HH:MM:SS`.
    package var text: String
    /// The digits of the fraction of a second.
    package var subseconds: String?
    /// `+HH:MM` or `-HH:MM`.
    package var offset: String?

    /// Creates a date from a file's text, valid or not.
    package init(text: String, subseconds: String? = nil, offset: String? = nil) {
        self.text = text
        self.subseconds = subseconds
        self.offset = offset
    }

    /// Creates the date that a clock shows at `instant`, `offsetInSeconds` east of Greenwich.
    package init(
        instant: Date,
        offsetInSeconds: Int,
        milliseconds: Int? = nil,
        writesOffset: Bool = true
    ) {
        let seconds = Int(instant.timeIntervalSince1970.rounded(.down))
        text = Self.text(wallSeconds: seconds + offsetInSeconds)
        subseconds = milliseconds.map { Self.digits($0, 3) }
        let minutes = abs(offsetInSeconds) / 60
        let zone = Self.digits(minutes / 60, 2) + ":" + Self.digits(minutes % 60, 2)
        offset = writesOffset ? (offsetInSeconds < 0 ? "-" : "+") + zone : nil
    }

    /// The date as `YYYY-MM-DDTHH:MM:SS+HHMM`, QuickTime's notation.
    package var quickTimeText: String {
        var parts = text.split(separator: " ").map(String.init)
        guard parts.count == 2 else { return text }
        parts[0] = parts[0].replacingOccurrences(of: ":", with: "-")
        let zone = offset?.replacingOccurrences(of: ":", with: "") ?? ""
        return parts[0] + "T" + parts[1] + zone
    }

    /// Formats seconds since 1970 as a calendar date and time.
    ///
    /// Howard Hinnant's `civil_from_days` converts the days.
    static func text(wallSeconds: Int) -> String {
        let day = Int((Double(wallSeconds) / 86_400).rounded(.down))
        let time = wallSeconds - day * 86_400
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let leap = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leap) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let civilMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
        let date = [
            digits(year, 4), digits(civilMonth, 2),
            digits(dayOfYear - (153 * month + 2) / 5 + 1, 2),
        ]
        let clock = [digits(time / 3_600, 2), digits(time / 60 % 60, 2), digits(time % 60, 2)]
        return date.joined(separator: ":") + " " + clock.joined(separator: ":")
    }

    static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
