/// The level of a group of assets that belong together by time and place.
///
/// A group of a higher level consists of whole groups of the level below.
package enum MomentLevel: Int, Codable, Hashable, Sendable, CaseIterable {
    /// A group of assets that share a place and a part of a day.
    case moment = 1
    /// Moments close to each other, such as a trip or a month at home.
    case cluster = 2
    /// All moments of a year.
    case year = 3

    /// The object kind of the level's groups.
    package var kind: ObjectKind { self == .moment ? .moment : .momentList }

    /// Converts a group's own id to the row id that represents the group in lists of collections.
    ///
    /// The result is a negative number outside the range of smart albums.
    package static func rowID(of id: Int64) -> Int64 { -1_000 - id }

    /// Returns the id of the group that a row id represents; nil if it represents no group.
    package static func id(rowID: Int64) -> Int64? {
        rowID < -1_000 && rowID >= -.max ? -1_000 - rowID : nil
    }
}
