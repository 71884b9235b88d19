internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Merges assets into existing assets that have the same original from another source.
extension MigrationCommit {
    /// Merges an asset of the source into an existing asset that has the same original and came
    /// from another source.
    mutating func join(
        _ staged: StagedMigration,
        to asset: AssetRecord,
        having resource: ResourceRecord,
        isTrashed: Bool
    ) throws {
        let present = try transaction.resources(ofAsset: asset.id)
        var joined = Joined(record: asset)
        joined.isFromElsewhere = true
        var differing = Self.fill(&joined.record, with: staged.asset.facts)
        var reasons: [String] = []
        if isTrashed { reasons.append("The library has the same bytes in Recently Deleted.") }
        if let remark = restore(resource, from: staged) { reasons.append(remark) }
        if [.photo, .video, .audio].contains(resource.type) {
            if !addBurst(staged.asset.burst, to: &joined.record) { differing.append("burst") }
            addFiles(to: &joined, staged, present)
            try joinEdit(of: staged, to: &joined, present)
        } else {
            // Its files would change a photo of which the original is only a part.
            let reason = "The library has the original as a part of another photo."
            for file in staged.files { joined.declined[file.role] = reason }
        }
        if !differing.isEmpty {
            joined.notes.append(
                MigrationNote(
                    "keptYours",
                    "The library had this photo already, with other values; yours were kept: "
                        + differing.joined(separator: ", ") + "."
                )
            )
        }
        let record = try write(joined, over: asset, staged)
        try remember(staged, as: record, facts(of: staged))
        let reason = reasons.isEmpty ? nil : reasons.joined(separator: " ")
        report(joined, staged, record, present, reason)
    }

    /// Restores a library file from its staged copy if the file is missing or damaged.
    ///
    /// - Returns: The remark about it.
    private mutating func restore(_ resource: ResourceRecord, from staged: StagedMigration)
        -> String?
    {
        guard let original = staged.file(.original),
            !moves.contains(where: { $0.target == resource.path })
        else { return nil }
        let finding = duplicates.find(resource, digest: original.staged.digest)
        if finding.needsRestoration {
            restorations[resource.path] = staged.asset.item
            moves.append(
                FilePlacement.Move(
                    file: original.staged,
                    target: resource.path,
                    isRestoration: true
                )
            )
        }
        return finding.remark
    }

    /// Sets the burst values of an asset to the source's values.
    ///
    /// Does nothing if the asset is in another burst, or if a person picked it in this library.
    ///
    /// - Returns: Whether the asset has the place that the source states.
    private mutating func addBurst(_ burst: ForeignBurst?, to record: inout AssetRecord) -> Bool {
        guard let burst else { return true }
        guard record.burstIdentifier ?? burst.identifier == burst.identifier,
            !record.burstSelectionTypes.contains(.userPick)
        else { return burst.isUserPick && record.burstIdentifier == burst.identifier }
        record.burstIdentifier = burst.identifier
        if burst.isAutoPick { record.burstSelectionTypes.insert(.autoPick) }
        if burst.isUserPick { record.burstSelectionTypes.insert(.userPick) }
        record.representsBurst = burst.isKey
        touchedBursts.insert(burst.identifier)
        return true
    }

    private mutating func joinEdit(
        of staged: StagedMigration,
        to joined: inout Joined,
        _ present: [ResourceRecord]
    ) throws {
        guard let source = Self.edit(of: staged) else { return }
        let shown = Self.rendering(of: joined.record, present)
        guard shown != source.sha256 else { return }
        let isFormer = try transaction.hasFormerFile(
            sha256: source.sha256,
            ofAsset: joined.record.id
        )
        if shown == nil, !isFormer {
            try takeEdit(of: staged, into: &joined)
        } else {
            decline(edit: staged, in: &joined)
            joined.notes.append(
                MigrationNote(
                    "editNotTaken",
                    "The library had this photo already, with an edit of its own or reverted; its"
                        + " edit at the source was not taken over."
                )
            )
        }
    }

    // MARK: - Values

    /// Fills the empty values of an asset that the library had before the import.
    ///
    /// - Returns: The names of values of the source that the asset does not have.
    private static func fill(_ record: inout AssetRecord, with facts: ForeignFacts) -> [String] {
        let empty = record
        if record.title == nil { record.title = facts.title.flatMap { $0.isEmpty ? nil : $0 } }
        if record.caption == nil {
            record.caption = facts.caption.flatMap { $0.isEmpty ? nil : $0 }
        }
        if record.keywords.isEmpty { record.keywords = facts.keywords }
        if record.rating == 0, let rating = facts.rating { record.rating = rating }
        if record.location == nil, let latitude = facts.latitude, let longitude = facts.longitude {
            record.location = Location(
                latitude: latitude,
                longitude: longitude,
                altitude: facts.altitude
            )
        }
        if facts.isFavorite { record.isFavorite = true }
        record.personFacts.formUnion(SettableFacts(differingIn: empty, record))
        return differences(of: record, facts)
    }

    private static func differences(of record: AssetRecord, _ facts: ForeignFacts) -> [String] {
        let stated = MigrationFacts(facts)
        var names: [String] = []
        if let title = stated.title, title != record.title { names.append("title") }
        if let caption = stated.caption, caption != record.caption { names.append("caption") }
        if !Set(facts.keywords).isSubset(of: record.keywords) { names.append("keywords") }
        if let rating = facts.rating, rating != 0, rating != record.rating {
            names.append("rating")
        }
        if let seconds = facts.creationDate, let time = record.captureTime {
            let other = MigrationTime.time(seconds, offset: facts.captureOffset)
            let isSameInstant = abs(time.instant.timeIntervalSince(other.instant)) < 1
            // A file without an offset has the time of this machine's zone.
            let isSameWall = time.wallTime.prefix(19) == other.wallTime.prefix(19)
            if !isSameInstant, !isSameWall { names.append("date") }
        }
        if let latitude = facts.latitude, let longitude = facts.longitude,
            let place = record.location,
            abs(place.latitude - latitude) > 1e-4 || abs(place.longitude - longitude) > 1e-4
        {
            names.append("location")
        }
        if facts.isHidden, !record.isHidden { names.append("hidden") }
        if facts.isTrashed, record.trashedDate == nil { names.append("trash") }
        return names
    }
}
