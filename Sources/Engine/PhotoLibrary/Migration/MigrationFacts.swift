internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// The values of an asset or a collection that a migration imported.
///
/// A later migration compares them with the library to find what was changed here since.
struct MigrationFacts: Codable, Hashable, Sendable {
    var title: String?
    var caption: String?
    var keywords: [String] = []
    var isFavorite = false
    var isHidden = false
    /// The rating; nil if the source has no ratings.
    var rating: Int?
    var creationDate: Double?
    var captureOffset: Int?
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var isTrashed = false
    /// The roles of the imported files, other than files of edits; nil for a collection.
    var roles: [ForeignResource.Role]?
    /// The edit that the source had when it was last compared with the edit in this library; nil if
    /// the source had no edit.
    var edit: SourceEdit?
    /// The state of the source from which these values were taken.
    var state: SourceState?
    /// The capture time that the import set; nil if it set none.
    var time: AppliedTime?
    /// The original that differs from its fingerprint; nil if the original is intact.
    var damaged: DamagedOriginal?
    /// The sidecar that the import made.
    var sidecar: MadeSidecar?
    /// The source identifiers of the album members that have been imported.
    var members: [String]?
    /// The values of an exported asset, which are stored instead of the properties above.
    var export: ExportFacts?
    /// The state of an exported album, besides its title.
    var exportedAlbum: ExportedAlbum?

    init() {}

    /// Creates the values of an asset from the asset's facts at the source.
    init(_ facts: ForeignFacts) {
        title = facts.title.flatMap { $0.isEmpty ? nil : $0 }
        caption = facts.caption.flatMap { $0.isEmpty ? nil : $0 }
        keywords = facts.keywords
        isFavorite = facts.isFavorite
        isHidden = facts.isHidden
        rating = facts.rating
        creationDate = facts.creationDate
        captureOffset = facts.captureOffset
        latitude = facts.latitude
        longitude = facts.longitude
        altitude = facts.altitude
        isTrashed = facts.isTrashed
    }

    /// Creates the values that describe a collection, which is its title.
    init(title: String) { self.title = title }

