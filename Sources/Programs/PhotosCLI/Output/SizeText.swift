/// Formats sizes and numbers.
enum SizeText {
    /// Formats a number of bytes in decimal units, as in `3.2 MB`.
    static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        guard value >= 1000 else { return "\(count) B" }
        for unit in ["kB", "MB", "GB", "TB"] {
            value /= 1000
            if value < 999.95 || unit == "TB" { return "\(tenths(value)) \(unit)" }
        }
        return "\(count) B"
    }

    /// Formats a number with at most one decimal place.
    static func tenths(_ value: Double) -> String {
        let tenths = (value * 10).rounded()
        guard let whole = Int64(exactly: tenths) else { return "\(value)" }
        return whole % 10 == 0 ? "\(whole / 10)" : "\(whole / 10).\(abs(whole % 10))"
    }
}
