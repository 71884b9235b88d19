internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// The values that an import took from a Google Photos export for one file or album.
///
/// A later import compares them with Google's and the library's values to find out on which side a
/// value changed. They are stored in the `migratedItem` row. Values that an earlier version of this
/// program did not record are nil, and their changes are not followed.
struct TakeoutApplied: Codable, Hashable, Sendable {
    /// A geographic position in degrees.
    struct Place: Codable, Hashable, Sendable {
        var latitude: Double
        var longitude: Double

        init(_ location: Location) {
            latitude = location.latitude
            longitude = location.longitude
        }

        /// Indicates whether a location's latitude and longitude each differ from this place's by
        /// at most `TakeoutPolicy.sameDegrees`; false if the location is nil.
        func isNear(_ location: Location?) -> Bool {
            guard let location else { return false }
            return abs(latitude - location.latitude) <= TakeoutPolicy.sameDegrees
                && abs(longitude - location.longitude) <= TakeoutPolicy.sameDegrees
        }
    }

    /// The caption in Google Photos.
    var caption: String?
    private var favorite: Int?
    var isTrashed: Bool?
    /// The instant of capture in seconds since 1970.
    var taken: Int64?
    var place: Place?

    /// The creation date that the import set for the asset, in seconds since 2001-01-01; nil if the
    /// import set none.
    var date: Double?
    /// The location that the import set or found in the file.
    var location: Place?
    /// The time at which the import moved the asset to Recently Deleted, in seconds since
    /// 2001-01-01; nil if it did not.
    var trashed: Double?
    /// The SHA-256 of the sidecar that the import wrote.
    var sidecar: String?
    /// The SHA-256 of the imported file.
    var sha256: String?
    /// The UUIDs of the assets that imports added to an album, in the order that the imports gave
    /// them.
    var members: [String]?

    private enum CodingKeys: String, CodingKey {
        case caption, isTrashed, taken, place, date, location, trashed, sidecar, sha256, members
        // SQL wrote it as a number.
        case favorite = "isFavorite"
    }

    init() {}

    /// Creates the values that Google's description of a file states.
    init(_ facts: TakeoutFacts?) {
        caption = facts?.caption
        isFavorite = facts?.isFavorite ?? false
        isTrashed = facts?.isTrashed ?? false
        taken = facts?.takenSeconds
        place = facts.flatMap { TakeoutPolicy.location($0, file: nil).0 }.map(Place.init)
    }

    /// Parses the JSON in a column of `migratedItem`; text that cannot be parsed yields no values.
    init(json: String) {
        self =
            (try? JSONDecoder().decode(TakeoutApplied.self, from: Data(json.utf8)))
            ?? TakeoutApplied()
    }

    var isFavorite: Bool {
        get { favorite == 1 }
        set { favorite = newValue ? 1 : 0 }
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Records the date and location that an asset has after an import.
    mutating func remember(_ asset: AssetRecord) {
        date = asset.creationDate?.timeIntervalSinceReferenceDate
        location = asset.location.map(Place.init)
    }

    /// Indicates whether an asset is in Recently Deleted because of the import, and has been there
    /// since.
    func hasTrashed(_ asset: AssetRecord) -> Bool {
        guard let trashed, let date = asset.trashedDate else { return false }
        return abs(date.timeIntervalSinceReferenceDate - trashed) < 0.001
    }

    // MARK: - Following

    /// Updates an asset with the values that changed in Google Photos since the last import.
    ///
    /// A value that was also changed in the library is kept.
    ///
    /// - Parameters:
    ///   - facts: Google's current description.
    ///   - record: The asset to change.
    ///   - policy: The policy for dates and places.
    ///   - time: The time of a deletion.
    /// - Returns: The names of the values that were changed on both sides and were kept.
    mutating func follow(
        _ facts: TakeoutFacts,
        into record: inout AssetRecord,
        _ policy: TakeoutPolicy,
        at time: Date
    ) -> [String] {
        let old = self
        var new = TakeoutApplied(facts)
        (new.date, new.location) = (old.date, old.location)
        (new.sidecar, new.sha256, new.trashed) = (old.sidecar, old.sha256, old.trashed)
        var kept: [String] = []
        if new.caption != old.caption {
            if record.caption == old.caption {
                record.caption = new.caption
                record.personFacts.insert(.caption)
            } else if record.caption != new.caption {
                kept.append("caption")
            }
        }
        if new.isFavorite != old.isFavorite, record.isFavorite == old.isFavorite {
            record.isFavorite = new.isFavorite
        }
        // The thirty days begin anew, so that nothing vanishes unseen.
        if let was = old.isTrashed, new.isTrashed != was, (record.trashedDate != nil) == was {
            record.trashedDate = new.isTrashed == true ? time : nil
            new.trashed = record.trashedDate?.timeIntervalSinceReferenceDate
        }
        if new.taken != old.taken, old.isDated, let time = policy.captureTime(facts, of: record) {
            let present = record.creationDate?.timeIntervalSinceReferenceDate
            let wanted = time.instant.timeIntervalSinceReferenceDate
            if present.map({ abs($0 - wanted) < 0.001 }) ?? false {
                new.date = present
            } else if let present, let set = old.date, abs(present - set) < 0.001 {
                record.captureTime = time
                record.creationDate = time.instant
                new.date = wanted
            } else {
                kept.append("date")
            }
        }
        if new.place != old.place, old.isDated {
            let wanted = TakeoutPolicy.location(facts, file: nil).0
            let isThere = new.place.map { $0.isNear(record.location) } ?? (record.location == nil)
            if isThere {
                new.location = record.location.map(Place.init)
            } else if old.location == record.location.map(Place.init) {
                record.location = wanted
                record.personFacts.insert(.location)
                new.location = wanted.map(Place.init)
            } else {
                kept.append("place")
            }
        }
        self = new
        return kept
    }

    /// Indicates whether dates and places were recorded; rows of earlier versions lack them.
    private var isDated: Bool { isTrashed != nil }
}
