internal import Foundation
internal import PhotoModel

/// Decides which values an asset has after its files were read again.
///
/// Pure.
///
/// 1. What people and programs set stays: `personFacts`, a capture time whose source is the user, one
///    that was removed, a Live Photo that was told not to move, picks of a burst.
/// 2. What only this library knows stays: favorites, albums, edits, names, dates of adding. An edited
///    asset keeps the size and the kind of what was rendered.
/// 3. Everything else is what an import of the same files would make of them now.
/// 4. An instant that an importing machine's time zone gave stays as long as the wall time does; and
///    so does a value that a partner of the file gave when it joined.
struct RefreshPolicy {
    /// The asset as an import would make it now, with what stays.
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
        // A RAW says so, too.
        setBurst(
            of: &new,
            to: fresh.burstIdentifier
                ?? reading.partners.compactMap(\.record.burstIdentifier).first
        )
        setCaptureTime(of: &new, to: fresh, hasFileTime: reading.hasFileTime)
        setSettable(of: &new, to: fresh, partners: reading.partners.map(\.record))
        return new
    }

    /// Takes over what sidecars say, as an import does that finds them beside the file.
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

    /// Whether what is seen or heard differs.
    static func contentDiffers(_ old: AssetRecord, _ new: AssetRecord) -> Bool {
        old.pixelSize != new.pixelSize || old.playbackStyle != new.playbackStyle
            || old.duration != new.duration
    }

    private func setContent(of new: inout AssetRecord, to fresh: AssetRecord) {
        let wasStopped =
            new.mediaSubtypes.contains(.photoLive) && new.playbackStyle == .image
        let isLive = new.mediaSubtypes.contains(.photoLive)
        new.mediaSubtypes = fresh.mediaSubtypes
        // That takes both halves, and is decided when they come together.
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
        // The size of the RAW where that was chosen; and none is no news.
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
        // Of a file that was copied in, the time says nothing.
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

    /// A record without any facts.
    private static let nothing = AssetRecord(
        id: 0,
        uuid: "",
        mediaType: .unknown,
        originalFilename: "",
        contentType: "",
        addedDate: Date(timeIntervalSinceReferenceDate: 0)
    )
}
