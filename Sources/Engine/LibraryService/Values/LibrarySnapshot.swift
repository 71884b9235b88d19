/// The state that a fetch result belongs to: a library version, and the client's access at that
/// time.
package struct LibrarySnapshot: Codable, Hashable, Sendable {
    /// The version of the last transaction that the result includes.
    package var version: Int64
    /// A number that increases whenever the client's access changes.
    ///
    /// It differs between sessions in which the access may differ. It can be lower in a later
    /// process if the clock was set back, so only equal epochs mean equal access.
    package var epoch: Int64
    /// The first day of Recently Added at the time of the result, in days since 2001-01-01 UTC; 0
    /// for a result that does not depend on the clock.
    package var firstRecentDay: Int64
    package init(version: Int64, epoch: Int64 = 0, firstRecentDay: Int64 = 0) {
        self.version = version
        self.epoch = epoch
        self.firstRecentDay = firstRecentDay
    }
}
