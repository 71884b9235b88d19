public import Foundation

/// A JSON object in one line, with its keys in the order in which they were added.
public struct JSONObject: Sendable {
    private var text = "{"

    /// Creates an empty object.
    public init() {}

    /// The encoded object, without a line break.
    public var line: String { text + "}" }

    /// Adds a string; nil becomes null.
    public mutating func add(_ key: String, _ value: String?) {
        begin(key)
        if let value { Self.append(value, to: &text) } else { text += "null" }
    }

    /// Adds an integer; nil becomes null.
    public mutating func add(_ key: String, _ value: Int64?) {
        begin(key)
        text += value.map(String.init) ?? "null"
    }

    /// Adds an integer; nil becomes null.
    public mutating func add(_ key: String, _ value: Int?) { add(key, value.map(Int64.init)) }

    /// Adds a Boolean.
    public mutating func add(_ key: String, _ value: Bool) {
        begin(key)
        text += value ? "true" : "false"
    }

    /// Adds a number, without a fraction if it is integral; nil, infinities and NaN become null.
    public mutating func add(_ key: String, _ value: Double?) {
        begin(key)
        guard let value, value.isFinite else {
            text += "null"
            return
        }
        text += Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    /// Adds a date in UTC; nil becomes null.
    public mutating func add(_ key: String, _ value: Date?) {
        add(key, value.map(ISODate.text))
    }

    /// Adds an array of strings.
    public mutating func add(_ key: String, _ values: [String]) {
        begin(key)
        text += "["
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            Self.append(value, to: &text)
        }
        text += "]"
    }

    /// Adds an object; nil becomes null.
    public mutating func add(_ key: String, _ object: JSONObject?) {
        begin(key)
        text += object?.line ?? "null"
    }

    /// Adds an array of objects.
    public mutating func add(_ key: String, _ objects: [JSONObject]) {
        begin(key)
        text += "[" + objects.map(\.line).joined(separator: ",") + "]"
    }

    /// Adds a value that is already encoded as JSON text.
    public mutating func add(_ key: String, json: String) {
        begin(key)
        text += json
    }

    /// Encodes a string as JSON, with its quotes.
    public static func quoted(_ string: String) -> String {
        var text = ""
        append(string, to: &text)
        return text
    }

    private mutating func begin(_ key: String) {
        if text.utf8.count > 1 { text += "," }
        Self.append(key, to: &text)
        text += ":"
    }

    /// Appends a string with its quotes.
    ///
    /// Slashes are not escaped.
    private static func append(_ string: String, to text: inout String) {
        text += "\""
        let needsEscape = string.utf8.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
        if !needsEscape {
            text += string
        } else {
            for scalar in string.unicodeScalars {
                switch scalar {
                case "\"": text += "\\\""
                case "\\": text += "\\\\"
                case "\n": text += "\\n"
                case "\r": text += "\\r"
                case "\t": text += "\\t"
                case _ where scalar.value < 0x20:
                    let digits = String(scalar.value, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        text += "\""
    }
}
