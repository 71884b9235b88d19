internal import Foundation
internal import PhotosJSON
internal import PhotosManagement

/// Turns what a person types into a predicate that `photos list --predicate` takes, too.
///
/// Each word narrows the search: a kind (`video`), a day, month or year, a rating, or a part of a title,
/// file name or caption, or a whole keyword. Words in quotes belong together.
struct SearchWords {
    /// One word and what it came to.
    struct Term: Sendable, Equatable {
        var text: String
        /// `kind`, `date`, `rating` or `text`.
        var kind: String
        var predicate: String
    }

    let terms: [Term]

    init(_ text: String, calendar: Calendar = .gregorian) {
        terms = Self.words(text).map { Self.term($0.text, isQuoted: $0.isQuoted, calendar) }
    }

    /// What all of them come to; empty where nothing is asked for.
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

    private static func words(_ text: String) -> [(text: String, isQuoted: Bool)] {
        var words: [(text: String, isQuoted: Bool)] = []
        for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index % 2 == 1 {
                let whole = part.trimmingCharacters(in: .whitespaces)
                if !whole.isEmpty { words.append((whole, true)) }
            } else {
                words += part.split(whereSeparator: \.isWhitespace).map { (String($0), false) }
            }
        }
        return words
    }

    private static func term(_ word: String, isQuoted: Bool, _ calendar: Calendar) -> Term {
        if !isQuoted {
            if let kind = kinds[word.lowercased()] {
                return Term(text: word, kind: "kind", predicate: kind)
            }
            if let range = range(word, calendar) {
                return Term(text: word, kind: "date", predicate: range)
            }
            if word.count <= 5, word.allSatisfy({ $0 == "★" || $0 == "*" }) {
                return Term(text: word, kind: "rating", predicate: "rating >= \(word.count)")
            }
        }
        let quoted = quoted(word)
        let keys = ["title", "originalFilename", "caption"].map { "\($0) CONTAINS[cd] \(quoted)" }
        let all = keys + ["keywords CONTAINS \(quoted)"]
        return Term(text: word, kind: "text", predicate: "(\(all.joined(separator: " OR ")))")
    }

    /// A text as a predicate's format has it.
    static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Kinds by the words for them.
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
    ]

    // MARK: - Dates

    /// A year, a month (2024-05) or a day (2024-05-01), in this machine's time zone.
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
