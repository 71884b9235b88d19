internal import Foundation
internal import GRDB
internal import PhotoModel

extension AssetRecord {
    /// The columns of `asset`, in the order in which `init(row:)` reads them.
    static var map: ColumnMap<AssetRecord> { AssetColumns.map }

    /// Parses a row of `AssetRecord.map.selectSQL`.
    init(row: Row) throws {
        var cells = RowReader(row: row, table: "asset")
        try self.init(cells: &cells)
    }

    /// Parses the cells of a row of `AssetRecord.map.selectSQL`.
    init(cells: inout some CellReader) throws {
        let id: Int64 = try cells.next()
        let uuid: String = try cells.next()
        let mediaType: MediaType = try cells.next(MediaType.init(rawValue:))
        self.init(
            id: id,
            uuid: uuid,
            mediaType: mediaType,
            originalFilename: "",
            contentType: "",
            addedDate: Date(timeIntervalSinceReferenceDate: 0)
        )
        mediaSubtypes = MediaSubtypes(rawValue: UInt(bitPattern: try cells.next() as Int))
        playbackStyle = try cells.next(PlaybackStyle.init(rawValue:))
        sourceType = SourceTypes(rawValue: UInt(bitPattern: try cells.next() as Int))
        pixelSize = PixelSize(width: try cells.next(), height: try cells.next())
        duration = try cells.next()
        frameRate = cells.nextOptional()
        creationDate = cells.nextDate()
        captureTime = try Self.captureTime(instant: creationDate, from: &cells)
        modificationDate = cells.nextDate() ?? addedDate
        addedDate = cells.nextDate() ?? addedDate
        let latitude: Double? = cells.nextOptional()
        let longitude: Double? = cells.nextOptional()
        let altitude: Double? = cells.nextOptional()
        if let latitude, let longitude {
            location = Location(latitude: latitude, longitude: longitude, altitude: altitude)
        }
        isFavorite = try cells.next()
        isHidden = try cells.next()
        trashedDate = cells.nextDate()
        burstIdentifier = cells.nextOptional()
        burstSelectionTypes = BurstSelectionTypes(
            rawValue: UInt(bitPattern: try cells.next() as Int)
        )
        representsBurst = try cells.next()
        cells.skip()  // isBurstHidden follows from the three before it
        contentIdentifier = cells.nextOptional()
        hasAdjustments = try cells.next()
        adjustmentFormatIdentifier = cells.nextOptional()
        adjustmentTimestamp = cells.nextDate()
        originalFilename = try cells.next()
        contentType = try cells.next()
        title = cells.nextOptional()
        caption = cells.nextOptional()
        let keywordList: String = try cells.next()
        keywords = keywordList == "[]" ? [] : try cells.strings(in: keywordList)
        rating = try cells.next()
        camera.make = cells.nextOptional()
        camera.model = cells.nextOptional()
        camera.lens = cells.nextOptional()
        camera.software = cells.nextOptional()
        camera.aperture = cells.nextOptional()
        camera.exposureTime = cells.nextOptional()
        camera.isoSpeed = cells.nextOptional()
        camera.focalLength = cells.nextOptional()
        camera.focalLengthIn35mmFilm = cells.nextOptional()
        contentVersion = try cells.next()
        cells.skip()  // isVisible follows from the others
        originalResourceChoice = try cells.next()
        readerVersion = try cells.next()
        personFacts = SettableFacts(rawValue: try cells.next())
    }

    /// The SQL condition equivalent to `isLoneFrame`, over columns of `asset`.
    static let loneFrameCondition = "(burstSelectionTypes & \(BurstSelectionTypes.alone.rawValue))"

    /// Indicates whether the asset is an unpicked burst frame, which fetches exclude by default.
    var isBurstHidden: Bool {
        burstIdentifier != nil && !representsBurst && burstSelectionTypes.isEmpty
    }

    /// Indicates whether the asset is visible in a fetch without special options.
    var isVisible: Bool {
        AssetVisibility.usual.shows(
            isTrashed: trashedDate != nil,
            isHidden: isHidden,
            isBurstHidden: isBurstHidden,
            sourceType: sourceType
        )
    }

