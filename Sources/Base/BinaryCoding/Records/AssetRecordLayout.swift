internal import FoundationEssentials
internal import PhotoModel

/// The layout of lists of `AssetRecord`.
///
///     records = count u32 · (length u32 · fields)…
///
/// The fields are in the order of `append`; strings have a length before them, and optional ones
/// are present if a bit of `Presence` is set. New fields are added at the end, as optional values:
/// a decoder skips what follows the fields that it knows, and reads missing ones as nil.
enum AssetRecordLayout {
    /// The number of properties of `AssetRecord`.
    ///
    /// `cameraPropertyCount` is the number of properties of `CameraFacts`.
    ///
    /// A test compares the numbers with the types, so that a new property is not forgotten in the
    /// layout.
    static let propertyCount = 35
    static let cameraPropertyCount = 9

    /// The bit field of a record: its Boolean values, and flags for the optional properties that
    /// are set.
    struct Presence: OptionSet {
        let rawValue: UInt32

        static let isFavorite = Presence(rawValue: 1 << 0)
        static let isHidden = Presence(rawValue: 1 << 1)
        static let representsBurst = Presence(rawValue: 1 << 2)
        static let hasAdjustments = Presence(rawValue: 1 << 3)
        static let frameRate = Presence(rawValue: 1 << 4)
        static let creationDate = Presence(rawValue: 1 << 5)
        static let captureTime = Presence(rawValue: 1 << 6)
        static let captureOffset = Presence(rawValue: 1 << 7)
        static let location = Presence(rawValue: 1 << 8)
        static let altitude = Presence(rawValue: 1 << 9)
        static let trashedDate = Presence(rawValue: 1 << 10)
        static let burstIdentifier = Presence(rawValue: 1 << 11)
        static let contentIdentifier = Presence(rawValue: 1 << 12)
        static let adjustmentFormat = Presence(rawValue: 1 << 13)
        static let adjustmentTimestamp = Presence(rawValue: 1 << 14)
        static let title = Presence(rawValue: 1 << 15)
        static let caption = Presence(rawValue: 1 << 16)
        static let make = Presence(rawValue: 1 << 17)
        static let model = Presence(rawValue: 1 << 18)
        static let lens = Presence(rawValue: 1 << 19)
        static let software = Presence(rawValue: 1 << 20)
        static let aperture = Presence(rawValue: 1 << 21)
        static let exposureTime = Presence(rawValue: 1 << 22)
        static let isoSpeed = Presence(rawValue: 1 << 23)
        static let focalLength = Presence(rawValue: 1 << 24)
        static let focalLengthIn35mmFilm = Presence(rawValue: 1 << 25)

        /// Returns this flag if an optional property is set, otherwise an empty set.
        func when(_ value: (some Any)?) -> Presence { value == nil ? [] : self }
        func when(_ isSet: Bool) -> Presence { isSet ? self : [] }
    }

    // MARK: - Encoding

    /// Appends a list of records, encoded as one value.
    static func append(_ records: [AssetRecord], to output: inout BinaryBuffer) throws {
        output.append(BinaryFormat.Tag.records)
        let start = output.position
        output.append(UInt32(0))
        try output.append(length: records.count)
        for record in records {
            let recordStart = output.position
            output.append(UInt32(0))
            append(record, to: &output)
            try output.overwriteLength(at: recordStart)
        }
        try output.overwriteLength(at: start)
    }

    private static func presence(_ record: AssetRecord) -> Presence {
        let camera = record.camera
        var presence: Presence = []
        presence.formUnion(.isFavorite.when(record.isFavorite))
        presence.formUnion(.isHidden.when(record.isHidden))
        presence.formUnion(.representsBurst.when(record.representsBurst))
        presence.formUnion(.hasAdjustments.when(record.hasAdjustments))
        presence.formUnion(.frameRate.when(record.frameRate))
        presence.formUnion(.creationDate.when(record.creationDate))
        presence.formUnion(.captureTime.when(record.captureTime))
        presence.formUnion(.captureOffset.when(record.captureTime?.offset))
        presence.formUnion(.location.when(record.location))
        presence.formUnion(.altitude.when(record.location?.altitude))
        presence.formUnion(.trashedDate.when(record.trashedDate))
        presence.formUnion(.burstIdentifier.when(record.burstIdentifier))
        presence.formUnion(.contentIdentifier.when(record.contentIdentifier))
        presence.formUnion(.adjustmentFormat.when(record.adjustmentFormatIdentifier))
        presence.formUnion(.adjustmentTimestamp.when(record.adjustmentTimestamp))
        presence.formUnion(.title.when(record.title))
        presence.formUnion(.caption.when(record.caption))
        presence.formUnion(.make.when(camera.make))
        presence.formUnion(.model.when(camera.model))
        presence.formUnion(.lens.when(camera.lens))
        presence.formUnion(.software.when(camera.software))
        presence.formUnion(.aperture.when(camera.aperture))
        presence.formUnion(.exposureTime.when(camera.exposureTime))
        presence.formUnion(.isoSpeed.when(camera.isoSpeed))
        presence.formUnion(.focalLength.when(camera.focalLength))
        presence.formUnion(.focalLengthIn35mmFilm.when(camera.focalLengthIn35mmFilm))
        return presence
    }

