import FoundationEssentials
import LibraryService
import PhotoModel
import TestSupport
import Testing

/// Values of requests and replies that follow from others.
@Suite(.timeLimit(.minutes(1))) struct RequestValueTests {
    /// Runs of days, expanded again, are the days.
    @Test func daysAreRunLengthEncoded() {
        let seed = TestSeed()
        var generator = seed.generator
        for count in 0..<60 {
            let days: [Int32?] = (0..<count).map { _ in
                Bool.random(using: &generator) ? nil : Int32.random(in: -1...1, using: &generator)
            }
            var reply = CaptureDaysReply(runs: [])
            for day in days { reply.append(day) }
            let expanded = reply.runs.flatMap { Array(repeating: $0.day, count: $0.count) }
            #expect(expanded == days, seed.comment)
            let isShort = zip(reply.runs, reply.runs.dropFirst()).allSatisfy { $0.day != $1.day }
            #expect(isShort, seed.comment)
        }
    }

    /// A repaired finding counts as repaired only, however severe it was.
    @Test func findingsAreCountedOnce() {
        func finding(_ severity: Finding.Severity, isRepaired: Bool = false) -> Finding {
            Finding(severity, kind: "k", message: "m", advice: "a", isRepaired: isRepaired)
        }
        var tally = VerifyTally(version: 5)
        tally.add([finding(.note), finding(.damage), finding(.damage), finding(.damage)])
        tally.add([])
        tally.add([finding(.note, isRepaired: true), finding(.damage, isRepaired: true)])
        #expect((tally.notes, tally.damages, tally.repaired) == (1, 3, 2))
        #expect(tally.version == 5)
    }

    @Test(
        arguments: [
            (0.25, Duration.milliseconds(250)), (0, .zero), (-1, .zero), (.nan, .zero),
            (-.infinity, .zero), (86_400, .seconds(86_400)), (86_401, .seconds(86_400)),
            (.infinity, .seconds(86_400)),
        ] as [(Double, Duration)]
    )
    func limitsAreWithinADay(_ seconds: Double, _ duration: Duration) {
        #expect(Duration(ofRequest: seconds) == duration)
    }

    @Test(arguments: ObjectKind.allCases)
    func changesHaveTheIdentifierOfTheirObject(_ kind: ObjectKind) {
        let uuid = "8D7B2D3A-6E0A-4B8C-9C1E-2F3A4B5C6D7E"
        let change = HistoryChange(
            object: kind,
            uuid: uuid,
            kind: .updated,
            contentChanged: false,
            properties: []
        )
        #expect(change.localIdentifier == LocalIdentifier(uuid: uuid, kind: kind).description)
    }

    @Test func aVersionHasTheStampOfItsTime() {
        let version = SeamValues.historyVersion
        #expect(version.stamp == HistoryStamp(version.time))
    }

    /// A library is open for writing unless a reason says otherwise, and has no name until it
    /// has one.
    @Test func aStatusComesBack() throws {
        try expectRoundTrip(LibraryStatus(path: "", version: 3, readOnlyReason: nil))
        try expectRoundTrip(
            LibraryStatus(
                path: "",
                version: .max,
                stamp: HistoryStamp(SeamValues.date),
                readOnlyReason: "It is on a CD.",
                missingChanges: LibraryError(.busy, "It is busy."),
                libraryUUID: "8D7B",
                epoch: 4
            )
        )
    }
}
