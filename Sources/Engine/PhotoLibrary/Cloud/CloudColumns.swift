internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Encodes column values for other devices, as one flat JSON object for each register group.
///
/// A register group consists of columns that are merged as a whole. The values have the same form
/// as in the journal. Columns that a later version adds to a group are ignored.
enum CloudColumns {
    /// The asset register groups that consist only of columns of the table `asset`.
    static let assetGroups: [RegisterGroup] = [
        .facts, .time, .place, .isFavorite, .isHidden, .title, .caption, .rating, .originalChoice,
        .trash, .burstPick, .burstRole, .filename, .contentIdentifier, .burstIdentifier,
    ]
    /// The asset register groups whose initial values are in the asset's creation.
    static let initialGroups: [RegisterGroup] = [.filename, .contentIdentifier, .burstIdentifier]

    private static let columns: [RegisterGroup: [String]] = Dictionary(
        uniqueKeysWithValues: (assetGroups + [.content]).map {
            ($0, MergeTable.columns(of: $0, in: "asset"))
        }
    )
    private static let constants = MergeTable.constants(of: "asset")

    /// The register group of each column in `AssetRecord.map`; nil for a column that is not
    /// exchanged as part of a group.
    private static let groups = AssetRecord.map.columns.map { column in
        MergeTable.group(of: column.name, in: "asset").flatMap { columns[$0] == nil ? nil : $0 }
    }
    /// Indicates for each column in `AssetRecord.map` whether the asset's creation contains it: the
    /// value from the earliest creation is kept, unless it was changed later.
    private static let areConstants = AssetRecord.map.columns.map { constants.contains($0.name) }
    private static let names = ColumnNames(AssetRecord.map.columns.map(\.name))

    /// Returns the property (one that files can contain and users can set) to which a register
    /// group corresponds; nil if there is none.
    ///
    /// A value that a person set is kept when the file is read again.
    static func fact(of group: RegisterGroup) -> SettableFacts? {
        switch group {
        case .place: .location
        case .title: .title
        case .caption: .caption
        case .rating: .rating
        default: nil
        }
    }

    private static let isSet = "isSet"

    /// Returns a group's values, encoded as JSON.
    static func bytes(of group: RegisterGroup, in record: AssetRecord) -> [UInt8] {
        var more: [(name: String, value: DatabaseValue)] = []
        if let fact = fact(of: group), record.personFacts.contains(fact) {
            more = [(isSet, 1.databaseValue)]
        }
        return encode(AssetRecord.map.journaled(record, columns: columns[group] ?? []), more)
    }

    /// Returns an asset's constants, encoded as JSON.
    static func constants(of record: AssetRecord) -> [UInt8] {
        encode(AssetRecord.map.journaled(record, columns: constants), [])
    }

    /// Returns an album's or folder's constants, encoded as JSON.
    static func constants(of record: CollectionRecord) -> [UInt8] {
        encode(
            CollectionRecord.map.journaled(
                record,
                columns: MergeTable.constants(of: "collection")
            ),
            []
        )
    }

    /// Returns an asset's record after applying constants from another device.
    ///
    /// The values of `changed` groups are kept: their registers replace what the creation contains.
    static func apply(
        constants bytes: [UInt8],
        to record: AssetRecord,
        changed: [RegisterGroup]
    ) throws -> AssetRecord {
        var draft = Draft(record)
        try draft.apply(constants: bytes, changed: changed)
        return try draft.record()
    }

    /// Returns an asset's record after applying a group's values from another device.
    static func apply(
        _ bytes: [UInt8],
        of group: RegisterGroup,
        to record: AssetRecord
    ) throws -> AssetRecord {
        var draft = Draft(record)
        try draft.apply(bytes, of: group)
        return try draft.record()
    }

    /// An asset's column values, to which values from other devices are applied; `record()`
    /// converts the result to a record once at the end.
    struct Draft {
        private var original: AssetRecord
        /// The values in the order of the columns in `AssetRecord.map`.
        private var values: [DatabaseValue]
        private var personFacts: SettableFacts

        init(_ record: AssetRecord) {
            original = record
            values = AssetRecord.map.values(record)
            personFacts = record.personFacts
        }

        /// Creates a draft of a new asset that has only a UUID.
        init(newAsset uuid: String) {
            self = Self.blank
            original.uuid = uuid
            if let place = AssetRecord.map.places["uuid"] { values[place] = uuid.databaseValue }
        }

        private static let blank = Draft(
            AssetRecord(
                id: 0,
                uuid: "",
                mediaType: .unknown,
                originalFilename: "",
                contentType: "",
                addedDate: Date(timeIntervalSinceReferenceDate: 0)
            )
        )

