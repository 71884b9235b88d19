import CloudSync
import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// Two and three real libraries that are changed at random and exchange their changes through a
/// store in memory.
///
/// `PHOTOS_SYNC_RUNS` sets the number of runs.
@Suite(.timeLimit(.minutes(60))) struct ConvergenceTests {
    private static let runs =
        ProcessInfo.processInfo.environment["PHOTOS_SYNC_RUNS"].flatMap(Int.init) ?? 4

    @Test func librariesAgreeAfterAnyChanges() throws {
        Self.repeatRuns { _, seed in try Self.run(seed: seed, isTidying: seed % 2 == 1) }
    }

    /// A part of the changes is published, and changes of others are read, before the next part is
    /// exported.
    @Test func librariesAgreeThatPublishPages() throws {
        Self.repeatRuns { run, seed in try Self.run(seed: seed, entriesPerPage: 1 + run % 3) }
    }

    private static func repeatRuns(_ body: (_ run: Int, _ seed: UInt64) throws -> Void) {
        let seed = TestSeed()
        var generator = seed.generator
        for run in 0..<runs {
            let value = run == 0 ? seed.value : generator.next() & 0xFFFF_FFFF
            do {
                try body(run, value)
            } catch {
                Issue.record("PHOTOS_TEST_SEED=\(value), run \(run): \(error)")
            }
        }
    }

    /// Seeds that failed once.
    ///
    /// 374101407: members that were removed and appended again at their places lost their keys.
    /// 2828609342: a photo that was removed from an album and purged at once was in it elsewhere.
    /// 97287800: a photo that was modified before it was added, by a clock that went back.
    @Test(arguments: [374_101_407, 2_828_609_342, 97_287_800] as [UInt64])
    func librariesAgreeWithSeedsThatFailed(
        seed: UInt64
    ) throws {
        try Self.run(seed: seed)
    }

    private static func run(
        seed: UInt64,
        isTidying: Bool = false,
        entriesPerPage: Int? = nil
    ) throws {
        var generator = SeededGenerator(seed: seed)
        var cloud = SimulatedStore()
        let count = Int.random(in: 2...3, using: &generator)
        var libraries = try (0..<count).map { number in
            try SyncedLibrary(number: number, generator: SeededGenerator(seed: generator.next()))
        }
        let late = try SyncedLibrary(
            number: count,
            generator: SeededGenerator(seed: generator.next())
        )
        for library in libraries + [late] { library.entriesPerPage = entriesPerPage }
        // What is there before the library joins is published, too.
        for library in libraries {
            for _ in 0..<Int.random(in: 0..<15, using: &generator) { try library.change() }
            try library.join()
            try library.synchronize(with: &cloud, [.publish, .publish, .pollAll])
            library.dies = Bool.random(using: &generator)
            library.isTidying = isTidying
        }
        // The seeds that failed did so with the limit 1.
        let limit = isTidying ? 3 : 1
        let duties: [Duty] = [
            .publish, .pollAll, .pollHeads, .finishPurges(limit: limit), .replenish(limit: limit),
            .pairTwins(limit: limit), .snapshot, .compact,
        ]
        for _ in 0..<120 {
            guard let library = libraries.randomElement(using: &generator) else { return }
            if Int.random(in: 0..<3, using: &generator) > 0 {
                try library.change()
                try library.checkObservers()
            } else {
                let count = Int.random(in: 0..<4, using: &generator)
                let some = (0..<count).compactMap { _ in duties.randomElement(using: &generator) }
                try library.synchronize(with: &cloud, some)
            }
            if Int.random(in: 0..<40, using: &generator) == 0 {
                library.clock.advance(by: 3_600 * 24 * 100)
                try library.store.pruneHistory()
            }
        }
        for library in libraries { library.dies = false }
        if Bool.random(using: &generator) {
            // It reads a snapshot and what follows, if segments were deleted.
            for _ in 0..<3 {
                for library in libraries {
                    try library.synchronize(
                        with: &cloud,
                        Array(repeating: .publish, count: 40)
                            + [.pollAll, .publish, .snapshot, .snapshot, .compact]
                    )
                }
            }
            for _ in 0..<5 { try late.change() }
            try late.join()
            libraries.append(late)
        }
        for _ in 0..<8 {
            for library in libraries {
                try library.synchronize(
                    with: &cloud,
                    Array(repeating: .publish, count: 40) + [.pollAll, .finishPurges(limit: limit)]
                        + Array(repeating: .pairTwins(limit: limit), count: 8) + [.publish]
                )
            }
        }
        try compare(libraries)
    }

    private static func compare(_ libraries: [SyncedLibrary]) throws {
        for library in libraries {
            guard library.machine.unexported.isEmpty else {
                throw Difference("library \(library.number) has not published everything")
            }
            do { try library.compareWithMergedState() } catch let error as Difference {
                throw Difference("library \(library.number): \(error)")
            }
        }
        let all = try libraries.map { try $0.facts() }
        for (number, facts) in all.enumerated().dropFirst() {
            for name in Set(facts.keys).union(all[0].keys).sorted()
            where facts[name] != all[0][name] {
                throw Difference(
                    """
                    libraries 0 and \(number) differ in \(name):
                    \(all[0][name] ?? "missing")
                    ---
                    \(facts[name] ?? "missing")
                    """
                )
            }
        }
        for library in libraries {
            let findings = try library.findings()
            guard findings.isEmpty else {
                throw Difference("library \(library.number): \(findings)")
            }
        }
    }
}
