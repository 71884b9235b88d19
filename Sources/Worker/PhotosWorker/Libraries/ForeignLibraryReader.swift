internal import Media
internal import WorkerProtocol

/// A reader for the records of another program's library.
protocol ForeignLibraryReader: AnyObject {
    var counts: ForeignCounts { get }
    /// Returns the next asset; nil after the last one.
    func nextAsset() throws(ForeignDatabase.Failure) -> ForeignAsset?
    /// Returns all collections to import, sorted so that each parent precedes its children.
    func collections() throws(ForeignDatabase.Failure) -> [ForeignCollection]
    /// Returns the identifiers (`ForeignAsset.item`) of a collection's members, in the collection's
    /// order.
    func members(of collection: ForeignCollection) throws(ForeignDatabase.Failure) -> [String]
}

/// A stream of the records of a library or export, in batches.
protocol RecordStream: AnyObject {
    /// Returns the next batch, which has at most `limit` records.
    func next(_ limit: Int) throws(ForeignDatabase.Failure) -> ForeignBatch
    /// Puts back records that did not fit into a message; the next batch begins with them.
    func takeBack(_ records: ArraySlice<ForeignRecord>)
}

/// A stream of the records of another program's library, in batches.
final class ForeignRecordStream: RecordStream {
    private enum Phase {
        case counts, assets, collections
        case members([ForeignCollection])
        case over
    }

    private let reader: any ForeignLibraryReader
    private var phase = Phase.counts
    /// The records that were read but are not in a batch yet.
    private var pending: [ForeignRecord] = []

    init(
        _ database: Int32,
        log: Int32?,
        parts: [ForeignLibraryPart: Int32] = [:],
        secondsPerStatement: Int
    ) throws(ForeignDatabase.Failure) {
        // Refused before its database is read.
        let model = try parts[.modelVersion].map(IPhotoModel.init)
        let database = try ForeignDatabase(
            database,
            log: log,
            secondsPerStatement: secondsPerStatement
        )
        if let model {
            reader = try IPhotoReader(
                database,
                model,
                parts: parts,
                secondsPerStatement: secondsPerStatement
            )
        } else if database.hasTable("Z_PRIMARYKEY") {
            reader = try PhotosLibraryReader(database)
        } else if database.hasTable("RKVersion"), database.hasTable("LiGlobals") {
            reader = try EarlierPhotosReader(database)
        } else {
            throw ForeignDatabase.Failure(reason: "Its database is not one of Photos.")
        }
    }

    /// Returns the next batch, which has at most `limit` records.
    ///
    /// A batch also ends once its records contain the maximum number of album members for one
    /// record. Therefore neither the worker nor the host keeps the members of all albums in memory.
    func next(_ limit: Int) throws(ForeignDatabase.Failure) -> ForeignBatch {
        var (records, members) = takePending(limit)
        reading: while records.count < limit, members < ForeignLimits.members, pending.isEmpty {
            switch phase {
            case .counts:
                records.append(.counts(reader.counts))
                phase = .assets
            case .assets:
                guard let asset = try reader.nextAsset() else {
                    phase = .collections
                    continue
                }
                records.append(.asset(asset))
            case .collections:
                let collections = try reader.collections()
                pending = collections.map(ForeignRecord.collection)
                phase = .members(collections.filter { $0.kind != .folder })
                records += takePending(limit - records.count).records
            case .members(var rest):
                guard !rest.isEmpty else {
                    phase = .over
                    continue
                }
                let collection = rest.removeFirst()
                phase = .members(rest)
                pending = ForeignRecord.members(
                    of: collection.item,
                    try reader.members(of: collection)
                )
                let more = takePending(limit - records.count)
                records += more.records
                members += more.members
            case .over: break reading
            }
        }
        if case .over = phase, pending.isEmpty {
            return ForeignBatch(records: records, isLast: true)
        }
        return ForeignBatch(records: records, isLast: false)
    }

    /// Puts back records that did not fit into a message; the next batch begins with them.
    func takeBack(_ records: ArraySlice<ForeignRecord>) { pending = records + pending }