        /// Applies constants, except for the values of `changed` groups.
        mutating func apply(constants bytes: [UInt8], changed: [RegisterGroup] = []) throws {
            _ = try set(bytes) { place in
                guard areConstants[place] else { return false }
                return groups[place].map { !changed.contains($0) } ?? true
            }
        }

        mutating func apply(_ bytes: [UInt8], of group: RegisterGroup) throws {
            let isByPerson = try set(bytes) { groups[$0] == group }
            guard let fact = fact(of: group) else { return }
            if isByPerson {
                personFacts.insert(fact)
            } else {
                personFacts.remove(fact)
            }
        }

        /// Sets those columns of an encoded object that belong.
        ///
        /// Returns whether the object states that a person set its values.
        private mutating func set(_ bytes: [UInt8], if belongs: (Int) -> Bool) throws -> Bool {
            var seen: UInt64 = 0
            var isByPerson = false
            let isParsed = JournalObjectParser.forEachColumn(of: bytes) { name, value in
                guard let place = names.place(of: name) else {
                    if name.elementsEqual(isSet.utf8) { isByPerson = value == .integer(1) }
                    return true
                }
                // A general decoder decides which one of two values counts.
                let bit: UInt64 = 1 << UInt64(place)
                guard seen & bit == 0 else { return false }
                seen |= bit
                if belongs(place) { values[place] = value.databaseValue }
                return true
            }
            if isParsed { return isByPerson }
            let received = try decode(bytes)
            for (name, value) in received {
                guard let place = AssetRecord.map.places[name], belongs(place) else { continue }
                values[place] = value.databaseValue
            }
            return received.contains { $0.name == isSet && $0.value == .integer(1) }
        }

        func record() throws -> AssetRecord {
            var cells = AssetRecord.map.reader(id: original.id, values)
            var record = try AssetRecord(cells: &cells)
            record.personFacts = personFacts
            return record
        }
    }

    /// Decodes a JSON object of column values.
    ///
    /// - Throws: `corrupt` for anything else.
    static func decode(_ bytes: [UInt8]) throws -> [(name: String, value: JournalValue.Scalar)] {
        do {
            return try JournalValue.columns(of: bytes)
        } catch {
            throw LibraryError(
                .corrupt,
                "A change of another device cannot be read.",
                reason: "Its values are not in the form that this version knows.",
                recovery: "Update this program."
            )
        }
    }

    static func encode(
        _ values: JournalEntry.Values,
        _ more: [(name: String, value: DatabaseValue)]
    ) -> [UInt8] {
        let sorted = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.databaseValue) }
        return Array((JournalValue.encode(sorted + more) ?? "{}").utf8)
    }

    // MARK: - Ranks

    /// Returns the rank of a group's values, which is compared before the stamp when values of two
    /// devices are merged; 0 for groups without ranks.
    static func rank(of group: RegisterGroup, in record: AssetRecord) -> UInt64 {
        switch group {
        case .facts, .contentIdentifier, .burstIdentifier: UInt64(max(0, record.readerVersion))
        case .time: timeRank(record.captureTime)
        case .modification: rank(of: record.modificationDate)
        default: 0
        }
    }

    /// Returns the rank of a capture time: highest if set by a person, lowest if its instant is
    /// derived from the place.
    private static func timeRank(_ time: CaptureTime?) -> UInt64 {
        guard let time else { return 1 }
        if time.wallTimeSource == .user || time.instantSource == .user { return 2 }
        return time.instantSource == .place ? 0 : 1
    }

    /// Returns the rank of a date: of two dates, the later one has the higher rank.
    static func rank(of date: Date) -> UInt64 {
        let bits = date.timeIntervalSinceReferenceDate.bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    /// Converts a date to a register value.
    static func value(of date: Date) -> RegisterValue {
        .number(Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern))
    }

    /// Returns the operation that sets an object's modification date.
    ///
    /// Of several such operations, the one with the latest date wins.
    static func modification(_ date: Date, of uuid: String) throws -> CloudOperation {
        .set(
            try CloudID.of(uuid),
            RegisterKey(.modification),
            rank: rank(of: date),
            value(of: date)
        )
    }

    /// Returns an object's modification date; nil if it is unknown.
    static func modification(in object: CloudObject) -> Date? {
        object.registers[RegisterKey(.modification)].flatMap { date(of: $0.value) }
    }

    static func date(of value: RegisterValue) -> Date? {
        guard case .number(let number) = value else { return nil }
        let seconds = Double(bitPattern: UInt64(bitPattern: number))
        return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    }
}
