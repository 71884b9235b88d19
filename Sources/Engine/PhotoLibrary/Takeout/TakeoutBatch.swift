internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// The files of an export that are imported in one transaction.
///
/// A batch consists of whole units.
struct TakeoutBatch: Sendable {
    /// A file of the batch, with its staged copy and its outcome so far.
    struct Entry: Sendable {
        var item: TakeoutPlan.Item
        var medium: StagedMedium?
        /// The outcome, if it was determined before the transaction.
        var outcome: ImportOutcome?
        var notes: [MigrationNote] = []
        /// The staged XMP sidecar with the Google metadata that no field of an asset can hold.
        var sidecar: StagedFile?
        /// The values that an earlier import took from the file.
        var known: TakeoutApplied?
        /// The UUID of the asset that an earlier import created from the file.
        var knownAsset: String?
        /// The SHA-256 of an earlier imported file with the same name and size, whose asset was
        /// permanently deleted from the library.
        var purged: String?
        /// The staged adjustments file (a property list in AAE format) that is stored with an
        /// edited copy.
        var envelope: StagedFile?

        /// Makes an edited copy, whose guessed original shows another shot, a photo of its own.
        mutating func separate() {
            item.original = nil
            notes.removeAll { $0 == TakeoutPlan.guessedMatch }
            notes.append(TakeoutPlan.noMetadata)
        }
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

    /// Sets the outcome of the files that may be damaged and have none yet.
    ///
    /// Nothing is recorded about these files, so a later import reads them from a sound archive.
    mutating func refuseDamaged(_ plan: TakeoutPlan) {
        for position in entries.indices where entries[position].outcome == nil {
            let file = plan.files[entries[position].item.file]
            guard case .damaged(let reason) = file.integrity else { continue }
            entries[position].outcome = ImportOutcome(.failed, reason: reason)
        }
    }

    /// Applies Google's descriptions to the asset records, and pairs movies with their stills.
    mutating func describe(by plan: TakeoutPlan, _ policy: TakeoutPolicy, at time: Date) {
        pairMovies()
        for position in entries.indices {
            let item = entries[position].item
            guard
                case .medium(let media, var record, let pixels)? = entries[position].medium?.content
            else { continue }
            if let facts = plan.facts(of: item) {
                for remark in policy.apply(facts, to: &record) {
                    entries[position].notes.append(MigrationNote(remark.rawValue, remark.text))
                }
                if let note = facts.cutNote { entries[position].notes.append(note) }
            }
            if plan.isTrashed(item) { record.trashedDate = time }
            entries[position].medium?.content = .medium(media, record, firstRendition: pixels)
        }
    }

    /// The maximum length, in seconds, of a Live Photo's movie if no content identifier links it to
    /// the still.
    private static let longestHalf = 4.0

    /// Assigns a common content identifier to each still and its movie if they may form a Live
    /// Photo.
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

    /// Indicates whether the capture times of a still and a movie agree to the second, as instants
    /// or local times.
    private static func areOfOneSecond(_ still: AssetRecord, _ movie: AssetRecord) -> Bool {
        guard let first = still.captureTime, let second = movie.captureTime,
            first.wallTimeSource != .fileTime, second.wallTimeSource != .fileTime
        else { return false }
        if abs(first.instant.timeIntervalSince(second.instant)) <= 1 { return true }
        return first.wallTime.prefix(19) == second.wallTime.prefix(19)
    }
}
