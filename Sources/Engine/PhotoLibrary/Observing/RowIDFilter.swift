internal import PhotoModel

/// A set of row ids optimized for scanning long lists.
///
/// Costs one subtraction and one comparison per id outside the set's range, and one bit test per id
/// within it.
struct RowIDFilter {
    private enum Content {
        case empty
        /// A bitmap with one bit for each number, starting at `low`.
        case bits(low: Int64, count: UInt64, words: [UInt64])
        /// The ids as a set, if they are too far apart for a bitmap.
        case set(Set<Int64>)
    }

    /// The maximum number of bits in a bitmap, which occupy 8 MB.
    private static let mostBits: UInt64 = 1 << 26

    private let content: Content

    /// Creates a set of row ids.
    ///
    /// - Parameter ids: The ids in ascending order.
    init(_ ids: ContiguousArray<Int64>) {
        guard let low = ids.first, let high = ids.last else {
            content = .empty
            return
        }
        let span = UInt64(bitPattern: high &- low)
        guard span < Self.mostBits else {
            content = .set(Set(ids))
            return
        }
        var words = [UInt64](repeating: 0, count: Int(span / 64) + 1)
        for id in ids {
            let bit = UInt64(bitPattern: id &- low)
            words[Int(bit / 64)] |= 1 << (bit % 64)
        }
        content = .bits(low: low, count: span + 1, words: words)
    }

    /// Returns the ascending indexes at which a list contains ids of this set.
    func places(in list: ContiguousArray<Int64>) -> [Int] {
        var places: [Int] = []
        switch content {
        case .empty: break
        case .set(let ids): places = list.indices.filter { ids.contains(list[$0]) }
        case .bits(let low, let count, let words):
            list.withUnsafeBufferPointer { list in
                words.withUnsafeBufferPointer { words in
                    for index in list.indices {
                        let bit = UInt64(bitPattern: list[index] &- low)
                        if bit < count, words[Int(bit / 64)] >> (bit % 64) & 1 != 0 {
                            places.append(index)
                        }
                    }
                }
            }
        }
        return places
    }
}

/// A view of a list that omits some indexes.
struct GappedList: RandomAccessCollection {
    let list: ContiguousArray<Int64>
    /// The omitted indexes, ascending.
    private let gaps: [Int]
    /// The number of retained elements before each gap.
    private let keptBefore: [Int]

    init(_ list: ContiguousArray<Int64>, leavingOut gaps: [Int]) {
        self.list = list
        self.gaps = gaps
        keptBefore = gaps.enumerated().map { $1 - $0 }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { list.count - gaps.count }

    /// The retained indexes of `list`, as ranges in order.
    var runs: [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for gap in gaps + [list.count] {
            if gap > start { runs.append(start..<gap) }
            start = gap + 1
        }
        return runs
    }

    subscript(position: Int) -> Int64 {
        // The number of preceding gaps equals the number of gaps with at most `position` retained
        // elements before them.
        list[position + keptBefore.indexPast({ $0 <= position })]
    }
}
