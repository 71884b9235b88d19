internal import Foundation
internal import GRDB
internal import Synchronization

/// SQL functions for string comparisons that predicates need and SQLite lacks.
enum StringFunctions {
    /// The SQL function `ph_fold(text, options)`, which folds case (option 1) and diacritics
    /// (option 2).
    static let fold = DatabaseFunction("ph_fold", argumentCount: 2, pure: true) { values in
        guard let text = String.fromDatabaseValue(values[0]) else { return nil }
        return folded(text, options: Int.fromDatabaseValue(values[1]) ?? 0)
    }

    /// The SQL function `ph_like(text, pattern, options)`, in which `?` matches one character and
    /// `*` any number of them.
    static let like = DatabaseFunction("ph_like", argumentCount: 3, pure: true) { values in
        try match(values) { "^" + wildcardExpression($0) + "$" }
    }

    /// The SQL function `ph_matches(text, pattern, options)`, which matches a regular expression
    /// against the whole text.
    static let matches = DatabaseFunction("ph_matches", argumentCount: 3, pure: true) { values in
        try match(values) { "^(?:" + $0 + ")$" }
    }

    static func register(in database: Database) {
        database.add(function: fold)
        database.add(function: like)
        database.add(function: matches)
    }

    /// Returns the compiled pattern, or nil if it is not a valid regular expression.
    static func expression(_ pattern: String, ignoresCase: Bool = false) -> NSRegularExpression? {
        let key = (ignoresCase ? "i" : "-") + pattern
        return cache.withLock { cache in
            if let known = cache[key] { return known }
            var options: NSRegularExpression.Options = [.dotMatchesLineSeparators]
            if ignoresCase { options.insert(.caseInsensitive) }
            let new = try? NSRegularExpression(pattern: pattern, options: options)
            if cache.count > 64 { cache.removeAll() }
            cache[key] = new
            return new
        }
    }

    private static let cache = Mutex<[String: NSRegularExpression]>([:])

    private static func match(
        _ values: [DatabaseValue],
        _ expression: (String) -> String
    ) throws -> Bool? {
        guard let text = String.fromDatabaseValue(values[0]),
            let pattern = String.fromDatabaseValue(values[1])
        else { return nil }
        // The regular expression handles case: folding the pattern would turn `\\D` into `\\d`.
        let options = Int.fromDatabaseValue(values[2]) ?? 0
        let plain = folded(text, options: options & 2)
        let source = expression(folded(pattern, options: options & 2))
        guard let regex = self.expression(source, ignoresCase: options & 1 != 0) else { return nil }
        return try FetchLimits.matches(regex, of: pattern, in: plain)
    }

    /// Folds case (option 1) and diacritics (option 2) of a text.
    static func folded(_ text: String, options: Int) -> String {
        // Most texts are ASCII, and Unicode folding takes a hundred times as long.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            guard options & 1 != 0 else { return text }
            return String(decoding: text.utf8.lazy.map(lowercased), as: UTF8.self)
        }
        var folding: String.CompareOptions = []
        if options & 1 != 0 { folding.insert(.caseInsensitive) }
        if options & 2 != 0 { folding.insert(.diacriticInsensitive) }
        return folding.isEmpty ? text : text.folding(options: folding, locale: nil)
    }

    /// Returns the lowercase form of an ASCII letter, and any other byte unchanged.
    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func wildcardExpression(_ pattern: String) -> String {
        var expression = ""
        var isEscaped = false
        for character in pattern {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped: expression += ".*"
            case "?" where !isEscaped: expression += "."
            default: expression += NSRegularExpression.escapedPattern(for: String(character))
            }
            isEscaped = false
        }
        return expression
    }
}
