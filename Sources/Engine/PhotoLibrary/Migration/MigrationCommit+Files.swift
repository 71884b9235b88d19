internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Adds files to existing assets, and replaces some of their files.
extension MigrationCommit {
    /// Replaces a proxy, or an original that an earlier import found damaged, with an original.
    mutating func replaceOriginal(
        of joined: inout Joined,
        _ staged: StagedMigration,
        _ present: [ResourceRecord],
        _ damaged: DamagedOriginal?
    ) {
        let replaced = present.first { resource in
            resource.type == .photoProxy
                || resource.type.isPrimary && resource.sha256 == damaged?.sha256
                    && staged.check != .damaged
        }
        guard let replaced, let original = staged.file(.original), let file = original.record else {
            return
        }
        var unedited = staged
        unedited.files.removeAll { $0.role.isOfEdit }
        let old = joined.record
        let made = MigrationRecord.make(unedited, file: file, now: transaction.now, zone: timeZone)
        joined.record.mediaType = made.mediaType
        joined.record.camera = made.camera
        joined.record.contentType = made.contentType
        joined.record.mediaSubtypes = made.mediaSubtypes
        joined.record.playbackStyle = made.playbackStyle
        joined.record.pixelSize = made.pixelSize
        joined.record.duration = made.duration
        joined.record.frameRate = made.frameRate
        if staged.file(.pairedVideo) == nil, present.contains(where: { $0.type == .pairedVideo }) {
            joined.record.mediaSubtypes.insert(.photoLive)
            joined.record.playbackStyle = .livePhoto
            joined.record.duration = old.duration
        }
        EditPolicy.keepEdit(of: old, in: &joined.record)
        joined.fresh.append(original)
        joined.replaced = replaced
        joined.changesContent = true
    }

    /// Sets the values that depend on the original when the original replaces an asset's proxy.
    ///
    /// Among them are the source of the capture time, the altitude, and the content identifier that
    /// links the original to other files.
    func fillFromOriginal(
        _ joined: inout Joined,
        _ staged: StagedMigration,
        isTimeOfImport: Bool
    ) {
        guard let file = staged.file(.original)?.record else { return }
        let made = MigrationRecord.make(staged, file: file, now: transaction.now, zone: timeZone)
        let place = joined.record.location
        if isTimeOfImport {
            joined.record.captureTime = made.captureTime
            joined.record.creationDate = made.creationDate
        }
        if place?.latitude == made.location?.latitude, place?.longitude == made.location?.longitude
        {
            joined.record.location = made.location
        }
        if staged.asset.facts.rating == nil, joined.record.rating == 0 {
            joined.record.rating = made.rating
        }
        joined.record.contentIdentifier =
            made.contentIdentifier ?? joined.record.contentIdentifier
        joined.record.readerVersion = made.readerVersion
        joined.record.personFacts = SettableFacts(differingIn: file, joined.record)
    }

    /// Replaces the sidecar that an earlier import made.
    ///
    /// A sidecar that is the only one with the camera's adjustments stays beside the new one.
    func replaceSidecar(
        of joined: inout Joined,
        _ staged: StagedMigration,
        _ present: [ResourceRecord],
        _ facts: inout MigrationFacts
    ) {
        guard var made = staged.sidecar else { return }
        let old = present.filter {
            $0.type == .sidecar && $0.originalFilename == MigrationSidecar.name
        }
        if facts.sidecar?.hasCamera == true, made.hasCamera != true {
            made.hasCamera = true
            // The new one is made without what the source no longer has. The oldest has it, since
            // one with the adjustments replaces all.
            joined.retired += old.dropFirst()
        } else if made.digest.isEmpty || joined.fresh.contains(where: \.isMadeSidecar) {
            joined.retired += old
        }
        facts.sidecar = made
    }

    /// Adds files of the kinds that the asset lacks, except for files of an edit.
    func addFiles(
        to joined: inout Joined,
        _ staged: StagedMigration,
        _ present: [ResourceRecord]
    ) {
        for file in staged.files {
            let isAdded: Bool
            switch file.role {
            case .original, .proxy, .render, .renderPairedVideo, .adjustmentBase: continue
            case .adjustments where staged.file(.render) != nil: continue
            case .sidecar: isAdded = true
            case .pairedVideo: isAdded = !present.contains { $0.type == .pairedVideo }
            case .alternatePhoto: isAdded = !present.contains { $0.type == .alternatePhoto }
            case .adjustments, .cameraAdjustments:
                isAdded =
                    !joined.record.hasAdjustments
                    && !present.contains { $0.type == .adjustmentData }
            }
            if present.contains(where: { $0.sha256 == file.staged.digest.hexadecimal }) { continue }
            guard isAdded else {
                joined.declined[file.role] = "The library's photo has another file of this kind."
                continue
            }
            joined.fresh.append(file)
            guard file.role == .pairedVideo, let movie = file.record,
                joined.replaced?.type != .photoProxy
            else { continue }
            let old = joined.record
            JoiningPolicy.add(movie: movie, to: &joined.record)
            joined.record.location = old.location
            EditPolicy.keepEdit(of: old, in: &joined.record)
            joined.changesContent = true
        }
    }
}
