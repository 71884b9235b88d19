/// The number of objects in a slice of background work, adapted to the time for which the last
/// slice held the writer lock.
///
/// A foreground change waits for at most one slice. Sizes are chosen so that a slice takes at most
/// 20 ms, but a slice has at least one object, and a slow disk can make it take longer.
package struct SliceSize: Sendable {
    /// The time that a slice should take: half of the maximum of 20 ms, since slices of equal size
    /// take different times.
    package static let target = Duration.milliseconds(10)

    /// The number of objects of the next slice.
    package private(set) var count: Int
    private let bounds: ClosedRange<Int>

    package init(_ count: Int, in bounds: ClosedRange<Int>) {
        self.count = min(max(count, bounds.lowerBound), bounds.upperBound)
        self.bounds = bounds
    }

    /// Adapts the size to the time for which a slice of the present size held the writer lock.
    package mutating func adapt(to held: Duration) {
        let ratio = held > .zero ? min(2, Self.target / held) : 2
        count = min(max(Int(Double(count) * ratio), bounds.lowerBound), bounds.upperBound)
    }
}
