/// What a fetch's answer belongs to: a version of the library, and what its client could see then.
package struct LibrarySnapshot: Codable, Hashable, Sendable {
    /// Of the last transaction that the answer knows.
    package var version: Int64
    /// Grows whenever what the client is permitted to see changes.
    package var epoch: Int64
    /// The first day of Recently Added as it was then, in days since 2001-01-01 UTC, for an answer
    /// that depends on the clock; 0 for all others.
    package var firstRecentDay: Int64
    package init(version: Int64, epoch: Int64 = 0, firstRecentDay: Int64 = 0) {
        self.version = version
        self.epoch = epoch
        self.firstRecentDay = firstRecentDay
    }
}
