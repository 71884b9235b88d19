internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The state of another program's library at the time of an import.
///
/// Comparing states tells whether a copy of the library is older than the one that was imported
/// last.
struct SourceState: Codable, Hashable, Sendable {
    /// A number that grows with each change of the library.
    var version: Int64?
    /// The latest modification date among all assets of the source, in seconds since 2001-01-01.
    var newestDate: Double?

    init(_ counts: ForeignCounts) {
        version = counts.version
        newestDate = counts.newestDate
    }

    /// Returns whether this state of the library is older than another one.
    ///
    /// Version numbers are compared if both states are of one library, and the newest dates
    /// otherwise.
    func isOlder(than other: SourceState, isSameSource: Bool) -> Bool {
        if isSameSource, let version, let last = other.version, version != last {
            return version < last
        }
        guard let newestDate, let last = other.newestDate else { return false }
        return newestDate < last
    }

    /// Returns whether an asset's state at the source is older than the state that was imported.
    func isOlder(_ asset: ForeignAsset, than row: MigratedItems.Row, isSameSource: Bool) -> Bool {
        let last = row.facts.state
        if isSameSource, let version, let lastVersion = last?.version, version != lastVersion {
            return version < lastVersion
        }
        if let date = asset.facts.modificationDate, let lastDate = row.sourceModificationDate,
            date != lastDate
        {
            return date < lastDate
        }
        return last.map { isOlder(than: $0, isSameSource: isSameSource) } ?? false
    }
}

/// The capture time that an import set for an asset.
struct AppliedTime: Codable, Hashable, Sendable {
    /// Seconds since 2001-01-01.
    var date: Double
    /// Seconds east of UTC; nil for an unknown offset.
    var offset: Int?

    init(date: Double, offset: Int?) {
        self.date = date
        self.offset = offset
    }

    init?(_ record: AssetRecord) {
        guard let date = record.creationDate else { return nil }
        self.init(date: date.timeIntervalSinceReferenceDate, offset: record.captureTime?.offset)
    }

    /// Returns whether an asset's capture time equals this one.
    func equals(_ record: AssetRecord) -> Bool {
        guard let other = AppliedTime(record) else { return false }
        return abs(date - other.date) < 0.001 && offset == other.offset
    }
}

/// An original that seemed to be damaged when it was imported.
///
/// It is read again if the file at the source has changed.
struct DamagedOriginal: Codable, Hashable, Sendable {
    var sha256: String
    var size: Int64
    /// The modification time in nanoseconds since 1970.
    var modificationTime: Int64
    /// The text of the report's note about the damage.
    var text: String

    /// Returns whether a file is probably this original, judging by size and modification time.
    func mayEqual(_ entry: SourceListing.Entry) -> Bool {
        size == entry.size && modificationTime == entry.modificationTime
    }

    var note: MigrationNote { MigrationNote("damaged", .error, text) }
}

/// The sidecar that an import created for metadata that the library's schema cannot hold.
struct MadeSidecar: Codable, Hashable, Sendable {
    /// The digest of the sidecar without the adjustment data from the camera; empty if the sidecar
    /// contains no other metadata.
    var digest: String
    /// Indicates whether the document contains the camera's adjustments.
    var hasCamera: Bool?
}
