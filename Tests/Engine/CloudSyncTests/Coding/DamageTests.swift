import CloudSimulation
import CloudSync
import TestSupport
import Testing

/// Damaged checkpoints, inputs and snapshots are errors or other values, and never stop the
/// program.
@Suite(.timeLimit(.minutes(2))) struct DamageTests {
    /// Returns the machine at the end of a run, and encoded inputs of different lengths.
    private static func samples(seed: UInt64, actions: Int)
        -> (machine: [UInt8], inputs: [[UInt8]], snapshots: [[UInt8]])
    {
        var machine: [UInt8] = []
        var inputs: [Int: [UInt8]] = [:]
        var snapshots: [[UInt8]] = []
        _ = ObservedRun.run(seed: seed, actions: actions) { step in
            // A machine with requests under way, if there is one.
            if case .perform = step.input { machine = step.after.encoded }
            let bytes = JournaledInput(step.input, step.environment).encoded
            inputs[bytes.count / 8] = bytes
            for case .request(_, .put(_, .snapshot(let snapshot))) in step.outputs {
                snapshots.append(snapshot.encoded)
            }
        }
        return (machine, inputs.sorted { $0.key < $1.key }.map(\.value), snapshots)
    }

    private static func machine(_ bytes: [UInt8]) throws -> SyncMachine {
        try SyncMachine(decoding: bytes, hashing: SimulatedHashing())
    }

    @Test func everyCutIsAnError() throws {
        let samples = Self.samples(seed: 13, actions: 25)
        #expect(try Self.machine(samples.machine).encoded == samples.machine)
        for count in 0..<samples.machine.count {
            #expect(throws: CloudFormatError.self) {
                try Self.machine(Array(samples.machine.prefix(count)))
            }
        }
        #expect(throws: CloudFormatError.self) { try Self.machine(samples.machine + [0]) }
        #expect(samples.inputs.count > 3)
        for input in samples.inputs {
            for count in 0..<input.count {
                #expect(throws: CloudFormatError.self) {
                    try JournaledInput(decoding: Array(input.prefix(count)))
                }
            }
            #expect(throws: CloudFormatError.self) { try JournaledInput(decoding: input + [0]) }
        }
    }

    @Test func everyCutOfASnapshotIsAnError() throws {
        let samples = Self.samples(seed: 13, actions: 150)
        let snapshot = try #require(samples.snapshots.last)
        let decoded = try CloudSnapshot(decoding: snapshot)
        #expect(decoded.encoded == snapshot)
        #expect(!decoded.state.objects.isEmpty && !decoded.vector.isEmpty)
        for count in 0..<snapshot.count {
            #expect(throws: CloudFormatError.self) {
                try CloudSnapshot(decoding: Array(snapshot.prefix(count)))
            }
        }
        #expect(throws: CloudFormatError.self) { try CloudSnapshot(decoding: snapshot + [0]) }
    }

    /// What is no error is a value with the very same bytes, and a machine that works.
    @Test func damageNeverTraps() throws {
        let seed = TestSeed()
        var random = SimulationRandom(seed: seed.value)
        let samples = Self.samples(seed: 13, actions: 150)
        var survivors = 0
        for _ in 0..<1_500 {
            let bytes = Self.damaged(samples.machine, using: &random)
            guard let machine = try? Self.machine(bytes) else { continue }
            survivors += 1
            #expect(machine.encoded == bytes, seed.comment)
            Self.exercise(machine)
        }
        #expect(survivors > 10, seed.comment)
        for _ in 0..<1_500 {
            let input = samples.inputs[random.below(samples.inputs.count)]
            let bytes = Self.damaged(input, using: &random)
            guard let input = try? JournaledInput(decoding: bytes) else { continue }
            #expect(input.encoded == bytes, seed.comment)
        }
        let snapshot = try #require(samples.snapshots.last)
        for _ in 0..<1_000 {
            let bytes = Self.damaged(snapshot, using: &random)
            guard let snapshot = try? CloudSnapshot(decoding: bytes) else { continue }
            #expect(snapshot.encoded == bytes, seed.comment)
        }
    }

    /// One to four changed bytes, some of which claim large numbers.
    private static func damaged(_ bytes: [UInt8], using random: inout SimulationRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(4) {
            let index = random.below(bytes.count)
            bytes[index] = random.chance(300) ? 255 : UInt8(random.below(256))
        }
        return bytes
    }

    /// Lets a machine do all its work, with answers that say nothing.
    private static func exercise(_ machine: SyncMachine) {
        var machine = machine
        let duties: [Duty] = [
            .publish, .pollAll, .replenish(limit: 2), .condemn(limit: 2), .collect(limit: 2),
            .finishPurges(limit: 2), .pairTwins(limit: 2), .snapshot, .compact, .publish,
            .removeAbandoned([BlobName(device: CloudID(1, 1), id: CloudID(2, 2))]), .publish,
        ]
        var inputs = [SyncInput.start] + duties.map { .perform($0) }
        inputs.reverse()
        for number in 0..<60 {
            guard let input = inputs.popLast() else { return }
            let environment = SyncEnvironment(now: 0, fresh: CloudID(9, UInt64(number * 9)))
            for case .request(let number, let request) in machine.step(input, environment) {
                switch request {
                case .put, .delete: inputs.append(.answer(request: number, .done))
                case .listLogs, .listLog, .listSnapshots:
                    inputs.append(.answer(request: number, .listed([])))
                default: inputs.append(.answer(request: number, .failed))
                }
            }
        }
    }
}
