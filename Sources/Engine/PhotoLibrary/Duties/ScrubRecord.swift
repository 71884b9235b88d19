internal import Foundation
internal import LibraryService

/// The progress of a `Scrubber`.
///
/// Without it, the files are read from the first one on.
struct ScrubRecord: DutyRecord {
    /// The greatest size of the file, which limits the number of damaged files that are recorded.
    static let limitInBytes = 1 << 20
    /// The number of damaged files that are recorded.
    static let damageLimit = 500

    /// The day of the budget, in days since 2001.
    var day = 0
    /// The bytes that were read on that day.
    var bytes: Int64 = 0
    /// The row of the last file that was read.
    var position: Int64 = 0
    var summary = LastScrub(date: .distantPast)

    static func path(in bundle: LibraryBundle) -> String { bundle.scrubbed }
}
