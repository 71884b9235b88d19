internal import Glibc
internal import Synchronization

/// Formats the current time as in HTTP headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let known = Mutex<(time: Int, text: String)>((0, ""))

    /// The current time as text, which is formatted at most once per second.
    static var now: String {
        let now = time(nil)
        return known.withLock { known in
            if known.time != now { known = (now, text(now)) }
            return known.text
        }
    }

    /// Formats a time in seconds since 1970, regardless of the locale.
    static func text(_ time: Int) -> String {
        var (time, parts) = (time, tm())
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two).joined(separator: ":")
        return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
            + " \(parts.tm_year + 1_900) \(clock) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
