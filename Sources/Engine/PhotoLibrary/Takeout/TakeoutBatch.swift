internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// A group of units of an export whose files are imported in one transaction.
struct TakeoutBatch: Sendable {
    /// An item, its outcome so far, and its staged file.
    struct Entry: Sendable {
        var item: TakeoutPlan.Item
        var medium: StagedMedium?
        /// The outcome, if it was determined before the transaction.
        var outcome: ImportOutcome?
        var notes: [MigrationNote] = []
        /// The staged document with what Google states beyond the asset's values.
        var sidecar: StagedFile?
        /// The values that an earlier import took from the file.
        var known: TakeoutApplied?
        /// The UUID of the asset of that import.
        var knownAsset: String?
        /// The SHA-256 of a file of the same name and size that was permanently deleted here.
        var purged: String?
        /// The staged envelope of an edited copy.
        var envelope: StagedFile?
    }

    var entries: [Entry] = []

    /// Removes the batch's staged files, except those already moved into the library.
    func discard() {
        for entry in entries {
            entry.medium?.discard()
            entry.sidecar?.discard()
            entry.envelope?.discard()
        }
    }

    /// Applies the descriptions to the records, and pairs movies with their pictures.
    mutating func describe(by plan: TakeoutPlan, _ policy: TakeoutPolicy, at time: Date) {
        pairMovies()
        for position in entries.indices {
            guard let facts = plan.facts(of: entries[position].item),
                case .medium(let media, var record, let pixels)? = entries[position].medium?.content
            else { continue }
            for remark in policy.apply(facts, to: &record) {
                entries[position].notes.append(MigrationNote(remark.rawValue, remark.text))
            }
            if let note = facts.cutNote { entries[position].notes.append(note) }
            if facts.isTrashed { record.trashedDate = time }
            entries[position].medium?.content = .medium(media, record, firstRendition: pixels)
        }
    }

    /// The longest movie that may be part of a Live Photo without stating it, in seconds.
    private static let longestHalf = 4.0

    /// Gives a picture and its movie one content identifier if neither contradicts that.
    private mutating func pairMovies() {
        for position in entries.indices {
            guard let picture = entries[position].item.picture,
                let other = entries.firstIndex(where: { $0.item.file == picture }),
                case .medium(let still, var stillRecord, let stillPixels)? =
                    entries[other].medium?.content,
                case .medium(let movie, var movieRecord, let moviePixels)? =
                    entries[position].medium?.content,
                stillRecord.mediaType == .image, movieRecord.mediaType == .video,
                stillRecord.contentIdentifier == nil || movieRecord.contentIdentifier == nil,
                movieRecord.duration <= Self.longestHalf,
                Self.areOfOneSecond(stillRecord, movieRecord)
            else { continue }
            let identifier =
                stillRecord.contentIdentifier ?? movieRecord.contentIdentifier
                ?? UUID().uuidString
            stillRecord.contentIdentifier = identifier
            movieRecord.contentIdentifier = identifier
            entries[other].medium?.content = .medium(
                still,
                stillRecord,
                firstRendition: stillPixels
            )
            entries[position].medium?.content = .medium(
                movie,
                movieRecord,
                firstRendition: moviePixels
            )
        }
    }

    /// Returns whether two files state the same second; their clocks may be in different zones.
    private static func areOfOneSecond(_ still: AssetRecord, _ movie: AssetRecord) -> Bool {
        guard let first = still.captureTime, let second = movie.captureTime,
            first.wallTimeSource != .fileTime, second.wallTimeSource != .fileTime
        else { return false }
        if abs(first.instant.timeIntervalSince(second.instant)) <= 1 { return true }
        return first.wallTime.prefix(19) == second.wallTime.prefix(19)
    }
}