    private static func append(_ record: AssetRecord, to output: inout BinaryBuffer) {
        output.append(presence(record).rawValue)
        output.append(record.id)
        output.append(Int64(record.mediaType.rawValue))
        output.append(UInt64(record.mediaSubtypes.rawValue))
        output.append(Int64(record.playbackStyle.rawValue))
        output.append(UInt64(record.sourceType.rawValue))
        output.append(Int64(record.pixelSize.width))
        output.append(Int64(record.pixelSize.height))
        output.append(record.duration)
        output.append(record.modificationDate.timeIntervalSinceReferenceDate)
        output.append(record.addedDate.timeIntervalSinceReferenceDate)
        output.append(UInt64(record.burstSelectionTypes.rawValue))
        output.append(Int64(record.rating))
        output.append(Int64(record.contentVersion))
        output.append(Int64(record.originalResourceChoice))
        output.append(Int64(record.readerVersion))
        output.append(Int64(record.personFacts.rawValue))
        output.append(field: record.uuid)
        output.append(field: record.originalFilename)
        output.append(field: record.contentType)
        output.append(UInt32(truncatingIfNeeded: record.keywords.count))
        for keyword in record.keywords { output.append(field: keyword) }
        append(time: record.captureTime, of: record, to: &output)
        if let location = record.location {
            output.append(location.latitude)
            output.append(location.longitude)
            output.append(field: location.altitude)
        }
        output.append(field: record.frameRate)
        output.append(field: record.trashedDate)
        output.append(field: record.burstIdentifier)
        output.append(field: record.contentIdentifier)
        output.append(field: record.adjustmentFormatIdentifier)
        output.append(field: record.adjustmentTimestamp)
        output.append(field: record.title)
        output.append(field: record.caption)
        append(record.camera, to: &output)
    }

    private static func append(
        time: CaptureTime?,
        of record: AssetRecord,
        to output: inout BinaryBuffer
    ) {
        output.append(field: record.creationDate)
        guard let time else { return }
        output.append(field: time.instant)
        output.append(field: time.wallTime)
        if let offset = time.offset { output.append(Int64(offset)) }
        output.append(field: time.wallTimeSource.rawValue)
        output.append(field: time.instantSource.rawValue)
    }

    private static func append(_ camera: CameraFacts, to output: inout BinaryBuffer) {
        output.append(field: camera.make)
        output.append(field: camera.model)
        output.append(field: camera.lens)
        output.append(field: camera.software)
        output.append(field: camera.aperture)
        output.append(field: camera.exposureTime)
        if let speed = camera.isoSpeed { output.append(Int64(speed)) }
        output.append(field: camera.focalLength)
        output.append(field: camera.focalLengthIn35mmFilm)
    }
}

extension BinaryBuffer {
    /// Appends the length of a text and its UTF-8 bytes; appends nothing for nil, since the
    /// record's `Presence` flags state that the text is missing.
    @inline(__always)
    fileprivate mutating func append(field: String?) {
        guard var field else { return }
        field.withUTF8 {
            append(UInt32(truncatingIfNeeded: $0.count))
            append(raw: UnsafeRawBufferPointer($0))
        }
    }

    /// Appends a number, unless it is nil.
    @inline(__always)
    fileprivate mutating func append(field: Double?) {
        if let field { append(field) }
    }

    /// Appends a date, unless it is nil.
    @inline(__always)
    fileprivate mutating func append(field: Date?) {
        if let field { append(field.timeIntervalSinceReferenceDate) }
    }
}
