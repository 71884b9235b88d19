extension RandomAccessCollection {
    /// Returns the index of the first element that does not satisfy a predicate, or the end index.
    ///
    /// Makes O(log n) calls. The collection must be partitioned: the elements that satisfy the
    /// predicate come first. Otherwise the result is unspecified.
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