    /// Decodes the values in a column of the library's database; a text that cannot be decoded
    /// yields no values.
    init(json: String) {
        self =
            (try? JSONDecoder().decode(MigrationFacts.self, from: Data(json.utf8)))
            ?? MigrationFacts()
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Returns whether the values that people set equal those in `other`; all other values may
    /// differ.
    func hasSameValues(as other: MigrationFacts) -> Bool {
        var same = other
        same.keepRecord(of: self)
        return same == self
    }

    /// Copies everything except the values that people set.
    private mutating func keepRecord(of other: MigrationFacts) {
        (roles, edit, members) = (other.roles, other.edit, other.members)
        (state, time, damaged, sidecar) = (other.state, other.time, other.damaged, other.sidecar)
    }

    // MARK: - Updating

    /// Applies the source's changes to an asset, except to values that were changed in this
    /// library.
    ///
    /// - Parameters:
    ///   - source: The values of the source now.
    ///   - record: The asset as it is.
    ///   - time: The time of a deletion.
    /// - Returns: The names of values that differ at both places and were kept.
    mutating func apply(_ source: MigrationFacts, to record: inout AssetRecord, at time: Date)
        -> [String]
    {
        let old = self
        var kept: [String] = []
        var taken: SettableFacts = []
        func update<Value: Equatable>(
            _ name: String,
            _ was: Value,
            _ new: Value,
            present: Value,
            _ change: () -> Void
        ) {
            guard was != new else { return }
            if present == was { change() } else if present != new { kept.append(name) }
        }
        update("title", old.title, source.title, present: record.title) {
            record.title = source.title
            taken.insert(.title)
        }
        update("caption", old.caption, source.caption, present: record.caption) {
            record.caption = source.caption
            taken.insert(.caption)
        }
        update("keywords", old.keywords, source.keywords, present: record.keywords) {
            record.keywords = source.keywords
            taken.insert(.keywords)
        }
        update("favorite", old.isFavorite, source.isFavorite, present: record.isFavorite) {
            record.isFavorite = source.isFavorite
        }
        update("hidden", old.isHidden, source.isHidden, present: record.isHidden) {
            record.isHidden = source.isHidden
        }
        if let rating = source.rating {
            update("rating", old.rating ?? 0, rating, present: record.rating) {
                record.rating = rating
                taken.insert(.rating)
            }
        }
        let place = [source.latitude, source.longitude]
        let former = [old.latitude, old.longitude]
        let present = [record.location?.latitude, record.location?.longitude]
        update("location", former, place, present: present) {
            record.location = source.location
            taken.insert(.location)
        }
        // The file's own altitude may be there instead of the source's.
        if place == former, present == place, source.altitude != old.altitude,
            record.location?.altitude == old.altitude
        {
            record.location = source.location
            taken.insert(.location)
        }
        if let date = source.creationDate,
            date != old.creationDate || source.captureOffset != old.captureOffset
        {
            let new = AppliedTime(date: date, offset: source.captureOffset)
            if isTimeOfImport(record) {
                record.captureTime = MigrationTime.time(date, offset: source.captureOffset)
                record.creationDate = record.captureTime?.instant
                self.time = AppliedTime(record)
            } else if !new.equals(record) {
                kept.append("date")
            }
        }
        update("trash", old.isTrashed, source.isTrashed, present: record.trashedDate != nil) {
            record.trashedDate = source.isTrashed ? time : nil
        }
        record.personFacts.formUnion(taken)
        let last = self
        self = source
        keepRecord(of: last)
        return kept
    }

    /// Returns whether an asset has the capture time that the last import set.
    ///
    /// The file's own time is set where the source's is impossible, and the file's offset where the
    /// source has none.
    func isTimeOfImport(_ record: AssetRecord) -> Bool {
        if let time { return time.equals(record) }
        // A time that no import set is not taken for one.
        guard let creationDate else { return false }
        let offset = captureOffset ?? record.captureTime?.offset
        return AppliedTime(date: creationDate, offset: offset).equals(record)
    }

    private var location: Location? {
        guard let latitude, let longitude else { return nil }
        return Location(latitude: latitude, longitude: longitude, altitude: altitude)
    }
}

/// The rendered file of an edit at the source, as an import found it.
///
/// A rendering of the same size and time is not read again.
struct SourceEdit: Codable, Hashable, Sendable {
    var sha256: String
    var size: Int64
    /// The modification time in nanoseconds since 1970.
    var modificationTime: Int64
    /// The time of the edit, if the source states it.
    var timestamp: Double?
    /// Indicates whether the edit's other files were read as well.
    var isWhole: Bool
    /// The roles of the edit's files that were read; nil if they were not recorded.
    var roles: [ForeignResource.Role]?

    /// Returns whether a file is probably this rendered file, judging by size and modification
    /// time.
    func mayEqual(_ entry: SourceListing.Entry) -> Bool {
        size == entry.size && modificationTime == entry.modificationTime
    }
}

/// Creates the capture times of migrated assets.
enum MigrationTime {
    /// Creates a capture time that is marked as set by a person.
    static func time(
        _ seconds: Double,
        offset: Int?,
        zone: TimeZone = .current
    ) -> CaptureTime {
        let instant = Date(timeIntervalSinceReferenceDate: seconds)
        let shown = offset ?? zone.secondsFromGMT(for: instant)
        return CaptureTime(
            instant: instant,
            wallTime: WallTime(secondsSince1970: instant.timeIntervalSince1970 + Double(shown))
                .text,
            offset: offset,
            wallTimeSource: .user,
            instantSource: offset == nil ? .machineTimeZone : .user
        )
    }

    /// Combines the capture time from the source with the capture time in the file.
    ///
    /// Where both agree, the file's wall time stays with its source; otherwise a person changed it.
    static func combined(_ facts: ForeignFacts, file: CaptureTime?, zone: TimeZone) -> CaptureTime?
    {
        guard let seconds = facts.creationDate else { return file }
        var time = Self.time(seconds, offset: facts.captureOffset, zone: zone)
        guard let file, file.wallTimeSource != .fileTime else { return time }
        let isSameWall = file.wallTime.prefix(19) == time.wallTime.prefix(19)
        let isSameInstant = abs(file.instant.timeIntervalSince(time.instant)) < 1
        guard
            isSameWall && (file.offset == nil || isSameInstant)
                || isSameInstant && facts.captureOffset == nil
        else { return time }
        time.wallTime = file.wallTime
        time.wallTimeSource = file.wallTimeSource
        time.offset = facts.captureOffset ?? file.offset
        if file.offset != nil || facts.captureOffset == nil {
            time.instantSource = file.instantSource
        }
        return time
    }
}
