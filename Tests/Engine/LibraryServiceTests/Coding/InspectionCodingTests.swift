import Foundation
import LibraryService
import Testing

/// The state of a library.
@Suite(.timeLimit(.minutes(2))) struct InspectionCodingTests {
    @Test func inspectionsKeepEveryNumber() throws {
        var inspection = LibraryInspection(
            path: "/Ünïcode/Photos.photolibrary",
            format: 1,
            schemaVersion: 7,
            libraryUUID: "5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11",
            version: .max
        )
        try expectRoundTrip(inspection)
        inspection.readOnlyReason = "Why"
        inspection.missingVersion = 9
        var counts = LibraryInspection.Counts()
        counts.assets = 1
        counts.hidden = 2
        counts.deleted = 3
        counts.albums = 4
        counts.folders = 5
        counts.resources = 6
        counts.earlierReaders = 7
        inspection.counts = counts
        var sizes = LibraryInspection.Sizes()
        sizes.originals = .max
        sizes.edits = 1
        sizes.database = 2
        sizes.log = 3
        sizes.renditions = 4
        inspection.sizes = sizes
        var pending = LibraryInspection.PendingWork()
        pending.activeSessions = 1
        pending.interruptedSessions = 2
        pending.discardedFiles = 3
        pending.leftoverFiles = 4
        inspection.pending = pending
        inspection.logReaders = [
            LibraryInspection.LogReader(processIdentifier: .max, program: nil),
            LibraryInspection.LogReader(processIdentifier: 1, program: "photos"),
        ]
        inspection.readerVersion = 2
        inspection.readers = [
            LibraryInspection.ReaderCount(readerVersion: 0, assets: 3),
            LibraryInspection.ReaderCount(readerVersion: 2, assets: 4),
        ]
        inspection.programs = [
            LibraryInspection.OpenProgram(processIdentifier: 7, program: "photos", workers: 2),
            LibraryInspection.OpenProgram(processIdentifier: 8, program: nil, workers: 0),
        ]
        inspection.writer = .init(processIdentifier: 7, program: nil)
        var tally = VerifyTally(version: 12)
        tally.notes = 1
        tally.damages = 2
        tally.repaired = 3
        inspection.lastCheck = LastCheck(
            date: Date(timeIntervalSinceReferenceDate: 800_000_000.25),
            version: 12,
            isFull: true,
            repairs: true,
            tally: tally
        )
        var scrub = LastScrub(date: Date(timeIntervalSinceReferenceDate: 800_000_001.5))
        scrub.damages = [
            LastScrub.Damage(resource: 9, path: "originals/A/IMG_1.jpg", kind: "digestMismatch")
        ]
        inspection.lastScrub = scrub
        try expectRoundTrip(inspection)
    }
}
