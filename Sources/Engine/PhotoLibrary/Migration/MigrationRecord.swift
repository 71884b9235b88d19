internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Combines the facts found in a file with the values from the source.
///
/// Has no side effects. The source's values win, since people see them there. Values that no person
/// sets, such as the pixel size, come from the file.
enum MigrationRecord {
    /// Returns the record of a staged asset; the caller sets its identifier.
    static func make(
        _ staged: StagedMigration,
        file: AssetRecord,
        now: Date,
        zone: TimeZone
    ) -> AssetRecord {
        let asset = staged.asset
        let facts = asset.facts
        var record = file
        record.originalFilename = name(asset.originalFilename, else: staged.files.first?.path)
        record.addedDate = facts.addedDate.map(Date.init(timeIntervalSinceReferenceDate:)) ?? now
        record.modificationDate =
            facts.modificationDate.map(Date.init(timeIntervalSinceReferenceDate:)) ?? now
        record.captureTime = MigrationTime.combined(facts, file: file.captureTime, zone: zone)
        record.creationDate = record.captureTime?.instant
        record.isFavorite = facts.isFavorite
        record.isHidden = facts.isHidden
        if facts.isTrashed {
            record.trashedDate =
                facts.trashedDate.map(Date.init(timeIntervalSinceReferenceDate:)) ?? now
        }
        record.title = facts.title.flatMap { $0.isEmpty ? nil : $0 }
        record.caption = facts.caption.flatMap { $0.isEmpty ? nil : $0 }
        record.keywords = facts.keywords
        if let rating = facts.rating { record.rating = rating }
        record.location = location(facts, file: file.location)
        record.personFacts = SettableFacts(differingIn: file, record)
        if asset.isShared { record.sourceType = .cloudShared }
        record.mediaSubtypes.formUnion(subtypes(asset))
        record.contentIdentifier = asset.contentIdentifier ?? record.contentIdentifier
        record.originalResourceChoice = asset.showsRAW ? 1 : 0
        if let burst = asset.burst {
            record.burstIdentifier = burst.identifier
            if burst.isAutoPick { record.burstSelectionTypes.insert(.autoPick) }
            if burst.isUserPick { record.burstSelectionTypes.insert(.userPick) }
            record.representsBurst = burst.isKey
        }
        let place = record.location
        if let movie = staged.file(.pairedVideo)?.record {
            JoiningPolicy.add(movie: movie, to: &record)
            record.location = place
        }
        if let render = staged.file(.render)?.record {
            EditPolicy.apply(
                render,
                hasPairedVideo: staged.file(.renderPairedVideo) != nil,
                to: &record
            )
            record.adjustmentFormatIdentifier = asset.edit?.formatIdentifier
            record.adjustmentTimestamp = (asset.edit?.timestamp ?? facts.modificationDate)
                .map(Date.init(timeIntervalSinceReferenceDate:))
        }
        return record
    }

    /// Returns the location at the source, with the file's altitude if the file has the same
    /// location.
    private static func location(_ facts: ForeignFacts, file: Location?) -> Location? {
        guard let latitude = facts.latitude, let longitude = facts.longitude else { return nil }
        var altitude = facts.altitude
        if let file, let own = file.altitude, abs(file.latitude - latitude) < 0.001,
            abs(file.longitude - longitude) < 0.001
        {
            altitude = own
        }
        return Location(latitude: latitude, longitude: longitude, altitude: altitude)
    }

    private static func subtypes(_ asset: ForeignAsset) -> MediaSubtypes {
        let table: [ForeignSubtype: MediaSubtypes] =
            asset.isVideo
            ? [
                .highFrameRate: .videoHighFrameRate, .timelapse: .videoTimelapse,
                .screenRecording: .videoScreenRecording, .cinematic: .videoCinematic,
                .spatial: .spatialMedia,
            ]
            : [
                .panorama: .photoPanorama, .hdr: .photoHDR, .screenshot: .photoScreenshot,
                .depth: .photoDepthEffect, .spatial: .spatialMedia,
            ]
        return asset.subtypes.reduce(into: []) { $0.formUnion(table[$1] ?? []) }
    }

    /// Returns a file name without folders and control characters, or `path`'s last component if
    /// nothing remains.
    static func name(_ stated: String, else path: String?) -> String {
        for text in [stated, path ?? ""] {
            let last = text.split(separator: "/").last ?? ""
            let clean = String(last.filter { !$0.unicodeScalars.contains { $0.value < 0x20 } })
            if !clean.isEmpty, clean != ".", clean != ".." {
                return FileName(clean).text()
            }
        }
        return "IMG.JPG"
    }

    // MARK: - Resources

    /// Returns the resource type for a file, and whether a revert of the asset removes the file.
    static func type(
        of role: ForeignResource.Role,
        _ record: AssetRecord,
        isEdited: Bool
    ) -> (ResourceType, isEdit: Bool) {
        switch role {
        case .original:
            switch record.mediaType {
            case .video: (.video, false)
            case .audio: (.audio, false)
            case .image, .unknown: (.photo, false)
            }
        case .proxy: (.photoProxy, false)
        case .pairedVideo: (.pairedVideo, false)
        case .alternatePhoto: (.alternatePhoto, false)
        case .cameraAdjustments: (.adjustmentData, false)
        // Adjustments without their rendering describe no edit of this library.
        case .adjustments: (.adjustmentData, isEdited)
        case .sidecar: (.sidecar, false)
        case .render: (record.mediaType == .video ? .fullSizeVideo : .fullSizePhoto, true)
        case .renderPairedVideo: (.fullSizePairedVideo, true)
        case .adjustmentBase:
            (record.mediaType == .video ? .adjustmentBaseVideo : .adjustmentBasePhoto, true)
        }
    }

    /// Returns the name of a file: the asset's name with the file's own extension.
    static func name(of file: StagedMigration.File, _ record: AssetRecord) -> String {
        switch file.role {
        case .original: return record.originalFilename
        case .sidecar where file.path == nil: return MigrationSidecar.name
        case .sidecar: return record.originalFilename + ".xmp"
        case .adjustments, .cameraAdjustments:
            return EditPolicy.name(AdjustmentEnvelopeWriter.pathExtension, of: record)
        default:
            let own = ((file.path ?? "") as NSString).pathExtension
            return own.isEmpty ? record.originalFilename : EditPolicy.name(own, of: record)
        }
    }

    static func contentType(of file: StagedMigration.File) -> String {
        switch file.role {
        case .adjustments, .cameraAdjustments: AdjustmentEnvelopeWriter.contentType
        case .sidecar: MigrationSidecar.contentType
        default: file.facts?.contentType ?? "public.data"
        }
    }
}
