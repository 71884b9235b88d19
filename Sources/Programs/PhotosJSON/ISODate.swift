public import Foundation

/// Formats dates in ISO 8601, in UTC with `Z`, with a fraction only if it is not zero.
public enum ISODate {
    /// Formats a date, rounded to microseconds.
    public static func text(_ date: Date) -> String {
        let micros = (date.timeIntervalSince1970 * 1e6).rounded()
        guard let total = Int64(exactly: micros) else { return plain(date) }
        let (seconds, fraction) = total.quotientAndRemainder(flooring: 1_000_000)
        let whole = plain(Date(timeIntervalSince1970: Double(seconds)))
        guard fraction != 0 else { return whole }
        var digits = String(fraction)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return whole.dropLast() + "." + digits + "Z"
    }

    private static func plain(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension Int64 {
    fileprivate func quotientAndRemainder(flooring divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
