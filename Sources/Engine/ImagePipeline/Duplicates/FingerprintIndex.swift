/// An index that finds similar fingerprints without comparing all pairs.
///
/// The 64 bits of `across` are divided into four bands of 16. If two fingerprints differ in at most
/// seven bits, at least one band differs in at most one bit. Only fingerprints with an equal band,
/// or a band that differs in one bit, have to be compared.
package struct FingerprintIndex {
    private static let bands = 4

    private let prints: [PictureFingerprint]
    /// For each band and value, the offset in `members` at which the fingerprints with that value
    /// begin.
    private var starts: [[Int32]] = []
    private var members: [[Int32]] = []

    package init(_ prints: [PictureFingerprint]) {
        self.prints = prints
        for band in 0..<Self.bands {
            var start = [Int32](repeating: 0, count: 1 << 16 + 1)
            for print in prints { start[Self.value(print, band) + 1] += 1 }
            for value in 0..<1 << 16 { start[value + 1] += start[value] }
            var next = start
            var member = [Int32](repeating: 0, count: prints.count)
            for (index, print) in prints.enumerated() {
                let value = Self.value(print, band)
                member[Int(next[value])] = Int32(index)
                next[value] += 1
            }
            starts.append(start)
            members.append(member)
        }
    }

    /// Calls `body` once for each similar pair, with the smaller index first.
    package func forEachPair(_ body: (Int, Int) throws -> Void) rethrows {
        var seen = [Int32](repeating: -1, count: prints.count)
        for first in prints.indices {
            let print = prints[first]
            for band in 0..<Self.bands {
                let value = Self.value(print, band)
                for bit in -1..<16 {
                    let near = bit < 0 ? value : value ^ (1 << bit)
                    let range = Int(starts[band][near])..<Int(starts[band][near + 1])
                    for place in range {
                        let second = Int(members[band][place])
                        guard second > first, seen[second] != Int32(first) else { continue }
                        seen[second] = Int32(first)
                        if print.isLike(prints[second]) { try body(first, second) }
                    }
                }
            }
        }
    }

    private static func value(_ print: PictureFingerprint, _ band: Int) -> Int {
        Int(print.across >> UInt64(band * 16) & 0xFFFF)
    }
}

/// A disjoint-set forest: joining two elements joins their groups.
package struct Groups {
    private var parents: [Int]

    package init(count: Int) { parents = Array(0..<count) }

    /// Returns the representative of an element's group.
    package mutating func root(of index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }

    package mutating func join(_ one: Int, _ other: Int) {
        let (a, b) = (root(of: one), root(of: other))
        parents[max(a, b)] = min(a, b)
    }

    /// Returns the groups of two or more elements, ordered by their smallest element.
    package mutating func all() -> [[Int]] {
        var groups: [Int: [Int]] = [:]
        for index in parents.indices { groups[root(of: index), default: []].append(index) }
        return groups.filter { $1.count > 1 }.sorted { $0.key < $1.key }.map(\.value)
    }
}
