import CloudSimulation
import CloudSync
import Foundation
import TestSupport
import Testing

/// Machines that were restored from bytes continue as those that were not.
@Suite(.timeLimit(.minutes(2))) struct CheckpointTests {
    /// A machine that is restored from a checkpoint and the inputs that followed it.
    private struct Restored {
        var machine: SyncMachine
        var steps = 0

        init(_ checkpoint: [UInt8]) throws {
            machine = try SyncMachine(decoding: checkpoint, hashing: SimulatedHashing())
        }

        /// Repeats a step from its journal; false if anything differs.
        mutating func follow(_ step: SimulatedWorld.Step) throws -> Bool {
            steps += 1
            let bytes = JournaledInput(step.input, step.environment).encoded
            let journaled = try JournaledInput(decoding: bytes)
            guard JournaledInput(journaled.input, journaled.environment).encoded == bytes else {
                return false
            }
            let outputs = machine.step(journaled.input, journaled.environment)
            return outputs.map(\.bytes) == step.outputs.map(\.bytes)
                && machine.encoded == step.after.encoded
        }
    }

    /// Schedules of all kinds: at random steps a machine is restored, and follows the original.
    @Test func aRestoredMachineContinuesIdentically() throws {
        let seed = TestSeed()
        var compared = 0
        for number in 0..<16 {
            var generator = SimulationRandom(seed: seed.value &+ UInt64(number))
            var restored: [Int: Restored] = [:]
            var failure: String?
            let run = seed.value &+ UInt64(number)
            let violation = ObservedRun.run(
                seed: run,
                actions: 80,
                uploadsAtOnce: number % 2 == 0 ? 1 : 4,
                variesLimits: number % 4 < 2
            ) { step in
                guard failure == nil else { return }
                do {
                    // An older image replaces a machine before a start only.
                    let isStart = if case .start = step.input { true } else { false }
                    if isStart || Int.random(in: 0..<30, using: &generator) == 0 {
                        restored[step.computer] = try Restored(step.before.encoded)
                    }
                    guard try restored[step.computer]?.follow(step) == false else { return }
                    failure = "\(step.input) of computer \(step.computer) differs"
                } catch {
                    failure = "\(error)"
                }
            }
            #expect(failure == nil, "schedule \(run), \(seed.description)")
            #expect(violation == nil, "schedule \(run), \(seed.description)")
            compared += restored.values.map(\.steps).reduce(0, +)
        }
        #expect(compared > 100, seed.comment)
    }

    /// The chunks of a machine are its encoding, whatever their size.
    @Test func chunksAreTheEncoding() {
        let seed = TestSeed()
        var machines = 0
        var failure: String?
        _ = ObservedRun.run(seed: seed.value, actions: 60, uploadsAtOnce: 4) { step in
            guard machines < 12, failure == nil else { return }
            machines += 1
            let encoded = step.after.encoded
            for size in [1, 7, 100, 1_000, encoded.count - 1, encoded.count, encoded.count + 1] {
                var iterator = EncodedMachine(step.after, chunkSize: size)
                var chunks: [[UInt8]] = []
                while let chunk = iterator.next() { chunks.append(chunk) }
                let isDivided = chunks.dropLast().allSatisfy { $0.count == size }
                if Array(chunks.joined()) != encoded || !isDivided
                    || chunks.count != (encoded.count + size - 1) / size
                    || step.after.encodedSize != encoded.count
                {
                    failure = "chunks of \(size) bytes"
                }
            }
        }
        #expect(failure == nil, seed.comment)
        #expect(machines > 0, seed.comment)
    }

    /// The process dies and starts again: the checkpoint and the journal bring back everything.
    @Test func aJournalBringsBackTheMachine() throws {
        let seed = TestSeed()
        var replayed = 0
        for number in 0..<8 {
            var generator = SimulationRandom(seed: seed.value &+ UInt64(number))
            var checkpoints: [Int: [UInt8]] = [:]
            var journals: [Int: [[UInt8]]] = [:]
            var failure: String?
            let run = seed.value &+ UInt64(number)
            let varies = number % 2 == 1
            _ = ObservedRun.run(seed: run, actions: 120, variesLimits: varies) { step in
                let isStart = if case .start = step.input { true } else { false }
                if isStart || checkpoints[step.computer] == nil
                    || Int.random(in: 0..<60, using: &generator) == 0
                {
                    checkpoints[step.computer] = step.before.encoded
                    journals[step.computer] = []
                }
                let bytes = JournaledInput(step.input, step.environment).encoded
                journals[step.computer]?.append(bytes)
                guard Int.random(in: 0..<20, using: &generator) == 0,
                    let checkpoint = checkpoints[step.computer]
                else { return }
                do {
                    var machine = try SyncMachine(
                        decoding: checkpoint,
                        hashing: SimulatedHashing()
                    )
                    for bytes in journals[step.computer] ?? [] {
                        let journaled = try JournaledInput(decoding: bytes)
                        _ = machine.step(journaled.input, journaled.environment)
                        replayed += 1
                    }
                    if machine.encoded != step.after.encoded {
                        failure = failure ?? "computer \(step.computer) differs"
                    }
                } catch {
                    failure = failure ?? "\(error)"
                }
            }
            #expect(failure == nil, "schedule \(run), \(seed.description)")
        }
        #expect(replayed > 100, seed.comment)
    }

    /// The order of dictionaries and sets differs between processes.
    @Test func anotherProcessMakesTheSameMachines() async throws {
        let result = try await #require(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) {
            FileHandle.standardOutput.write(Data(try CheckpointTests.report().utf8))
        }
        let theirs = String(decoding: result.standardOutputContent, as: UTF8.self)
            .split(separator: "\n").filter { $0.hasPrefix("run ") || $0.hasPrefix("order ") }
        let ours = try Self.report().split(separator: "\n")
        #expect(theirs.count == ours.count)
        #expect(theirs.filter { $0.hasPrefix("run ") } == ours.filter { $0.hasPrefix("run ") })
        // Otherwise the comparison would prove nothing.
        #expect(theirs.last != ours.last, "Both processes have one order of sets.")
    }

    /// Digests of runs of all kinds, and the order of a set in this process.
    private static func report() throws -> String {
        var text = "\n"
        for seed in UInt64(0)..<8 {
            text += "run \(seed) \(ObservedRun.digest(seed: seed, actions: 60))\n"
        }
        text += "run of choices \(try ObservedRun.digestOfChoices())\n"
        return text + "order \(Array(Set(0..<64)).map(String.init).joined(separator: "-"))\n"
    }
}
