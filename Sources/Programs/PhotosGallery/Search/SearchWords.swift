internal import Foundation
internal import PhotosJSON
internal import PhotosManagement

/// Converts a search text into a predicate that `photos list --predicate` also accepts.
///
/// Each word narrows the search: a kind (`video`), a day, month or year, a rating, a part of a
/// title, file name, caption, camera or lens, or a whole keyword or place name. Words in quotes
/// count as one word. The prefixes `camera:`, `lens:`, `place:` and `near:` restrict a word to that
/// property.
struct SearchWords {
    /// A search word and its predicate.
    struct Term: Sendable, Equatable {
        var text: String
        /// The property that the word restricts: `kind`, `date`, `rating`, `camera`, `lens`,
        /// `place`, `near` or `text`.
        var kind: String
        var predicate: String
    }

    let terms: [Term]

    init(_ text: String, calendar: Calendar = .gregorian) {
        terms = Self.words(text).map { Self.term($0, calendar) }
    }

    /// The predicate of the whole search, which combines all terms with AND; empty for an empty
    /// search.
    var predicate: String { terms.map(\.predicate).joined(separator: " AND ") }

    var json: JSONObject {
        var object = JSONObject()
        object.add("predicate", predicate)
        object.add(
            "terms",
            terms.map { term in
                var part = JSONObject()
                part.add("text", term.text)
                part.add("kind", term.kind)
                part.add("predicate", term.predicate)
                return part
            }
        )
        return object
    }

    // MARK: - Words

    private struct Word {
        /// The known prefix before a colon, such as `camera`; nil if there is none.
        var prefix: String?
        var text: String
        var isQuoted = false

        /// The word as typed.
        var whole: String { (prefix.map { $0 + ":" } ?? "") + text }
    }

    private static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index % 2 == 1 {
                let whole = part.trimmingCharacters(in: .whitespaces)
                // Quoted text directly after a prefix is the prefix's value.
                if let last = words.last, last.prefix != nil, last.text.isEmpty {
                    words[words.count - 1].text = whole
                    words[words.count - 1].isQuoted = true
                } else if !whole.isEmpty {
                    words.append(Word(text: whole, isQuoted: true))
                }
            } else {
                words += part.split(whereSeparator: \.isWhitespace).map { word in
                    let parts = word.split(
                        separator: ":",
                        maxSplits: 1,
                        omittingEmptySubsequences: false
                    )
                    guard parts.count == 2, prefixes.contains(parts[0].lowercased()) else {
                        return Word(text: String(word))
                    }
                    return Word(prefix: parts[0].lowercased(), text: String(parts[1]))
                }
            }
        }
        return words.filter { !$0.text.isEmpty }
    }

    private static let prefixes: Set<String> = ["camera", "lens", "place", "near"]

    private static func term(_ word: Word, _ calendar: Calendar) -> Term {
        let text = word.text
        switch word.prefix {
        case "camera":
            let predicate = any(of: ["cameraMake", "cameraModel"], containing: text)
            return Term(text: text, kind: "camera", predicate: "(\(predicate))")
        case "lens":
            let predicate = any(of: ["lensModel"], containing: text)
            return Term(text: text, kind: "lens", predicate: predicate)
        case "place":
            return Term(text: text, kind: "place", predicate: place(text))
        case "near":
            if let region = NearRegion(text) {
                return Term(text: text, kind: "near", predicate: region.predicate)
            }
        default: break
        }
        if !word.isQuoted {
            if let kind = kinds[text.lowercased()] {
                return Term(text: text, kind: "kind", predicate: kind)
            }
            if let range = range(text, calendar) {
                return Term(text: text, kind: "date", predicate: range)
            }
            if text.count <= 5, text.allSatisfy({ $0 == "★" || $0 == "*" }) {
                return Term(text: text, kind: "rating", predicate: "rating >= \(text.count)")
            }
        }
        let keys = [
            "title", "originalFilename", "caption", "cameraMake", "cameraModel", "lensModel",
        ]
        let whole = word.whole
        let lists = ["keywords CONTAINS[cd] \(quoted(whole))", place(whole)]
        let all = [any(of: keys, containing: whole)] + lists
        return Term(text: whole, kind: "text", predicate: "(\(all.joined(separator: " OR ")))")
    }

    private static func any(of keys: [String], containing text: String) -> String {
        keys.map { "\($0) CONTAINS[cd] \(quoted(text))" }.joined(separator: " OR ")
    }

    private static func place(_ name: String) -> String { "places CONTAINS[cd] \(quoted(name))" }

    /// Returns a text as a string literal in the predicate format.
    static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The predicates for kinds of assets, by search word.
    static let kinds: [String: String] = [
        "photo": "mediaType = 1", "photos": "mediaType = 1",
        "video": "mediaType = 2", "videos": "mediaType = 2", "movie": "mediaType = 2",
        "movies": "mediaType = 2", "panorama": "mediaSubtypes & 1 != 0",
        "hdr": "mediaSubtypes & 2 != 0", "screenshot": "mediaSubtypes & 4 != 0",
        "screenshots": "mediaSubtypes & 4 != 0", "live": "mediaSubtypes & 8 != 0",
        "portrait": "mediaSubtypes & 16 != 0", "animated": "mediaSubtypes & 64 != 0",
        "slomo": "mediaSubtypes & 131072 != 0", "timelapse": "mediaSubtypes & 262144 != 0",
        "favorite": "isFavorite = YES", "favourite": "isFavorite = YES",
        "favorites": "isFavorite = YES", "favourites": "isFavorite = YES",
        "edited": "hasAdjustments = YES", "burst": "representsBurst = YES",
        "raw": "contentType CONTAINS \"raw-image\"",
        "located": "location != nil", "unlocated": "location = nil",
    ]

    // MARK: - Dates

    /// Returns the predicate for assets dated in a year, a month (2024-05) or a day (2024-05-01) in
    /// this machine's time zone; nil for other text.
    private static func range(_ word: String, _ calendar: Calendar) -> String? {
        let digits = word.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = digits.compactMap { Int($0) }
        guard numbers.count == digits.count, digits[0].count == 4,
            (1_800...2_200).contains(numbers[0])
        else { return nil }
        let parts: DateComponents
        let unit: Calendar.Component
        switch numbers.count {
        case 1: (parts, unit) = (DateComponents(year: numbers[0], month: 1, day: 1), .year)
        case 2 where (1...12).contains(numbers[1]):
            (parts, unit) = (DateComponents(year: numbers[0], month: numbers[1], day: 1), .month)
        case 3:
            guard let (start, end) = LocalDay.bounds(word, calendar: calendar) else { return nil }
            return between(start, end)
        default: return nil
        }
        guard let start = calendar.date(from: parts),
            let end = calendar.date(byAdding: unit, value: 1, to: start)
        else { return nil }
        return between(start, end)
    }

    private static func between(_ start: Date, _ end: Date) -> String {
        func cast(_ date: Date) -> String { "CAST(\"\(ISODate.text(date))\", \"NSDate\")" }
        return "(creationDate >= \(cast(start)) AND creationDate < \(cast(end)))"
    }
}
