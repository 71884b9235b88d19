import CloudSimulation
import CloudSync
import Foundation
import TestSupport
import Testing

/// Several computers, one store, and all faults that the protocol is made for.
///
/// `PHOTOS_CLOUD_SECONDS` sets the time for new seeds; `PHOTOS_TEST_SEED` repeats those from one
/// on.
@Suite(.timeLimit(.minutes(15))) struct SimulationTests {
    private static func seconds(_ name: String) -> Double? {
        ProcessInfo.processInfo.environment[name].flatMap(Double.init)
    }

    @Test func newSeedsViolateNothing() {
        let first = TestSeed()
        let end = ContinuousClock.now + .seconds(Self.seconds("PHOTOS_CLOUD_SECONDS") ?? 8)
        var seed = first.value
        var faults = 0
        repeat {
            let outcome = Simulation.run(seed: seed)
            faults += outcome.faults
            #expect(
                outcome.violation == nil,
                "\(outcome.profile) schedule, PHOTOS_TEST_SEED=\(seed), \(faults) faults"
            )
            if outcome.violation != nil { break }
            seed &+= 1
        } while ContinuousClock.now < end
        #expect(faults > 100, first.comment)
    }

    @Test func seedsThatFailedOnceViolateNothing() {
        for seed in RecordedSeeds.failures {
            let outcome = Simulation.run(seed: seed)
            #expect(outcome.violation == nil, "seed \(seed)")
        }
    }

    /// An oracle that never fails proves nothing, so each rule is removed once.
    @Test(arguments: RecordedSeeds.weaknesses)
    func removedRuleIsNoticed(_ weakness: Weakness, seed: UInt64) {
        let outcome = Simulation.run(seed: seed, weakness: weakness)
        #expect(outcome.violation != nil, "Seed \(seed) does not tell that \(weakness) is wrong.")
    }

    private static func notices(_ seed: UInt64, _ weakness: Weakness) -> Bool {
        Simulation.run(seed: seed, weakness: weakness, uploadsAtOnce: 4, variesLimits: true)
            .violation != nil
    }

    /// If a recorded seed does not notice the removed rule, the failure names one that does.
    @Test(arguments: RecordedSeeds.weaknessesWithLimits)
    func removedRuleIsNoticedWithLimits(_ weakness: Weakness, seed: UInt64) {
        if Self.notices(seed, weakness) { return }
        let other = (UInt64(0)..<4_000).first { Self.notices($0, weakness) }
        let advice = other.map { "seed \($0) does" } ?? "no seed below 4,000 does"
        Issue.record("Seed \(seed) does not tell that \(weakness) is wrong; \(advice).")
    }

    /// New seeds notice these rules soon, since some sequences aim at them.
    @Test(arguments: RecordedSeeds.weaknessesWithLimits)
    func newSeedsNoticeRemovedRuleWithLimits(_ weakness: Weakness, recorded: UInt64) {
        let first = TestSeed()
        let isNoticed = (UInt64(0)..<600).contains { Self.notices(first.value &+ $0, weakness) }
        #expect(isNoticed, "\(weakness), \(first.description), recorded seed \(recorded)")
    }

    @Test func everyRuleHasASeedOrAReason() {
        let all = RecordedSeeds.weaknesses + RecordedSeeds.weaknessesWithLimits
        let recorded = Set(all.map(\.0))
        #expect(recorded.count == all.count)
        #expect(recorded.union(RecordedSeeds.redundant) == Set(Weakness.allCases))
        #expect(recorded.isDisjoint(with: RecordedSeeds.redundant))
    }

    /// `PHOTOS_CLOUD_MUTANT_SECONDS` also searches each removed rule in new seeds.
    @Test func newSeedsNoticeRemovedRules() {
        guard let limit = Self.seconds("PHOTOS_CLOUD_MUTANT_SECONDS") else { return }
        let first = TestSeed()
        for (weakness, _) in RecordedSeeds.weaknesses {
            let end = ContinuousClock.now + .seconds(limit)
            var seed = first.value
            var isNoticed = false
            while !isNoticed, ContinuousClock.now < end {
                isNoticed = Simulation.run(seed: seed, weakness: weakness).violation != nil
                seed &+= 1
            }
            #expect(isNoticed, "\(weakness), \(first.description)")
        }
    }

    @Test func aSeedRepeatsItsRun() {
        for seed in UInt64(40)..<48 {
            let first = Simulation.run(seed: seed)
            let second = Simulation.run(seed: seed)
            #expect(first.trace == second.trace, "seed \(seed)")
            #expect(first.faults == second.faults, "seed \(seed)")
        }
    }

    @Test func aFailureShrinks() throws {
        let (weakness, seed) = try #require(
            RecordedSeeds.weaknesses.first { $0.0 == .condemnsBeforeFinal }
        )
        let schedule = Simulation.shrink(seed: seed, weakness: weakness, attempts: 60)
        #expect(schedule.count < Simulation.profile(of: seed).length / 2)
        let outcome = Simulation.run(schedule, seed: seed, weakness: weakness)
        #expect(outcome.violation != nil)
    }
}
