import Foundation
import Glibc
import PhotosJSON

/// Formats dates in the time zone of this machine.
enum LocalTime {
    /// Formats a date and time, as in `2019-07-04 12:31:07`.
    static func text(_ date: Date) -> String {
        var parts = tm()
        guard var seconds = time_t(exactly: date.timeIntervalSince1970.rounded(.down)),
            localtime_r(&seconds, &parts) != nil
        else { return ISODate.text(date) }
        let day = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map(two)
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two)
        return day.joined(separator: "-") + " " + time.joined(separator: ":")
    }

    /// Formats a date and time with its UTC offset, as in `2019-07-04 12:31:07 UTC+02:00`.
    static func zoned(_ date: Date) -> String {
        var parts = tm()
        guard var seconds = time_t(exactly: date.timeIntervalSince1970.rounded(.down)),
            localtime_r(&seconds, &parts) != nil
        else { return ISODate.text(date) }
        return text(date) + " " + offset(Int(parts.tm_gmtoff))
    }

    /// Formats a date without its time, as in `2019-07-04`.
    static func day(_ date: Date) -> String {
        text(date).split(whereSeparator: { $0 == " " || $0 == "T" }).first.map(String.init) ?? ""
    }

    /// Formats a UTC offset, given in seconds, as in `UTC+05:30`.
    static func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let sign = seconds < 0 ? "-" : "+"
        return "UTC\(sign)\(two(Int32(minutes / 60))):\(two(Int32(minutes % 60)))"
    }

    /// Formats a duration, given in seconds, as in `1:02`, `0:03.5` or `1:02:03`.
    static func duration(_ seconds: Double) -> String {
        guard let tenths = Int(exactly: (seconds * 10).rounded()) else { return "" }
        let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths % 600)
        let fraction = rest % 10 == 0 ? "" : ".\(rest % 10)"
        let tail = "\(two(Int32(rest / 10)))\(fraction)"
        return hours > 0 ? "\(hours):\(two(Int32(minutes))):\(tail)" : "\(minutes):\(tail)"
    }

    private static func two(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
