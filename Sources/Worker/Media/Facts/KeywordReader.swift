/// A reader for an image's keywords in all metadata properties in which programs store keywords.
///
/// Flat lists contain keywords. A hierarchical list contains paths, whose last components are
/// keywords. A path below `People` that ends in the name of a face region names a person, so its
/// last component is not a keyword. Programs that write such a path repeat the name in a flat list,
/// where it is not a keyword either.
struct KeywordReader {
    /// The maximum number of keywords to keep from one file.
    private static let limit = 200

    private static let trees: [(key: String, separator: Character)] = [
        ("lr.hierarchicalSubject", "|"), ("digiKam.TagsList", "/"),
        ("MicrosoftPhoto.LastKeywordXMP", "/"), ("mediapro.CatalogSets", "|"),
    ]

    /// The XMP values by Exiv2's key.
    let xmp: [String: [String]]
    /// The keywords from IPTC and from the EXIF tag that Windows writes.
    let others: [String]

    /// Returns the distinct keywords up to the limit, flat lists first, in file order.
    ///
    /// - Parameter paths: The value of ``paths``.
    /// - Returns: The keywords, and whether there are more.
    func keywords(with paths: [[String]]) -> (kept: [String], isCut: Bool) {
        let people = people(in: paths)
        let flat = ((xmp["dc.subject"] ?? []) + others).filter { !people.contains($0) }
        let leaves = paths.filter { !Self.namesPerson($0, among: people) }.compactMap(\.last)
        var seen: Set<String> = []
        let all = (flat + leaves).compactMap { Text.clean($0) }
            .filter { seen.insert($0).inserted }
        return (Array(all.prefix(Self.limit)), all.count > Self.limit)
    }

    // MARK: - Trees

    /// The keyword paths in all hierarchical lists, each starting at the top-level keyword.
    var paths: [[String]] {
        var paths: [[String]] = []
        for (key, separator) in Self.trees {
            for text in xmp[key] ?? [] {
                paths.append(text.split(separator: separator).compactMap { Text.clean(String($0)) })
            }
        }
        for text in xmp["acdsee.categories"] ?? [] { paths += CategoryTree(text).paths }
        return paths.filter { !$0.isEmpty }
    }

    private func people(in paths: [[String]]) -> Set<String> {
        var regions: Set<String> = []
        for (key, values) in xmp
        where key.hasSuffix("mwg-rs:Name") || key.hasSuffix("MPReg:PersonDisplayName") {
            regions.formUnion(values)
        }
        guard !regions.isEmpty else { return [] }
        return Set(
            paths.filter { Self.namesPerson($0, among: regions) }.compactMap(\.last)
        )
    }

    private static func namesPerson(_ path: [String], among names: Set<String>) -> Bool {
        guard path.count > 1, let last = path.last else { return false }
        return path[0].lowercased() == "people" && names.contains(last)
    }
}
