/// How large a group of assets is that belong together by time and place.
///
/// Each group of a level consists of whole groups of the level before.
package enum MomentLevel: Int, Codable, Hashable, Sendable, CaseIterable {
    /// One place, one part of a day.
    case moment = 1
    /// Moments that lie near one another: a journey, or a month at home.
    case cluster = 2
    /// All moments of a year.
    case year = 3

    /// What its groups are as objects.
    package var kind: ObjectKind { self == .moment ? .moment : .momentList }

    /// The row id that stands for the group with an id of its own, where collections are named by row
    /// ids: a negative one beyond those of smart albums.
    package static func rowID(of id: Int64) -> Int64 { -1_000 - id }

    /// The group's own id; nil for a row id that stands for something else.
    package static func id(rowID: Int64) -> Int64? {
        rowID < -1_000 && rowID >= -.max ? -1_000 - rowID : nil
    }
}
