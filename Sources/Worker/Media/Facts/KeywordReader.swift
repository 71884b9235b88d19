/// Collects a picture's keywords from everything that programs write them in.
///
/// Flat lists give keywords as they are, trees give the last part of each path. A path below `People`
/// that ends in the name of a face region names a person: it gives no keyword, nor does its last part
/// in a flat list, where the same programs repeat it.
struct KeywordReader {
    /// More keywords than these are not kept of one file.
    private static let limit = 200

    private static let trees: [(key: String, separator: Character)] = [
        ("lr.hierarchicalSubject", "|"), ("digiKam.TagsList", "/"),
        ("MicrosoftPhoto.LastKeywordXMP", "/"), ("mediapro.CatalogSets", "|"),
    ]

    /// XMP's values, by key.
    let xmp: [String: [String]]
    /// Keywords that stand elsewhere: in IPTC, in Windows' EXIF tag.
    let others: [String]

    /// Each keyword once, flat ones first, in the order in which they are written.
    var keywords: [String] {
        let paths = paths
        let people = people(in: paths)
        let flat = ((xmp["dc.subject"] ?? []) + others).filter { !people.contains($0) }
        let leaves = paths.filter { !Self.namesPerson($0, among: people) }.compactMap(\.last)
        var seen: Set<String> = []
        let kept = (flat + leaves).compactMap { Text.clean($0) }
            .filter { seen.insert($0).inserted }
        return Array(kept.prefix(Self.limit))
    }

    // MARK: - Trees

    private var paths: [[String]] {
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
