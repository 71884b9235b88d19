internal import FoundationEssentials
internal import PhotoModel
internal import WorkerProtocol

/// Reads the facts of an asset from a line of an export, and rejects values that are out of range.
struct ExportFactsReader {
    private let value: JSONValue
    private(set) var notes: [ForeignNote] = []

    /// The maximum number of notes about an asset.
    private static let maximumNotes = 20

    init(_ value: JSONValue) { self.value = value }

    mutating func note(_ code: String, _ text: String) {
        guard notes.count < Self.maximumNotes else { return }
        notes.append(ForeignNote(code: code, text: text))
    }

    private mutating func reject(_ key: String) {
        note("factRejected", "Its value for \(key) is impossible and was left out.")
    }

    /// Returns the asset's record; nil if its media type is unknown.
    mutating func record(uuid: String) -> AssetRecord? {
        guard let number = value["mediaType"]?.integer,
            let mediaType = MediaType(rawValue: Int(clamping: number)), mediaType != .unknown
        else { return nil }
        var record = AssetRecord(
            id: 0,
            uuid: uuid,
            mediaType: mediaType,
            originalFilename: text("originalFilename", ExportValue.name) ?? "",
            contentType: ExportValue.contentType(value["contentType"]) ?? "",
            addedDate: Date(timeIntervalSinceReferenceDate: 0)
        )
        kinds(&record)
        dates(&record)
        words(&record)
        record.location = location()
        record.isFavorite = flag("isFavorite")
        record.isHidden = flag("isHidden")
        record.burstIdentifier = text("burstIdentifier", ForeignLimits.path)
        record.representsBurst = flag("representsBurst") && record.burstIdentifier != nil
        record.contentIdentifier = text("contentIdentifier", ForeignLimits.path)
        record.hasAdjustments = flag("hasAdjustments")
        if record.hasAdjustments {
            record.adjustmentFormatIdentifier =
                text("adjustmentFormatIdentifier", ForeignLimits.path)
        }
        record.originalResourceChoice = integer("originalResourceChoice", 0...1) ?? 0
        record.readerVersion = integer("readerVersion", 0...1_000_000) ?? 0
        record.personFacts = SettableFacts(rawValue: integer("personFacts", 0...31) ?? 0)
        record.camera = camera()
        return record
    }

    // MARK: - Parts

    private mutating func kinds(_ record: inout AssetRecord) {
        record.mediaSubtypes = MediaSubtypes(
            rawValue: mask("mediaSubtypes", KnownBits.mediaSubtypes)
        )
        record.burstSelectionTypes = BurstSelectionTypes(
            rawValue: mask("burstSelectionTypes", KnownBits.burstSelections)
        )
        let style = integer("playbackStyle", 0...Int64(Int32.max))
        if let known = style.flatMap(PlaybackStyle.init(rawValue:)) {
            record.playbackStyle = known
        } else {
            reject("playbackStyle")
            record.playbackStyle = record.mediaType == .video ? .video : .image
        }
        let source = SourceTypes(rawValue: mask("sourceType", KnownBits.sourceTypes))
        record.sourceType = source.rawValue.nonzeroBitCount == 1 ? source : .userLibrary
        if let width = ExportValue.side(value["pixelWidth"]),
            let height = ExportValue.side(value["pixelHeight"])
        {
            record.pixelSize = PixelSize(width: width, height: height)
        } else {
            reject("pixelWidth")
        }
        record.duration = number("duration", 0...1e9) ?? 0
        record.frameRate = number("frameRate", 0...1e6)
    }

    private mutating func dates(_ record: inout AssetRecord) {
        record.creationDate = date("creationDate")
        record.captureTime = captureTime(record.creationDate)
        let added = date("addedDate")
        let modified = date("modificationDate")
        if added == nil, value["addedDate"] == nil { reject("addedDate") }
        record.addedDate = added ?? modified ?? record.addedDate
        record.modificationDate = modified ?? record.addedDate
        record.trashedDate = date("trashedDate")
        // An asset stays in Recently Deleted, if only its date is impossible.
        if record.trashedDate == nil, let stated = value["trashedDate"], stated != .null {
            record.trashedDate = record.modificationDate
        }
        record.adjustmentTimestamp = date("adjustmentTimestamp")
    }

