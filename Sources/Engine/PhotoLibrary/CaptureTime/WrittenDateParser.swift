package import WorkerProtocol

/// Parses dates in the formats that cameras and programs write.
///
/// Accepts `YYYY:MM:DD HH:MM[:SS[.fff]]` with `:`, `-` or `/` between the parts of the day, a blank
/// or `T` before the time, or the day alone. An offset may follow as `Z`, `+HH:MM`, `+HHMM` or
/// `+HH`, each also after `GMT` or `UTC`. Parsing does not check plausibility: see
/// `WallTime.isPlausible`.
package struct WrittenDateParser {
    /// A parsed date.
    package struct Result: Hashable {
        package var wallTime: WallTime
        /// The offset in seconds east of UTC; nil if none was written or no place on Earth has it.
        package var offset: Int?
    }

    /// The largest offset from UTC that is accepted, in seconds.
    package static let largestOffset = 15 * 3_600

    private var rest: Substring.UTF8View

    private init(_ text: String) {
        rest = text[...].utf8
    }

    /// Parses a written date whose fraction and offset may be in separate fields.
    package static func parse(_ date: WrittenDate) -> Result? {
        guard var result = parse(date.text) else { return nil }
        if result.wallTime.hasTime, result.wallTime.fraction.isEmpty, let digits = date.subseconds {
            result.wallTime.fraction = fraction(digits)
        }
        if let offset = date.offset.flatMap(parseOffset) { result.offset = offset }
        return result
    }

    /// Parses a date from one text.
    package static func parse(_ text: String) -> Result? {
        var parser = WrittenDateParser(text)
        return parser.date()
    }

    /// Parses a separate UTC offset, such as `+02:00` or `Z`.
    package static func parseOffset(_ text: String) -> Int? {
        var parser = WrittenDateParser(text)
        parser.skipBlanks()
        guard let offset = parser.offset() else { return nil }
        parser.skipBlanks()
        return parser.rest.isEmpty ? offset : nil
    }

    // MARK: - Parts

    private mutating func date() -> Result? {
        skipBlanks()
        guard let year = number(digits: 4...4), let separator = rest.first,
            [UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "/")].contains(separator),
            skip(separator), let month = number(digits: 1...2), skip(separator),
            let day = number(digits: 1...2)
        else { return nil }
        var wallTime = WallTime(
            year: year,
            month: month,
            day: day,
            hour: 0,
            minute: 0,
            second: 0,
            fraction: "",
            hasTime: false
        )
        if rest.first == UInt8(ascii: "T") { _ = skip(UInt8(ascii: "T")) } else { skipBlanks() }
        guard let hour = number(digits: 1...2) else {
            return Result(wallTime: wallTime, offset: nil)
        }
        guard skip(UInt8(ascii: ":")), let minute = number(digits: 1...2) else { return nil }
        wallTime.hour = hour
        wallTime.minute = minute
        wallTime.hasTime = true
        if skip(UInt8(ascii: ":")) {
            guard let second = number(digits: 1...2) else { return nil }
            wallTime.second = second
            if skip(UInt8(ascii: ".")) || skip(UInt8(ascii: ",")) {
                let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                wallTime.fraction = Self.fraction(String(decoding: digits, as: UTF8.self))
                rest = rest.dropFirst(digits.count)
            }
        }
        skipBlanks()
        return Result(wallTime: wallTime, offset: offset())
    }

    private mutating func offset() -> Int? {
        for zone in ["GMT", "UTC"] where rest.starts(with: zone.utf8) {
            rest = rest.dropFirst(3)
            if rest.isEmpty { return 0 }
        }
        if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) { return 0 }
        let sign: Int
        if skip(UInt8(ascii: "+")) {
            sign = 1
        } else if skip(UInt8(ascii: "-")) {
            sign = -1
        } else {
            return nil
        }
        guard let hours = number(digits: 1...2) else { return nil }
        _ = skip(UInt8(ascii: ":"))
        let minutes = number(digits: 2...2) ?? 0
        let seconds = hours * 3_600 + minutes * 60
        guard minutes < 60, seconds <= Self.largestOffset else { return nil }
        return sign * seconds
    }

    // MARK: - Characters

    private mutating func number(digits: ClosedRange<Int>) -> Int? {
        var value = 0
        var count = 0
        while count < digits.upperBound, let byte = rest.first,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
            rest = rest.dropFirst()
            count += 1
        }
        return digits.contains(count) ? value : nil
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipBlanks() {
        while let byte = rest.first, byte == UInt8(ascii: " ") || byte == 0 {
            rest = rest.dropFirst()
        }
    }

    /// Returns the leading digits of a text, at most nine; empty if they are all zeros or missing.
    private static func fraction(_ text: String) -> String {
        let trimmed = text.drop { $0 == " " }
        let digits = trimmed.prefix { $0.isASCII && $0.isNumber }.prefix(9)
        return digits.allSatisfy { $0 == "0" } ? "" : String(digits)
    }
}