    /// Removes and returns up to `limit` pending records, and the number of album members in them.
    private func takePending(_ limit: Int) -> (records: [ForeignRecord], members: Int) {
        var (taken, members) = (0, 0)
        while taken < pending.count, taken < limit, members < ForeignLimits.members {
            if case .members(let part) = pending[taken] { members += part.assets.count }
            taken += 1
        }
        defer { pending.removeFirst(taken) }
        return (Array(pending.prefix(taken)), members)
    }
}

/// Conversions of values in other programs' databases.
enum ForeignValue {
    /// Returns the canonical form of a UUID, in uppercase; nil for other text.
    static func uuid(_ text: String?) -> String? {
        guard let text, text.utf8.count == 36 else { return nil }
        let isValid = text.utf8.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index)
                ? byte == 0x2D
                : (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
                    || (0x61...0x66).contains(byte)
        }
        return isValid ? text.uppercased() : nil
    }

    /// Returns the canonical form of a UUID that is written in the short form of Photos 3 and 4;
    /// nil for other text.
    ///
    /// Photos 3 and 4 write a UUID in 22 characters: its bytes in Base64, with `%` instead of `/`.
    static func uuid(short text: String) -> String? {
        guard text.utf8.count == 22 else { return nil }
        var bits: UInt32 = 0
        var count = 0
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case 0x2B: value = 62
            case 0x25, 0x2F: value = 63
            default: return nil
            }
            bits = (bits << 6 | UInt32(value)) & 0xFF_FFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        guard bytes.count == 16 else { return nil }
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { result.append(0x2D) }
            result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The range of plausible dates, from 1800 to 2200, in seconds since the reference date.
    private static let plausibleDates = -6_342_969_600.0...6_279_811_200.0

    /// Returns a date, in seconds since the reference date; nil for a date that is implausible for
    /// a photo.
    static func date(_ seconds: Double?) -> Double? {
        seconds.flatMap { plausibleDates.contains($0) ? $0 : nil }
    }

    /// Returns a time zone's UTC offset in seconds; nil for an offset that no time zone has.
    static func offset(_ seconds: Int64?) -> Int? {
        seconds.flatMap { (-50_400...50_400).contains($0) ? Int($0) : nil }
    }

    /// Returns the UTC offset in seconds, computed from a local time in EXIF's form and the
    /// corresponding instant.
    ///
    /// Returns nil unless the offset is approximately a multiple of 15 minutes.
    static func offset(exif text: String?, instant: Double?) -> Int? {
        guard let text, let instant else { return nil }
        let numbers = text.split { !("0"..."9").contains($0) }.prefix(6)
            .compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
        guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
            numbers[3] < 24, numbers[4] < 60, numbers[5] < 61
        else { return nil }
        // Days since 2001-01-01, with March as the first month.
        let year = numbers[1] > 2 ? numbers[0] : numbers[0] - 1
        let month = (numbers[1] + 9) % 12
        let days =
            365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + numbers[2] - 1
        let wall =
            Double((days - 730_791) * 86_400 + numbers[3] * 3600 + numbers[4] * 60)
            + Double(numbers[5])
        let quarters = ((wall - instant) / 900).rounded()
        guard abs(quarters) <= 56, abs(wall - instant - quarters * 900) <= 60 else { return nil }
        return Int(quarters) * 900
    }

    /// Returns coordinates; nil for invalid values and for -180, which Photos writes for missing
    /// coordinates.
    static func place(_ latitude: Double?, _ longitude: Double?) -> (Double, Double)? {
        guard let latitude, let longitude, (-90...90).contains(latitude),
            (-180...180).contains(longitude), !(latitude == -180 || longitude == -180)
        else { return nil }
        return (latitude, longitude)
    }

    /// Returns the stem and the extension of a file name.
    static func parts(_ name: String) -> (stem: String, pathExtension: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }

    /// Returns the first texts, up to a maximum number and a maximum total length.
    static func bounded(_ texts: [String]) -> [String] {
        var left = 128 << 10
        return texts.prefix(ForeignLimits.list).filter { text in
            left -= text.utf8.count
            return left >= 0
        }
    }
}