    private mutating func captureTime(_ instant: Date?) -> CaptureTime? {
        guard let instant else { return nil }
        let offset = integer("captureOffset", -64_800...64_800)
        guard let wallTime = value["captureWallTime"]?.text else { return nil }
        guard ExportValue.isWallTime(wallTime),
            let wallTimeSource = source("captureWallTimeSource"),
            let instantSource = source("captureInstantSource")
        else {
            reject("captureWallTime")
            return nil
        }
        return CaptureTime(
            instant: instant,
            wallTime: wallTime,
            offset: offset,
            wallTimeSource: wallTimeSource,
            instantSource: instantSource
        )
    }

    private func source(_ key: String) -> CaptureTime.Source? {
        value[key]?.text.flatMap(CaptureTime.Source.init(rawValue:))
    }

    private mutating func words(_ record: inout AssetRecord) {
        record.title = text("title", ExportValue.longText)
        record.caption = text("caption", ExportValue.longText)
        record.rating = integer("rating", -1...5) ?? 0
        guard case .array(let keywords)? = value["keywords"] else { return }
        var left = ExportValue.longText * 2
        var seen: Set<[UInt8]> = []
        for keyword in keywords {
            guard let text = ExportValue.text(keyword, ForeignLimits.text), !text.isEmpty,
                seen.insert(Array(text.utf8)).inserted
            else { continue }
            left -= text.utf8.count
            guard left >= 0 else { return reject("keywords") }
            record.keywords.append(text)
        }
    }

    private mutating func location() -> Location? {
        guard let place = value["location"], place != .null else { return nil }
        guard let latitude = place["latitude"]?.number, (-90...90).contains(latitude),
            let longitude = place["longitude"]?.number, (-180...180).contains(longitude)
        else {
            reject("location")
            return nil
        }
        return Location(
            latitude: latitude,
            longitude: longitude,
            altitude: place["altitude"]?.number
        )
    }

    private func camera() -> CameraFacts {
        var facts = CameraFacts()
        let camera = value["camera"]
        func text(_ key: String) -> String? { ExportValue.text(camera?[key], ForeignLimits.path) }
        func number(_ key: String) -> Double? { camera?[key]?.number }
        facts.make = text("make")
        facts.model = text("model")
        facts.lens = text("lens")
        facts.software = text("software")
        facts.aperture = number("aperture")
        facts.exposureTime = number("exposureTime")
        facts.isoSpeed = camera?["isoSpeed"]?.integer.flatMap { Int(exactly: $0) }
        facts.focalLength = number("focalLength")
        facts.focalLengthIn35mmFilm = number("focalLengthIn35mmFilm")
        return facts
    }

    // MARK: - Values

    private func isAbsent(_ key: String) -> Bool { value[key] == nil || value[key] == .null }

    private func flag(_ key: String) -> Bool { value[key]?.isTrue ?? false }

    private mutating func text(_ key: String, _ limit: Int) -> String? {
        guard !isAbsent(key) else { return nil }
        guard let text = ExportValue.text(value[key], limit) else {
            reject(key)
            return nil
        }
        if text.utf8.count < value[key]?.text?.utf8.count ?? 0 {
            note("textTooLong", "Its value for \(key) was cut after \(limit) bytes.")
        }
        return text
    }

    private mutating func integer(_ key: String, _ range: ClosedRange<Int64>) -> Int? {
        guard !isAbsent(key) else { return nil }
        guard let number = value[key]?.integer, range.contains(number) else {
            reject(key)
            return nil
        }
        return Int(number)
    }

    private mutating func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
        guard !isAbsent(key) else { return nil }
        guard let number = value[key]?.number, range.contains(number) else {
            reject(key)
            return nil
        }
        return number
    }

    private mutating func date(_ key: String) -> Date? {
        guard !isAbsent(key) else { return nil }
        guard let seconds = ExportDateParser.seconds(value[key]?.text) else {
            note("dateRejected", "Its date for \(key) is impossible and was left out.")
            return nil
        }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Returns the known bits of a bit mask, and adds a note for an invalid value or unknown bits.
    private mutating func mask(_ key: String, _ known: UInt) -> UInt {
        guard let number = value[key]?.integer, let bits = UInt(exactly: number) else {
            if !isAbsent(key) { reject(key) }
            return 0
        }
        if bits & ~known != 0 {
            note("unknownType", "Unknown kinds in its value for \(key) were left out.")
        }
        return bits & known
    }
}
