internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The state of a library of another program at an import, which orders imports of its copies.
struct SourceState: Codable, Hashable, Sendable {
    /// A number that grows with each change of the library.
    var version: Int64?
    /// The latest date of a change of an asset, in seconds since 2001-01-01.
    var newestDate: Double?

    init(_ counts: ForeignCounts) {
        version = counts.version
        newestDate = counts.newestDate
    }

    /// Returns whether the library is older than at another import.
    ///
    /// The numbers of one library are comparable, and else the dates.
    func isOlder(than other: SourceState, isSameSource: Bool) -> Bool {
        if isSameSource, let version, let last = other.version, version != last {
            return version < last
        }
        guard let newestDate, let last = other.newestDate else { return false }
        return newestDate < last
    }

    /// Returns whether an asset is older than at the import of a row.
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

/// The capture time of an asset, as an import set it.
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

    /// Returns whether an asset has this time.
    func equals(_ record: AssetRecord) -> Bool {
        guard let other = AppliedTime(record) else { return false }
        return abs(date - other.date) < 0.001 && offset == other.offset
    }
}

/// An original that seemed to be damaged when it was imported.
///
/// It is read again when its file at the source is another one.
struct DamagedOriginal: Codable, Hashable, Sendable {
    var sha256: String
    var size: Int64
    /// The modification time in nanoseconds since 1970.
    var modificationTime: Int64
    /// The text of the note about it.
    var text: String

    /// Returns whether a file is probably this one.
    func mayEqual(_ entry: SourceListing.Entry) -> Bool {
        size == entry.size && modificationTime == entry.modificationTime
    }

    var note: MigrationNote { MigrationNote("damaged", .error, text) }
}

/// The sidecar that an import made of what the library cannot hold.
struct MadeSidecar: Codable, Hashable, Sendable {
    /// The digest of the document without the camera's adjustments; empty for no document.
    var digest: String
    /// Indicates whether the camera's adjustments are in it.
    var hasCamera: Bool?
}
