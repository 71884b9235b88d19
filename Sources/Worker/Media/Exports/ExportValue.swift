internal import PhotoModel

/// Conversions of values in an export's lines; each returns nil for an invalid value.
enum ExportValue {
    /// The maximum length of a file name in UTF-8 bytes.
    static let name = 1024
    /// The maximum length of a title or a caption in UTF-8 bytes.
    static let longText = 256 << 10
    /// The maximum length of a picture's side in pixels.
    private static let maximumSide: Int64 = 10_000_000

    /// Returns a UUID in its canonical form.
    static func uuid(_ text: String?) -> String? {
        guard let text, text.utf8.count == 36 else { return nil }
        let isValid = text.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "-"): [8, 13, 18, 23].contains(index)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                UInt8(ascii: "a")...UInt8(ascii: "f"):
                ![8, 13, 18, 23].contains(index)
            default: false
            }
        }
        return isValid ? text.uppercased() : nil
    }

    /// Returns a SHA-256 digest in lowercase hexadecimal digits.
    static func digest(_ text: String?) -> String? {
        guard let text, text.utf8.count == 64 else { return nil }
        let isValid = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
        return isValid ? text : nil
    }

    /// Returns a text, truncated to a length in bytes; nil for a text with a null character.
    static func text(_ value: JSONValue?, _ limit: Int) -> String? {
        guard let text = value?.text, !text.utf8.contains(0) else { return nil }
        return FileName.fitting(text, length: limit)
    }

    /// Returns a uniform type identifier; nil for other text.
    static func contentType(_ value: JSONValue?) -> String? {
        guard let text = value?.text, (1...255).contains(text.utf8.count) else { return nil }
        let isValid = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isValid ? text : nil
    }

    /// Returns the length of an image's side in pixels.
    static func side(_ value: JSONValue?) -> Int? {
        value?.integer.flatMap { (0...maximumSide).contains($0) ? Int($0) : nil }
    }

    /// Returns whether a text has the form of a local time, `YYYY-MM-DDTHH:MM:SS[.fff]`.
    static func isWallTime(_ text: String) -> Bool {
        guard (19...32).contains(text.utf8.count) else { return false }
        return text.utf8.enumerated().allSatisfy { index, byte in
            switch index {
            case 4, 7: byte == UInt8(ascii: "-")
            case 10: byte == UInt8(ascii: "T")
            case 13, 16: byte == UInt8(ascii: ":")
            case 19: byte == UInt8(ascii: ".")
            default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        }
    }
}

/// Parses dates of an export, which are in ISO 8601 and UTC, with any number of fraction digits.
enum ExportDateParser {
    /// The number of days from March 1 of the year 0 to the reference date, January 1, 2001.
    private static let referenceDays = 730_791

    /// Returns a date as seconds since the reference date; nil for text that is not a valid date.
    static func seconds(_ text: String?) -> Double? {
        guard let text, (20...48).contains(text.utf8.count), text.utf8.last == UInt8(ascii: "Z")
        else { return nil }
        let body = Array(text.utf8.dropLast())
        guard ExportValue.isShapedAsDate(body.prefix(19)) else { return nil }
        func number(_ range: Range<Int>) -> Int {
            body[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1, (1...12).contains(month), (1...31).contains(day), hour < 24,
            minute < 60, second < 60
        else { return nil }
        // Years begin in March, so that a leap day is the last one.
        let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1
        let whole = (days - referenceDays) * 86_400 + hour * 3600 + minute * 60 + second
        guard body.count > 19 else { return Double(whole) }
        let digits = body.dropFirst(20)
        guard body[19] == UInt8(ascii: "."), !digits.isEmpty,
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let fraction = Double("0." + String(decoding: digits, as: UTF8.self))
        else { return nil }
        return Double(whole) + fraction
    }
}

extension ExportValue {
    /// Returns whether bytes have the form `YYYY-MM-DDTHH:MM:SS`.
    static func isShapedAsDate(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == 19
            && bytes.enumerated().allSatisfy { index, byte in
                switch index {
                case 4, 7: byte == UInt8(ascii: "-")
                case 10: byte == UInt8(ascii: "T")
                case 13, 16: byte == UInt8(ascii: ":")
                default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                }
            }
    }
}
