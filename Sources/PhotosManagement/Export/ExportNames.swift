/// The file names under which the files of one asset are exported: one stem, and a tail per file that
/// no other file of the set has.
///
/// `IMG_1.jpg` and its sidecars `IMG_1.jpg.xmp` and `IMG_1.xmp` keep these names. A number goes before
/// all tails alike, so that an import finds again what belongs together.
struct ExportNames {
    /// The most bytes that a file system accepts in a name.
    private static let maximumLength = 255
    /// The most bytes of a suffix; a longer one counts as part of the stem.
    private static let maximumSuffixLength = 64

    private let stem: String
    private let tails: [String]

    /// Chooses the tails of a set of files.
    ///
    /// Tails are compared without letter case and in canonical form, since some volumes do not
    /// distinguish them.
    ///
    /// - Parameter originals: The names under which the files were imported, the leading one first.
    init(_ originals: [String]) {
        let names = originals.map(Self.safe)
        let suffixes = names.map { Self.split($0).suffix }
        let known = Set(suffixes.map { $0.lowercased() }.filter { !$0.isEmpty })
        let leading = suffixes.first ?? ""
        var taken: Set<String> = []
        stem = names.first.map { Self.split($0).stem } ?? ""
        tails = zip(names, suffixes).enumerated().map { index, file in
            let (name, suffix) = file
            let inner = Self.split(Self.split(name).stem).suffix
            let isCompound = index > 0 && known.contains(inner.lowercased())
            var tail = isCompound ? inner + suffix : suffix
            var number = 1
            while !taken.insert(tail.lowercased()).inserted {
                tail = number == 1 ? leading + suffix : "\(leading) (\(number))\(suffix)"
                number += 1
            }
            return tail
        }
    }

    /// The names of the set, each of at most 255 bytes and safe as a name in a folder.
    ///
    /// - Parameter number: 0 for the names themselves, else a number that goes before the tails.
    /// - Returns: A name per file, in the order of the originals.
    func names(number: Int) -> [String] {
        let mark = number == 0 ? "" : " (\(number))"
        let longest = tails.map(\.utf8.count).max() ?? 0
        let room = max(1, Self.maximumLength - mark.utf8.count - longest)
        let stem = Self.fitting(stem, length: room) + mark
        return tails.map { stem + $0 }
    }

    // MARK: - Parts

    /// A name without slashes and zeros that is not empty, `.` or `..`.
    ///
    /// By scalar: a slash with a combining mark is a character of its own, and still a slash in the
    /// file system.
    private static func safe(_ original: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(
            contentsOf: original.unicodeScalars.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
        )
        let name = String(scalars)
        return name.unicodeScalars.allSatisfy { $0 == "." } ? "Untitled" : name
    }

    /// The part before the last dot, and the rest with the dot.
    private static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            name.distance(from: dot, to: name.endIndex) <= 16,
            name[dot...].utf8.count <= maximumSuffixLength
        else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// As many leading characters as fit.
    private static func fitting(_ text: String, length: Int) -> String {
        var result = text
        while result.utf8.count > length { result.removeLast() }
        return result
    }
}
