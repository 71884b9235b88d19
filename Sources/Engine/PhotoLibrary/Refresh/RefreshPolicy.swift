internal import Foundation
internal import PhotoModel
internal import WorkerProtocol

/// Determines the values of an asset after its files were read again.
///
/// Has no side effects.
///
/// 1. Values set by people and programs stay: `personFacts`, a capture time whose source is the
///    user, a removed capture time, a Live Photo whose playback was turned off, and a person's
///    burst picks.
/// 2. Values that only the library has stay: favorites, albums, edits, names and added dates. An
///    edited asset keeps the size and type of the rendered content.
/// 3. All other values are those that an import of the same files would set now.
/// 4. An instant computed with an importing machine's time zone stays if the wall time does. A
///    value from a partner file stays as well.
struct RefreshPolicy {
    /// Returns the asset's record with the values that a new import of its files would set.
    ///
    /// Values that stay are taken from the present record.
    func refreshed(_ present: AssetRecord, by reading: AssetReading) -> AssetRecord {
        var fresh = reading.primary.record
        if let movie = reading.movie { JoiningPolicy.add(movie: movie.record, to: &fresh) }
        takeOver(sidecarsOf: reading, into: &fresh)
        var new = present
        new.readerVersion = ReaderVersion.current
        new.camera = fresh.camera
        new.contentType = fresh.contentType
        new.contentIdentifier =
            fresh.contentIdentifier ?? reading.movie?.record.contentIdentifier
        setContent(of: &new, to: fresh)
        // The RAW may also contain it.
        setBurst(
            of: &new,
            to: fresh.burstIdentifier
                ?? reading.partners.compactMap(\.record.burstIdentifier).first
        )
        setCaptureTime(of: &new, to: fresh, hasFileTime: reading.hasFileTime)
        setSettable(of: &new, to: fresh, partners: reading.partners.map(\.record))
        if Self.hasNewColors(present, reading.primary.facts) { new.contentVersion += 1 }
        return new
    }

    /// Applies the values of an asset's sidecars to a record, as an import does.
    private func takeOver(sidecarsOf reading: AssetReading, into fresh: inout AssetRecord) {
        let primary = reading.primary
        var history = SidecarHistory(file: SidecarStatement(primary.facts, primary.record))
        let old = history.values
        for sidecar in reading.sidecars {
            guard let rank = SidecarSearch.rank(of: sidecar.resource, among: reading.resources)
            else { continue }
            history.add(
                name: Array(sidecar.resource.originalFilename.utf8),
                rank: rank,
                SidecarStatement(sidecar.facts, sidecar.record)
            )
        }
        SidecarPolicy.update(&fresh, from: old, to: history.values)
    }

    /// Returns whether the visible or audible content differs.
    static func contentDiffers(_ old: AssetRecord, _ new: AssetRecord) -> Bool {
        old.pixelSize != new.pixelSize || old.playbackStyle != new.playbackStyle
            || old.duration != new.duration || old.contentVersion != new.contentVersion
    }

    /// Returns whether the present pictures of an asset were made without the color codes of its
    /// PNG file, which readers before version 3 did not use.
    ///
    /// PNG files with an ICC profile of these colors count as well.
    private static func hasNewColors(_ present: AssetRecord, _ facts: MediaFacts) -> Bool {
        guard present.readerVersion < 3, !present.hasAdjustments,
            facts.contentType == "public.png"
        else { return false }
        return !facts.hdr.isDisjoint(with: ["pq", "hlg"])
            || ["Display P3", "Rec. ITU-R BT.2020-1"].contains(facts.profileName)
    }

    private func setContent(of new: inout AssetRecord, to fresh: AssetRecord) {
        let wasStopped =
            new.mediaSubtypes.contains(.photoLive) && new.playbackStyle == .image
        let isLive = new.mediaSubtypes.contains(.photoLive)
        new.mediaSubtypes = fresh.mediaSubtypes
        // The subtype requires both halves and is determined when they are joined.
        if isLive {
            new.mediaSubtypes.insert(.photoLive)
        } else {
            new.mediaSubtypes.remove(.photoLive)
        }
        guard !new.hasAdjustments else { return }
        if !wasStopped, isLive == fresh.mediaSubtypes.contains(.photoLive) {
            new.playbackStyle = fresh.playbackStyle
        }
        new.duration = fresh.duration
        new.frameRate = fresh.frameRate
        // If the RAW was chosen, its size is kept. An unknown size does not replace a known one.
        if new.originalResourceChoice == 0, fresh.pixelSize.width > 0 {
            new.pixelSize = fresh.pixelSize
        }
    }

    private func setBurst(of new: inout AssetRecord, to identifier: String?) {
        guard new.burstIdentifier != identifier,
            !new.burstSelectionTypes.contains(.userPick)
        else { return }
        new.burstIdentifier = identifier
        new.burstSelectionTypes = []
        new.representsBurst = false
    }

    private func setCaptureTime(
        of new: inout AssetRecord,
        to fresh: AssetRecord,
        hasFileTime: Bool
    ) {
        guard let old = new.captureTime, old.wallTimeSource != .user, old.instantSource != .user,
            var time = fresh.captureTime
        else { return }
        // The modification time of the library's copy is not evidence.
        if time.wallTimeSource == .fileTime {
            guard hasFileTime, old.wallTimeSource != .fileTime else { return }
        }
        if time.wallTime == old.wallTime, time.offset == old.offset { time.instant = old.instant }
        new.captureTime = time
        new.creationDate = time.instant
    }

    private func setSettable(
        of new: inout AssetRecord,
        to fresh: AssetRecord,
        partners: [AssetRecord]
    ) {
        let old = new
        func value<Value: Equatable>(
            _ fact: SettableFacts,
            _ path: KeyPath<AssetRecord, Value>
        ) -> Value {
            old.personFacts.contains(fact)
                || partners.contains { $0[keyPath: path] == old[keyPath: path] }
                    && fresh[keyPath: path] == Self.nothing[keyPath: path]
                ? old[keyPath: path] : fresh[keyPath: path]
        }
        new.location = value(.location, \.location)
        new.title = value(.title, \.title)
        new.caption = value(.caption, \.caption)
        new.keywords = value(.keywords, \.keywords)
        new.rating = value(.rating, \.rating)
    }

    /// A record in which no facts are set.
    private static let nothing = AssetRecord(
        id: 0,
        uuid: "",
        mediaType: .unknown,
        originalFilename: "",
        contentType: "",
        addedDate: Date(timeIntervalSinceReferenceDate: 0)
    )
}
