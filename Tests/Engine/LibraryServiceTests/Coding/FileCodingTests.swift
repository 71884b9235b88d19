import LibraryService
import PhotoModel
import Testing

/// Requests and replies about files: import, resources, checks.
@Suite(.timeLimit(.minutes(2))) struct FileCodingTests {
    static let outcomes: [ImportOutcome] =
        ImportOutcome.Kind.allCases.map { ImportOutcome($0) }
        + [
            ImportOutcome(.imported, localIdentifier: "8D7B/L0/001", isSafeToRemove: true),
            ImportOutcome(.failed, reason: "The file is empty."),
            ImportOutcome(.duplicate, localIdentifier: "a", reason: "In Recently Deleted."),
        ] + ImportOutcome.Obstacle.allCases.map { ImportOutcome(.failed, obstacle: $0) }

    @Test(arguments: outcomes) func outcomesComeBack(_ outcome: ImportOutcome) throws {
        try expectRoundTrip(ImportFilesReply(outcomes: [outcome]))
        try expectRoundTrip(KnownFilesReply(outcomes: [nil, outcome, nil]))
    }

    @Test func importRequestsComeBack() throws {
        let files = [SeamValues.sourceFile, SeamValues.sourceFile]
        try expectRoundTrip(SeamValues.sourceFile)
        try expectRoundTrip(ImportSessionRequest())
        try expectRoundTrip(ImportSessionReply(session: 7))
        try expectRoundTrip(KnownFilesRequest(session: 7, files: files))
        try expectRoundTrip(ImportFilesRequest(session: 7, files: []))
        try expectRoundTrip(ImportFilesRequest(session: .max, files: files))
        try expectRoundTrip(
            ImportFilesRequest(session: .max, files: files, verifiesDuplicates: true)
        )
        try expectRoundTrip(ImportEndRequest(session: 7))
    }

    @Test func takeoutRequestsComeBack() throws {
        let source = TakeoutSource(path: Array("/media/ä.zip".utf8), isArchive: true)
        try expectRoundTrip(source)
        try expectRoundTrip(TakeoutOpenRequest(session: 7, sources: [source, source]))
        try expectRoundTrip(TakeoutOpenReply(items: 3, bytes: .max, descriptions: [2, 0]))
        try expectRoundTrip(TakeoutStepRequest(session: 7))
        let note = MigrationNote("noMetadata", .error, "There is no JSON.")
        for outcome in MigrationLine.Outcome.allCases {
            let line = TakeoutLine(
                source: 1,
                line: MigrationLine(
                    kind: .takeout,
                    item: "Google Photos/a.jpg",
                    path: nil,
                    outcome: outcome,
                    localIdentifier: "A/L0/001",
                    reason: "Why",
                    notes: [note],
                    isLeading: false
                ),
                size: 5
            )
            try expectRoundTrip(
                TakeoutStepReply(lines: [line], totals: MigrationTotals(), isOver: true)
            )
        }
    }

    @Test(arguments: ResourceType.allCases) func resourcesComeBack(_ type: ResourceType) throws {
        let resource = SeamValues.resource(type)
        try expectRoundTrip(ResourceListReply(resources: [resource, resource]))
        try expectRoundTrip(ResourceOpenReply(resource: resource))
    }

    @Test func resourceRequestsComeBack() throws {
        try expectRoundTrip(ResourceListRequest(assetUUID: "8D7B"))
        try expectRoundTrip(ResourceOpenRequest(resourceUUID: "0F4A"))
    }

    @Test(arguments: Finding.Severity.allCases)
    func checksComeBack(_ severity: Finding.Severity) throws {
        let full = Finding(
            severity,
            kind: "wrongBytes",
            message: "A message.",
            advice: "An advice.",
            path: "originals/0f/0F4A.jpg",
            localIdentifier: "8D7B/L0/001",
            isRepaired: true
        )
        let bare = Finding(severity, kind: "", message: "", advice: "")
        let cursor = VerifyCursor(stage: 3, position: .max, tally: VerifyTally(version: nil))
        try expectRoundTrip(VerifyReply(findings: [full, bare], next: cursor, progress: 0.25))
        try expectRoundTrip(VerifyReply(findings: [], next: nil, progress: 1))
        try expectRoundTrip(VerifyRequest(isFull: true, repairs: true, cursor: cursor))
        try expectRoundTrip(VerifyRequest(isFull: false, repairs: false))
    }

    @Test(arguments: LibraryError.Code.allCases)
    func errorsComeBack(_ code: LibraryError.Code) throws {
        try expectRoundTrip(LibraryError(code, "It failed."))
        try expectRoundTrip(
            LibraryError(
                code,
                "It failed.",
                reason: "Because.",
                recovery: "Do this.",
                path: "/a",
                identifiers: ["a", "b"]
            )
        )
    }
}
