internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// The values of an exported asset that an import applied to the library.
///
/// A later import compares them to distinguish changes at the source from changes in this library.
/// Stored with the asset's `migratedItem`. A value is stored only once it was taken.
struct ExportFacts: Codable, Hashable, Sendable {
    /// The burst values of one frame.
    struct Burst: Codable, Hashable, Sendable {
        var types: UInt
        var isKey: Bool

        init(_ record: AssetRecord) {
            types = record.burstSelectionTypes.rawValue
            isKey = record.representsBurst
        }

        func apply(to record: inout AssetRecord) {
            record.burstSelectionTypes = BurstSelectionTypes(rawValue: types)
            record.representsBurst = isKey
        }
    }

    /// The identifier of the exported library; `version` is its version at the time of the export.
    var library: String?
    var version: Int64?
    var modificationDate: Double
    var title: String?
    var caption: String?
    var keywords: [String]
    var rating: Int
    var isFavorite: Bool
    var isHidden: Bool
    var isTrashed: Bool
    var creationDate: Double?
    var wallTime: String?
    var offset: Int?
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var burst: Burst
    /// The burst values that this library set instead of the exported ones because other frames
    /// were missing.
    var adaptedBurst: Burst?
    /// The keys of the files that do not belong to an edit.
    var files: [String] = []
    /// The key of the edit's rendered file; nil for an unedited asset.
    var edit: String?

    init(_ record: AssetRecord, library: String?, version: Int64?) {
        self.library = library
        self.version = version
        modificationDate = record.modificationDate.timeIntervalSinceReferenceDate
        title = record.title
        caption = record.caption
        keywords = record.keywords
        rating = record.rating
        isFavorite = record.isFavorite
        isHidden = record.isHidden
        isTrashed = record.trashedDate != nil
        creationDate = record.creationDate?.timeIntervalSinceReferenceDate
        wallTime = record.captureTime?.wallTime
        offset = record.captureTime?.offset
        latitude = record.location?.latitude
        longitude = record.location?.longitude
        altitude = record.location?.altitude
        burst = Burst(record)
    }

    /// Returns the key of a file, which consists of the type and the beginning of the SHA-256.
    static func key(_ type: ResourceType, _ sha256: String) -> String {
        "\(type.rawValue):\(sha256.prefix(16))"
    }

    // MARK: - Age

    /// Returns whether these values are from an earlier state of the source than the other values.
    func isOlder(than other: ExportFacts) -> Bool {
        if let library, library == other.library, let version, let last = other.version {
            return version < last
        }
        return modificationDate < other.modificationDate
    }

    /// Returns whether these and the other values are equal, ignoring library, version and adapted
    /// burst values.
    func hasSameValues(as other: ExportFacts) -> Bool {
        var same = other
        same.library = library
        same.version = version
        same.adaptedBurst = adaptedBurst
        return same == self
    }

    // MARK: - Merging

    /// Applies the source's changes since the last import to a record, except for values that this
    /// library changed as well.
    ///
    /// - Parameters:
    ///   - new: The values of the source now.
    ///   - exact: The source's record.
    ///   - record: The asset as it is.
    ///   - time: The time of a deletion.
    /// - Returns: The names of values that differ at both places and were kept.
    mutating func merge(
        _ new: ExportFacts,
        from exact: AssetRecord,
        into record: inout AssetRecord,
        at time: Date
    ) -> [String] {
        let present = ExportFacts(record, library: nil, version: nil)
        var kept: [String] = []
        var taken: SettableFacts = []
        func decide<Value: Equatable>(
            _ name: String,
            _ value: (ExportFacts) -> Value,
            _ take: () -> Void
        ) {
            guard value(self) != value(new) else { return }
            if value(present) == value(self) {
                take()
            } else if value(present) != value(new) {
                kept.append(name)
            }
        }
        decide("title", \.title) {
            record.title = exact.title
            taken.insert(.title)
        }
        decide("caption", \.caption) {
            record.caption = exact.caption
            taken.insert(.caption)
        }
        decide("keywords", \.keywords) {
            record.keywords = exact.keywords
            taken.insert(.keywords)
        }
        decide("rating", \.rating) {
            record.rating = exact.rating
            taken.insert(.rating)
        }
        decide("location", { [$0.latitude, $0.longitude, $0.altitude] }) {
            record.location = exact.location
            taken.insert(.location)
        }
        decide("favorite", \.isFavorite) { record.isFavorite = exact.isFavorite }
        decide("hidden", \.isHidden) { record.isHidden = exact.isHidden }
        // The thirty days begin anew, so that nothing vanishes unseen.
        decide("trash", \.isTrashed) { record.trashedDate = new.isTrashed ? time : nil }
        decide("date", { Moment($0) }) {
            record.creationDate = exact.creationDate
            record.captureTime = exact.captureTime
        }
        if burst != new.burst {
            if present.burst == burst || present.burst == adaptedBurst {
                new.burst.apply(to: &record)
            } else if present.burst != new.burst {
                kept.append("burst")
            }
        }
        record.personFacts.subtract(taken)
        record.personFacts.formUnion(exact.personFacts.intersection(taken))
        let (files, edit) = (files, edit)
        let adapted = burst == new.burst ? adaptedBurst : nil
        self = new
        (self.files, self.edit, adaptedBurst) = (files, edit, adapted)
        return kept
    }

    private struct Moment: Equatable {
        var date: Double?
        var wallTime: String?
        var offset: Int?

        init(_ facts: ExportFacts) {
            (date, wallTime, offset) = (facts.creationDate, facts.wallTime, facts.offset)
        }
    }
}

/// The state of an exported album or folder, besides its title, when it was last imported.
struct ExportedAlbum: Codable, Hashable, Sendable {
    var library: String?
    var version: Int64?
    /// The source identifiers of the album members that have been imported.
    var members: [String]

    /// Returns whether this state of the source is earlier than the other one.
    func isOlder(than other: ExportedAlbum) -> Bool {
        guard let library, library == other.library, let version, let last = other.version else {
            return false
        }
        return version < last
    }
}
