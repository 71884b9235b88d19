/// Parses the part numbers in archive names such as `takeout-20240131T101112Z-003.zip`.
package enum TakeoutParts {
    /// Returns the names of missing archives, inferred from the part numbers in the given names.
    package static func missing(in names: [String]) -> [String] {
        var groups: [String: (numbers: Set<Int>, width: Int, ending: String)] = [:]
        for name in names {
            guard let part = part(of: name) else { continue }
            groups[part.stem, default: ([], part.width, part.ending)].numbers.insert(part.number)
        }
        return groups.sorted { $0.key < $1.key }.flatMap { stem, group in
            let last = min(group.numbers.max() ?? 0, 9999)
            return (1...max(1, last)).filter { !group.numbers.contains($0) }.map { number in
                let digits = String(number)
                let zeros = String(repeating: "0", count: max(0, group.width - digits.count))
                return stem + "-" + zeros + digits + group.ending
            }
        }
    }

    /// Returns the prefix that the names of all archives of an export share; nil if the given name
    /// does not have the form of Google's archive names.
    static func export(of name: String) -> String? {
        let lowercased = name.lowercased()
        guard lowercased.hasPrefix("takeout-") else { return nil }
        if let time = lowercased.prefixMatch(of: /takeout-[0-9]{8}t[0-9]{6}z?/) {
            return String(time.output)
        }
        let ending = endings.first(where: lowercased.hasSuffix)
        return part(of: ending == nil ? name + ".zip" : name)?.stem.lowercased()
    }

    private static let endings = [".zip", ".tgz", ".tar.gz"]

    /// Splits an archive name around its part number; nil if the name has no part number.
    private static func part(of name: String)
        -> (stem: String, number: Int, width: Int, ending: String)?
    {
        let lowercased = name.lowercased()
        guard let ending = endings.first(where: lowercased.hasSuffix) else { return nil }
        let stem = name.dropLast(ending.count)
        guard let dash = stem.lastIndex(of: "-") else { return nil }
        let digits = stem[stem.index(after: dash)...]
        guard (1...4).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let number = Int(digits), number > 0
        else { return nil }
        return (String(stem[..<dash]), number, digits.count, String(name.suffix(ending.count)))
    }
}
