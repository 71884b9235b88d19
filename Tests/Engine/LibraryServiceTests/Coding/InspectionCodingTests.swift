import LibraryService
import Testing

/// The state of a library.
@Suite struct InspectionCodingTests {
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
        try expectRoundTrip(inspection)
    }
}
