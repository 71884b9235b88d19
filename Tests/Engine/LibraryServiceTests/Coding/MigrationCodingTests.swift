import LibraryService
import Testing

/// Requests and replies about libraries of other programs.
@Suite(.timeLimit(.minutes(2))) struct MigrationCodingTests {
    private static let note = MigrationNote("damaged", .error, "It is \"damaged\".")

    @Test func beginningsComeBack() throws {
        var options = MigrationOptions()
        try expectRoundTrip(options)
        options.isDryRun = true
        options.includesShared = true
        options.includesProxies = true
        try expectRoundTrip(
            MigrationBeginRequest(
                path: "/a b/Photos Library.photoslibrary",
                volumes: ["MacBook Mojave"],
                options: options
            )
        )
        try expectRoundTrip(
            MigrationBeginReply(
                migration: 3,
                generation: "Photos 5 (macOS 10.15)",
                model: 13703,
                logSize: 1 << 33,
                assets: 7,
                missing: 2,
                bytes: .max,
                notes: [Self.note]
            )
        )
    }

    @Test func stepsComeBack() throws {
        try expectRoundTrip(MigrationStepRequest(migration: 3))
        try expectRoundTrip(MigrationEndRequest(migration: 3))
        var totals = MigrationTotals()
        totals.assets = 3
        totals.imported = 1
        totals.missing = 2
        totals.collectionsSkipped = ["smartAlbum": 4]
        totals.notes = [MigrationNote("logMissing", "It has no log.")]
        for kind in MigrationSourceKind.allCases {
            for outcome in MigrationLine.Outcome.allCases {
                let line = MigrationLine(
                    kind: kind,
                    item: outcome == .skipped ? nil : "D79B8D77-BFFC-460B-9312-034F2877D35B",
                    path: "originals/D/ü/x.jpeg",
                    outcome: outcome,
                    localIdentifier: nil,
                    reason: "why",
                    notes: [Self.note],
                    isLeading: outcome != .paired
                )
                try expectRoundTrip(line)
                try expectRoundTrip(
                    MigrationStepReply(lines: [line], totals: totals, isOver: true)
                )
            }
        }
    }

    @Test func sumHasEveryOutcome() {
        var totals = MigrationTotals()
        totals.assets = 28
        (totals.imported, totals.alreadyThere, totals.damaged) = (1, 2, 3)
        (totals.missing, totals.sharedSkipped, totals.unsupported, totals.failed) = (4, 5, 6, 7)
        #expect(totals.addsUp)
        totals.failed = 8
        #expect(!totals.addsUp)
    }
}
