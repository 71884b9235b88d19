/// The number of objects in a slice of background work, adapted to the time for which the last
/// slice held the writer lock.
///
/// A foreground change waits for at most one slice, which takes 20 ms at most as far as its size
/// decides. A slice has at least one object, and the disk may be slow.
package struct SliceSize: Sendable {
    /// The time that slices aim at: half of the limit, since slices of equal size vary.
    package static let target = Duration.milliseconds(10)

    /// The number of objects of the next slice.
    package private(set) var count: Int
    private let bounds: ClosedRange<Int>

    package init(_ count: Int, in bounds: ClosedRange<Int>) {
        self.count = min(max(count, bounds.lowerBound), bounds.upperBound)
        self.bounds = bounds
    }

    /// Adapts the size to a slice that had the present size.
    package mutating func adapt(to held: Duration) {
        let ratio = held > .zero ? min(2, Self.target / held) : 2
        count = min(max(Int(Double(count) * ratio), bounds.lowerBound), bounds.upperBound)
    }
}
