extension RandomAccessCollection {
    /// The first index whose element does not meet a condition that all before it meet; the end when all
    /// do.
    ///
    /// Costs O(log n) calls. Unspecified where the elements that meet it do not all come first.
    @inlinable
    package func indexPast(_ isBefore: (Element) throws -> Bool) rethrows -> Index {
        var low = startIndex
        var left = count
        while left > 0 {
            let half = left / 2
            let middle = index(low, offsetBy: half)
            if try isBefore(self[middle]) {
                low = index(after: middle)
                left -= half + 1
            } else {
                left = half
            }
        }
        return low
    }
}