    private static func captureTime(
        instant: Date?,
        from cells: inout some CellReader
    ) throws -> CaptureTime? {
        let wallTime: String? = cells.nextOptional()
        let offset: Int? = cells.nextOptional()
        let wallTimeSource: String? = cells.nextOptional()
        let instantSource: String? = cells.nextOptional()
        guard let instant, let wallTime,
            let wallTimeSource = wallTimeSource.flatMap(CaptureTime.Source.init(rawValue:)),
            let instantSource = instantSource.flatMap(CaptureTime.Source.init(rawValue:))
        else { return nil }
        return CaptureTime(
            instant: instant,
            wallTime: wallTime,
            offset: offset,
            wallTimeSource: wallTimeSource,
            instantSource: instantSource
        )
    }
}

private enum AssetColumns {
    // Immutable after its first use; the closures only read their argument.
    nonisolated(unsafe) static let map = ColumnMap<AssetRecord>(
        table: "asset",
        columns: [
            .init("uuid") { $0.uuid },
            .init("mediaType") { $0.mediaType.rawValue },
            .init("mediaSubtypes") { Int(bitPattern: $0.mediaSubtypes.rawValue) },
            .init("playbackStyle") { $0.playbackStyle.rawValue },
            .init("sourceType") { Int(bitPattern: $0.sourceType.rawValue) },
            .init("pixelWidth") { $0.pixelSize.width },
            .init("pixelHeight") { $0.pixelSize.height },
            .init("duration") { $0.duration },
            .init("frameRate") { $0.frameRate },
            .init("creationDate") { $0.creationDate?.timeIntervalSinceReferenceDate },
            .init("captureWallTime") { $0.captureTime?.wallTime },
            .init("captureOffset") { $0.captureTime?.offset },
            .init("captureWallTimeSource") { $0.captureTime?.wallTimeSource.rawValue },
            .init("captureInstantSource") { $0.captureTime?.instantSource.rawValue },
            .init("modificationDate") { $0.modificationDate.timeIntervalSinceReferenceDate },
            .init("addedDate") { $0.addedDate.timeIntervalSinceReferenceDate },
            .init("latitude") { $0.location?.latitude },
            .init("longitude") { $0.location?.longitude },
            .init("altitude") { $0.location?.altitude },
            .init("isFavorite") { $0.isFavorite },
            .init("isHidden") { $0.isHidden },
            .init("trashedDate") { $0.trashedDate?.timeIntervalSinceReferenceDate },
            .init("burstIdentifier") { $0.burstIdentifier },
            .init("burstSelectionTypes") { Int(bitPattern: $0.burstSelectionTypes.rawValue) },
            .init("representsBurst") { $0.representsBurst },
            .init("isBurstHidden", isDerived: true) { $0.isBurstHidden },
            .init("contentIdentifier") { $0.contentIdentifier },
            .init("hasAdjustments") { $0.hasAdjustments },
            .init("adjustmentFormatIdentifier") { $0.adjustmentFormatIdentifier },
            .init("adjustmentTimestamp") { $0.adjustmentTimestamp?.timeIntervalSinceReferenceDate },
            .init("originalFilename") { $0.originalFilename },
            .init("contentType") { $0.contentType },
            .init("title") { $0.title },
            .init("caption") { $0.caption },
            .init("keywords") { JournalValue.encode(strings: $0.keywords) },
            .init("rating") { $0.rating },
            .init("cameraMake") { $0.camera.make },
            .init("cameraModel") { $0.camera.model },
            .init("lensModel") { $0.camera.lens },
            .init("software") { $0.camera.software },
            .init("aperture") { $0.camera.aperture },
            .init("exposureTime") { $0.camera.exposureTime },
            .init("isoSpeed") { $0.camera.isoSpeed },
            .init("focalLength") { $0.camera.focalLength },
            .init("focalLengthIn35mmFilm") { $0.camera.focalLengthIn35mmFilm },
            .init("contentVersion") { $0.contentVersion },
            .init("isVisible", isDerived: true) { $0.isVisible },
            .init("originalResourceChoice", original: 0.databaseValue) {
                $0.originalResourceChoice
            },
            .init("readerVersion", original: 0.databaseValue, isBookkeeping: true) {
                $0.readerVersion
            },
            .init("personFacts", original: 0.databaseValue, isBookkeeping: true) {
                $0.personFacts.rawValue
            },
        ]
    )
}
