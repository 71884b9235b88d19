internal import Foundation

/// A file name of a Takeout folder, compared in UTF-16 code units after canonical composition.
///
/// Google limits the number of these units, so a name may end within a character.
struct TakeoutText: Hashable, Sendable {
    let units: [UInt16]

    init(_ text: String) { units = Array(text.precomposedStringWithCanonicalMapping.utf16) }

    init(units: some Sequence<UInt16>) { self.units = Array(units) }

    var count: Int { units.count }
    var string: String { String(decoding: units, as: UTF16.self) }
    var lowercased: TakeoutText { TakeoutText(string.lowercased()) }

    func hasPrefix(_ other: TakeoutText) -> Bool { units.starts(with: other.units) }

    func hasSuffix(_ other: TakeoutText) -> Bool {
        units.count >= other.units.count && units.suffix(other.units.count) == other.units[...]
    }

    func prefix(_ length: Int) -> TakeoutText { TakeoutText(units: units.prefix(length)) }

    static func + (left: TakeoutText, right: TakeoutText) -> TakeoutText {
        TakeoutText(units: left.units + right.units)
    }

    /// Splits a trailing number in parentheses off the name.
    ///
    /// The number is 0 if the name has none.
    func splittingNumber() -> (rest: TakeoutText, number: Int) {
        guard units.last == UInt16(ascii: ")"),
            let start = units.lastIndex(of: UInt16(ascii: "("))
        else { return (self, 0) }
        let digits = units[(start + 1)..<(units.count - 1)]
        guard (1...9).contains(digits.count),
            digits.allSatisfy({ (UInt16(ascii: "0")...UInt16(ascii: "9")).contains($0) })
        else { return (self, 0) }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt16(ascii: "0")) }
        return (TakeoutText(units: units[..<start]), number)
    }
}

extension UInt16 {
    init(ascii: Unicode.Scalar) { self = UInt16(ascii.value & 0x7f) }
}

/// The parts of a JSON file's name, which Google derives from the title of a photo or movie.
struct TakeoutJSONName: Hashable, Sendable {
    /// The length, in UTF-16 units, to which Google truncates a longer name before it appends
    /// `.json`.
    static let limit = 46
    private static let supplement = TakeoutText("supplemental-metadata")

    /// The part of the JSON file's name that comes from the title, without the number in
    /// parentheses.
    var base: TakeoutText
    /// The number in parentheses; 0 if the name contains none.
    var number: Int
    /// Indicates whether the name contains `supplemental-metadata` or a truncated form of it.
    var isSupplemental: Bool
    /// Indicates whether Google may have truncated the name.
    var isCut: Bool

    init(_ name: String) {
        let whole = TakeoutText(name)
        let stem =
            whole.lowercased.hasSuffix(TakeoutText(".json"))
            ? TakeoutText(units: whole.units.dropLast(5)) : whole
        let rest: TakeoutText
        (rest, number) = stem.splittingNumber()
        isCut = rest.count >= Self.limit
        isSupplemental = false
        base = rest
        let dot = UInt16(ascii: ".")
        if let place = rest.units.lastIndex(of: dot), place > 0, place < rest.count - 1,
            Self.supplement.hasPrefix(TakeoutText(units: rest.units[(place + 1)...]))
        {
            base = rest.prefix(place)
            isSupplemental = true
            if number == 0 { (base, number) = base.splittingNumber() }
        } else if rest.units.last == dot, rest.count == Self.limit {
            base = rest.prefix(rest.count - 1)
        }
    }
}

/// The parts of the name of a photo or movie.
struct TakeoutMediaName: Hashable, Sendable {
    /// The name without the number and the extension.
    var stem: TakeoutText
    /// The number in parentheses before the extension; 0 if the name contains none.
    var number: Int
    /// The extension with its dot; empty if there is none.
    var pathExtension: TakeoutText

    init(_ name: String) {
        let whole = TakeoutText(name)
        var end = whole.count
        if let dot = whole.units.lastIndex(of: UInt16(ascii: ".")), dot > 0 { end = dot }
        pathExtension = TakeoutText(units: whole.units[end...])
        (stem, number) = whole.prefix(end).splittingNumber()
    }

    /// The name with its extension but without the number.
    var full: TakeoutText { stem + pathExtension }

    var isPicture: Bool { Self.pictures.contains(pathExtension.string.lowercased()) }
    var isMovie: Bool { Self.movies.contains(pathExtension.string.lowercased()) }

    static let pictures: Set<String> = [
        ".jpg", ".jpeg", ".heic", ".heif", ".png", ".gif", ".webp", ".tif", ".tiff", ".dng",
        ".cr2", ".nef", ".arw", ".raf", ".rw2", ".avif", ".bmp",
    ]
    static let movies: Set<String> = [
        ".mp4", ".mov", ".m4v", ".mp", ".3gp", ".webm", ".avi", ".mkv", ".mv", ".mp~2",
    ]
}
