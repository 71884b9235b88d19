internal import FoundationEssentials
internal import PhotoModel

extension AssetRecordLayout {
    /// Decodes the records between two positions.
    static func records(
        in state: BinaryDecodingState,
        from start: Int,
        to end: Int,
        level: Int
    ) throws -> [AssetRecord] {
        guard end - start >= 4 else { throw state.malformed(level - 1, "The list has no count.") }
        let count = Int(state.load(start, as: UInt32.self))
        guard count <= (end - start - 4) / 4 else {
            throw state.malformed(level - 1, "The list has more values than bytes.")
        }
        try state.charge(count, of: AssetRecord.self, level: level - 1)
        var records: [AssetRecord] = []
        records.reserveCapacity(count)
        var position = start + 4
        for index in 0..<count {
            state.frames[level].current = index
            var reader = try FieldReader(state: state, position: position, limit: end, level: level)
            records.append(try record(&reader))
            position = reader.end
        }
        return records
    }

    private static func record(_ reader: inout FieldReader) throws -> AssetRecord {
        let presence = Presence(rawValue: try reader.number(UInt32.self))
        let id = try reader.number(Int64.self)
        let mediaType = try reader.choice(MediaType.self)
        let subtypes = MediaSubtypes(rawValue: try reader.exactly(UInt64.self))
        let playback = try reader.choice(PlaybackStyle.self)
        let source = SourceTypes(rawValue: try reader.exactly(UInt64.self))
        let width = try reader.exactly(Int64.self, as: Int.self)
        let height = try reader.exactly(Int64.self, as: Int.self)
        let duration = try reader.double()
        let modificationDate = try reader.date()
        let addedDate = try reader.date()
        let selections = BurstSelectionTypes(rawValue: try reader.exactly(UInt64.self))
        let rating = try reader.exactly(Int64.self, as: Int.self)
        let contentVersion = try reader.exactly(Int64.self, as: Int.self)
        let choice = try reader.exactly(Int64.self, as: Int.self)
        let readerVersion = try reader.exactly(Int64.self, as: Int.self)
        let facts = SettableFacts(rawValue: try reader.exactly(Int64.self, as: Int.self))
        var record = AssetRecord(
            id: id,
            uuid: try reader.text(),
            mediaType: mediaType,
            originalFilename: try reader.text(),
            contentType: try reader.text(),
            addedDate: addedDate
        )
        record.mediaSubtypes = subtypes
        record.playbackStyle = playback
        record.sourceType = source
        record.pixelSize = PixelSize(width: width, height: height)
        record.duration = duration
        record.modificationDate = modificationDate
        record.burstSelectionTypes = selections
        record.rating = rating
        record.contentVersion = contentVersion
        record.originalResourceChoice = choice
        record.readerVersion = readerVersion
        record.personFacts = facts
        record.isFavorite = presence.contains(.isFavorite)
        record.isHidden = presence.contains(.isHidden)
        record.representsBurst = presence.contains(.representsBurst)
        record.hasAdjustments = presence.contains(.hasAdjustments)
        record.keywords = try reader.texts()
        try decodeOptionalFields(presence, &reader, into: &record)
        return record
    }

