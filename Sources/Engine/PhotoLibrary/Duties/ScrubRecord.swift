internal import Foundation
internal import LibraryService

/// The progress of a `Scrubber`.
///
/// Without it, the files are read from the first one on.
struct ScrubRecord: DutyRecord {
    /// The maximum size of the file in bytes.
    static let limitInBytes = 1 << 20
    /// The maximum number of damaged files that are recorded.
    static let damageLimit = 500

    /// The day to which `bytes` applies, in days since 2001.
    var day = 0
    /// The number of bytes that were read on `day`.
    var bytes: Int64 = 0
    /// The row id of the last file that was read.
    var position: Int64 = 0
    var summary = LastScrub(date: .distantPast)

    static func path(in bundle: LibraryBundle) -> String { bundle.scrubbed }
}
