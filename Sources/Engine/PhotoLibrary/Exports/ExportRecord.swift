internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Combines the record of an asset in an export with the facts found in the asset's files.
///
/// Has no side effects. A stated value is used if it is possible for the files.
enum ExportRecord {
    /// The valid dates, in seconds since 2001: the years 1 to 9999.
    private static let dates = -63_113_904_000.0...252_423_993_600.0

    /// Returns an exported record with invalid values replaced by valid ones; nil if its UUID or
    /// media type is invalid.
    ///
    /// The worker has checked the values already, but a malicious file may have taken control of
    /// the worker.
    static func valid(_ stated: AssetRecord) -> AssetRecord? {
        guard let uuid = LocalIdentifier(stated.uuid), uuid.uuid == stated.uuid,
            stated.mediaType != .unknown
        else { return nil }
        func date(_ date: Date?) -> Date? {
            date.flatMap { dates.contains($0.timeIntervalSinceReferenceDate) ? $0 : nil }
        }
        func side(_ value: Int) -> Int { min(max(value, 0), 10_000_000) }
        var record = stated
        record.id = 0
        record.contentVersion = 1
        record.mediaSubtypes = MediaSubtypes(
            rawValue: stated.mediaSubtypes.rawValue & KnownBits.mediaSubtypes
        )
        record.burstSelectionTypes = BurstSelectionTypes(
            rawValue: stated.burstSelectionTypes.rawValue & KnownBits.burstSelections
        )
        let source = stated.sourceType.rawValue & KnownBits.sourceTypes
        record.sourceType =
            source.nonzeroBitCount == 1 ? SourceTypes(rawValue: source) : .userLibrary
        record.personFacts = SettableFacts(
            rawValue: stated.personFacts.rawValue & KnownBits.settableFacts
        )
        record.rating = min(max(stated.rating, -1), 5)
        record.readerVersion = min(max(stated.readerVersion, 0), ReaderVersion.current)
        record.pixelSize = PixelSize(
            width: side(stated.pixelSize.width),
            height: side(stated.pixelSize.height)
        )
        record.originalResourceChoice = min(max(stated.originalResourceChoice, 0), 1)
        record.creationDate = date(stated.creationDate)
        if record.creationDate == nil { record.captureTime = nil }
        record.trashedDate = date(stated.trashedDate)
        record.adjustmentTimestamp = date(stated.adjustmentTimestamp)
        record.addedDate = date(stated.addedDate) ?? Date(timeIntervalSinceReferenceDate: 0)
        record.modificationDate = date(stated.modificationDate) ?? record.addedDate
        if let place = stated.location,
            !(-90...90).contains(place.latitude) || !(-180...180).contains(place.longitude)
        {
            record.location = nil
        }
        return record
    }

    /// Adapts an asset's record from the export to the files that are present.
    ///
    /// - Parameters:
    ///   - stated: The valid stated record.
    ///   - original: The record that the original would have as a separate asset.
    ///   - hasMovie: Whether the movie of a Live Photo is there.
    ///   - isEdited: Whether the files of the edit are there.
    ///   - isDateRejected: Whether an impossible date was stated.
    /// - Returns: The record with values that these files can have.
    static func make(
        _ stated: AssetRecord,
        original: AssetRecord,
        hasMovie: Bool,
        isEdited: Bool,
        isDateRejected: Bool
    ) -> AssetRecord {
        var record = stated
        record.mediaType = original.mediaType
        record.originalFilename = name(stated.originalFilename, else: original.originalFilename)
        record.contentType = contentType(stated.contentType, original.contentType, stated)
        if isDateRejected, record.creationDate == nil {
            record.creationDate = original.creationDate
            record.captureTime = original.captureTime
        }
        if record.pixelSize.width == 0 || record.pixelSize.height == 0 {
            record.pixelSize = original.pixelSize
        }
        if stated.hasAdjustments, !isEdited {
            record.hasAdjustments = false
            record.adjustmentFormatIdentifier = nil
            record.adjustmentTimestamp = nil
            record.pixelSize = original.pixelSize
            record.duration = original.duration
            record.frameRate = original.frameRate
            record.playbackStyle = original.playbackStyle
            record.mediaSubtypes.remove(.photoAnimation)
            record.mediaSubtypes.formUnion(original.mediaSubtypes.intersection(.photoAnimation))
            if hasMovie, record.mediaType == .image {
                record.mediaSubtypes.insert(.photoLive)
                record.playbackStyle = .livePhoto
            }
        }
        if !hasMovie {
            record.mediaSubtypes.remove(.photoLive)
            if record.playbackStyle == .livePhoto { record.playbackStyle = .image }
        }
        return record
    }

    /// Copies the values that depend on an asset's files to another record.
    static func copyContent(of made: AssetRecord, to record: inout AssetRecord) {
        record.mediaType = made.mediaType
        record.mediaSubtypes = made.mediaSubtypes
        record.playbackStyle = made.playbackStyle
        record.pixelSize = made.pixelSize
        record.duration = made.duration
        record.frameRate = made.frameRate
        record.contentType = made.contentType
        record.camera = made.camera
        record.contentIdentifier = made.contentIdentifier
        record.hasAdjustments = made.hasAdjustments
        record.adjustmentFormatIdentifier = made.adjustmentFormatIdentifier
        record.adjustmentTimestamp = made.adjustmentTimestamp
        record.originalResourceChoice = made.originalResourceChoice
    }

    /// Returns the stated file name if it is valid; otherwise, returns a valid name derived from
    /// the stated name or from the other name.
    static func name(_ stated: String, else other: String) -> String {
        let isName =
            !stated.isEmpty && stated != "." && stated != ".." && !stated.utf8.contains(0)
            && !stated.utf8.contains(UInt8(ascii: "/"))
        return isName ? stated : MigrationRecord.name(stated, else: other)
    }

    /// Returns the stated content type if it is not empty and an earlier version of the file reader
    /// determined it; otherwise, returns the type found in the file.
    ///
    /// `photos refresh` corrects types that earlier readers determined.
    static func contentType(_ stated: String, _ found: String, _ record: AssetRecord) -> String {
        let isOfEarlierReader = record.readerVersion < ReaderVersion.current
        return stated.isEmpty || !isOfEarlierReader ? found : stated
    }
}