    private static func decodeOptionalFields(
        _ presence: Presence,
        _ reader: inout FieldReader,
        into record: inout AssetRecord
    ) throws {
        if presence.contains(.creationDate) { record.creationDate = try reader.date() }
        if presence.contains(.captureTime) {
            record.captureTime = CaptureTime(
                instant: try reader.date(),
                wallTime: try reader.text(),
                offset: presence.contains(.captureOffset)
                    ? try reader.exactly(Int64.self, as: Int.self) : nil,
                wallTimeSource: try reader.choice(CaptureTime.Source.self),
                instantSource: try reader.choice(CaptureTime.Source.self)
            )
        }
        if presence.contains(.location) {
            record.location = Location(
                latitude: try reader.double(),
                longitude: try reader.double(),
                altitude: presence.contains(.altitude) ? try reader.double() : nil
            )
        }
        if presence.contains(.frameRate) { record.frameRate = try reader.double() }
        if presence.contains(.trashedDate) { record.trashedDate = try reader.date() }
        if presence.contains(.burstIdentifier) { record.burstIdentifier = try reader.text() }
        if presence.contains(.contentIdentifier) { record.contentIdentifier = try reader.text() }
        if presence.contains(.adjustmentFormat) {
            record.adjustmentFormatIdentifier = try reader.text()
        }
        if presence.contains(.adjustmentTimestamp) {
            record.adjustmentTimestamp = try reader.date()
        }
        if presence.contains(.title) { record.title = try reader.text() }
        if presence.contains(.caption) { record.caption = try reader.text() }
        if presence.contains(.make) { record.camera.make = try reader.text() }
        if presence.contains(.model) { record.camera.model = try reader.text() }
        if presence.contains(.lens) { record.camera.lens = try reader.text() }
        if presence.contains(.software) { record.camera.software = try reader.text() }
        if presence.contains(.aperture) { record.camera.aperture = try reader.double() }
        if presence.contains(.exposureTime) { record.camera.exposureTime = try reader.double() }
        if presence.contains(.isoSpeed) {
            record.camera.isoSpeed = try reader.exactly(Int64.self, as: Int.self)
        }
        if presence.contains(.focalLength) { record.camera.focalLength = try reader.double() }
        if presence.contains(.focalLengthIn35mmFilm) {
            record.camera.focalLengthIn35mmFilm = try reader.double()
        }
    }
}

/// Reads the fields of one record in their order.
private struct FieldReader {
    private let state: BinaryDecodingState
    private var position: Int
    /// The end of the record.
    let end: Int
    private let level: Int

    init(state: BinaryDecodingState, position: Int, limit: Int, level: Int) throws {
        guard limit - position >= 4 else { throw state.malformed(level, "A record is missing.") }
        let length = Int(state.load(position, as: UInt32.self))
        guard length <= limit - position - 4 else {
            throw state.malformed(level, "A record is longer than its list.")
        }
        self.state = state
        self.level = level
        self.position = position + 4
        end = position + 4 + length
    }

    /// Returns the position of the next `count` bytes and advances past them.
    @inline(__always)
    private mutating func take(_ count: Int) throws -> Int {
        guard end - position >= count else {
            throw state.malformed(level, "A record is too short.")
        }
        position += count
        return position - count
    }

    @inline(__always)
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type
    ) throws -> Number {
        state.load(try take(MemoryLayout<Number>.size), as: type)
    }

    /// Reads a number and converts it to another type; throws an error if that type cannot
    /// represent it.
    @inline(__always)
    mutating func exactly<Wire: FixedWidthInteger & BitwiseCopyable, Number: FixedWidthInteger>(
        _ wire: Wire.Type,
        as type: Number.Type = UInt.self
    ) throws -> Number {
        guard let number = Number(exactly: try number(wire)) else {
            throw state.malformed(level, "The number does not fit \(type).")
        }
        return number
    }

    @inline(__always)
    mutating func double() throws -> Double {
        try state.checked(Double(bitPattern: try number(UInt64.self)), level: level)
    }

    @inline(__always)
    mutating func date() throws -> Date { Date(timeIntervalSinceReferenceDate: try double()) }

    mutating func text() throws -> String {
        let count = Int(try number(UInt32.self))
        return try state.text(at: try take(count), count: count, level: level)
    }

    mutating func texts() throws -> [String] {
        let count = Int(try number(UInt32.self))
        // Each text has a length.
        guard count <= (end - position) / 4 else {
            throw state.malformed(level, "The list has more values than bytes.")
        }
        try state.charge(count, of: String.self, level: level)
        var texts: [String] = []
        texts.reserveCapacity(count)
        for _ in 0..<count { texts.append(try text()) }
        return texts
    }

    mutating func choice<Choice: RawRepresentable<Int>>(_ type: Choice.Type) throws -> Choice {
        try choice(try exactly(Int64.self, as: Int.self), type)
    }

    mutating func choice<Choice: RawRepresentable<String>>(_ type: Choice.Type) throws -> Choice {
        try choice(try text(), type)
    }

    private func choice<Choice: RawRepresentable>(
        _ value: Choice.RawValue,
        _ type: Choice.Type
    ) throws -> Choice {
        guard let choice = Choice(rawValue: value) else {
            throw state.malformed(level, "The value \(value) of \(type) is unknown.")
        }
        return choice
    }
}
