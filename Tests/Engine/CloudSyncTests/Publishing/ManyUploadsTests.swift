import CloudSync
import TestSupport
import Testing

@testable import CloudSimulation

/// Steps that continue the search of earlier ones, with the same result.
///
/// With a search of everything in each step, the large numbers would take minutes.
@Suite(.timeLimit(.minutes(2))) struct ManyUploadsTests {
    private static let count = 20_000

    private static func content(_ number: Int) -> ContentID {
        ContentID(CloudID(1, UInt64(number)), CloudID(2, UInt64(number)))
    }

    /// The creations of photos with one file each.
    private static func creations(_ contents: [ContentID]) -> [CloudOperation] {
        contents.map { content in
            let asset = CloudID(60, content.first.low)
            let resource = CloudResource(id: asset, content: content)
            return .create(asset, Creation(kind: .asset, originals: [resource]))
        }
    }

    private static func publishAll(
        _ computer: inout TestComputer,
        _ store: inout SimulatedStore
    ) throws {
        for _ in 0..<count where !computer.machine.backlog.isEmpty {
            try computer.perform(.publish, &store)
        }
        #expect(computer.machine.backlog.isEmpty)
    }

    // MARK: - Many files

    @Test func aChangeWithManyFilesIsPublished() throws {
        var store = SimulatedStore()
        var computer = TestComputer(1, isCreator: true)
        computer.machine.uploadsAtOnce = 4
        try computer.publish(&store)
        let contents = (0..<Self.count).map(Self.content)
        computer.step(.commit(Self.creations(contents), adding: contents))
        try Self.publishAll(&computer, &store)
        #expect(store.blobs.count == Self.count)
        let repeated = store.blobs.filter { $0.value.count != 1 }
        #expect(repeated.isEmpty)
        let state = computer.machine.state
        let areStored = contents.allSatisfy { state.usableBlob(of: $0) != nil }
        #expect(areStored)
    }

    @Test func manyFilesAreUploadedLater() throws {
        var store = SimulatedStore()
        var computer = TestComputer(1, isCreator: true)
        computer.machine.uploadsAtOnce = 4
        let contents = (0..<Self.count).map(Self.content)
        // The files arrive after the change was published without them.
        computer.step(.commit(Self.creations(contents), adding: []))
        try Self.publishAll(&computer, &store)
        computer.step(.export([], adding: contents))
        var before = -1
        while computer.machine.unexported.count > before {
            before = computer.machine.unexported.count
            try computer.perform(.replenish(limit: 4), &store)
        }
        var stored: [ContentID] = []
        for transaction in computer.machine.unexported {
            for case .stored(let content, _, _) in transaction.operations {
                stored.append(content)
            }
        }
        #expect(stored == contents)
        try Self.publishAll(&computer, &store)
        let state = computer.machine.state
        let areStored = contents.allSatisfy { state.usableBlob(of: $0) != nil }
        #expect(areStored)
    }

    // MARK: - Equal steps

    /// A change of a computer and its store.
    private enum Action {
        case importPhoto([ContentID])
        case step(SyncInput)
        case answer(Int)

        func perform(_ computer: inout TestComputer, _ store: inout SimulatedStore) throws {
            switch self {
            case .importPhoto(let contents): computer.importPhotos([contents])
            case .step(let input): computer.step(input)
            case .answer(let index): try computer.answer(index, &store)
            }
        }
    }

    private static func action(
        of computer: TestComputer,
        using generator: inout some RandomNumberGenerator
    ) -> Action {
        let kind = Int.random(in: 0..<40, using: &generator)
        if kind < 20, let index = computer.requests.indices.randomElement(using: &generator) {
            return .answer(index)
        }
        let contents = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            content(Int.random(in: 0..<24, using: &generator))
        }
        switch kind {
        case 20...22: return .importPhoto(contents)
        case 23...27: return .step(.perform(.publish))
        case 28...32:
            let limit = Int.random(in: 0..<5, using: &generator)
            return .step(.perform(.replenish(limit: limit)))
        case 33: return .step(.export([], adding: contents))
        case 34: return .step(.absent(contents))
        case 35: return .step(.perform(.pollAll))
        case 36, 37: return .step(.perform(.evict(contents)))
        case 38:
            let blobs = contents.compactMap { computer.machine.state.usableBlob(of: $0) }
            return .step(.commit(blobs.map { .condemn($0) }, adding: []))
        case 39 where Int.random(in: 0..<4, using: &generator) == 0: return .step(.start)
        default: return .step(.perform(.download(contents[0])))
        }
    }

    /// A machine that is read from a checkpoint has no findings.
    @Test func findingsChangeNoStep() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<6 {
            var store = SimulatedStore()
            var computer = TestComputer(1, isCreator: true)
            computer.machine.uploadsAtOnce = Int.random(in: 1...4, using: &generator)
            try computer.publish(&store)
            try computer.perform(.pollAll, &store)
            for step in 0..<200 {
                if step % 25 == 0 {
                    let contents = (0..<24).map(Self.content)
                    let chosen = contents.filter { _ in Bool.random(using: &generator) }
                    computer.broken = Set(chosen.prefix(3))
                    computer.lost = Set(chosen.suffix(3))
                }
                let action = Self.action(of: computer, using: &generator)
                var (other, otherStore) = (computer, store)
                other.machine = try SyncMachine(
                    decoding: computer.machine.encoded,
                    hashing: SimulatedHashing()
                )
                try action.perform(&computer, &store)
                try action.perform(&other, &otherStore)
                let isEqual =
                    computer.machine.encoded == other.machine.encoded
                    && computer.requests.map(\.number) == other.requests.map(\.number)
                try #require(isEqual, "\(seed.description), step \(step), \(action)")
            }
            #expect(!store.blobs.isEmpty, seed.comment)
        }
    }

    /// The same with several computers, faults and all duties.
    @Test func findingsChangeNoStepOfASimulation() throws {
        let seed = TestSeed()
        for number in 0..<4 {
            let run = seed.value &+ UInt64(number)
            var failure: String?
            _ = ObservedRun.run(
                seed: run,
                actions: 60,
                uploadsAtOnce: number % 2 == 0 ? 4 : 1,
                contents: 12,
                variesLimits: true
            ) { step in
                guard failure == nil else { return }
                do {
                    var machine = try SyncMachine(
                        decoding: step.before.encoded,
                        hashing: SimulatedHashing()
                    )
                    let outputs = machine.step(step.input, step.environment)
                    guard outputs.map(\.bytes) == step.outputs.map(\.bytes),
                        machine.encoded == step.after.encoded
                    else {
                        failure = "\(step.input) of computer \(step.computer) differs"
                        return
                    }
                } catch {
                    failure = "\(error)"
                }
            }
            #expect(failure == nil, "schedule \(run), \(seed.description)")
        }
    }
}
