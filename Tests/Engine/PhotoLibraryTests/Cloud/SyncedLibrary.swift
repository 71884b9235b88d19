import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport

@testable import CloudSimulation
@testable import PhotoLibrary

/// A real library, its part of the cloud library, and a person who changes it at random.
final class SyncedLibrary {
    struct Fault: Error {}

    let world: LibraryWorld
    let store: LibraryStore
    let clock = TestClock()
    let number: Int
    private(set) var machine: SyncMachine
    private var answers: [(request: Int, result: StoreResult)] = []
    /// The received transactions since the last checkpoint of the machine, which a host that starts
    /// again applies once more.
    private var received: [CloudTransaction] = []
    /// The generator for the choice of replays.
    private var replays: SeededGenerator
    var generator: SeededGenerator
    /// The generator for changes of values that usually stay as they were at the creation.
    ///
    /// Its numbers are apart from the others, so that a seed makes the same other changes.
    var rareChanges: SeededGenerator
    private var observed: [AdvancePropertyTests.Held] = []
    private var names: UInt64 = 0
    /// Contents that other libraries import as well, and that this one has not imported yet.
    var shared = Set<UInt8>(0..<8)
    /// Indicates whether the process dies at random steps of an exchange.
    var dies = false
    /// The number of journal entries after which a part of an export ends.
    ///
    /// If set, the parts are published one by one.
    var entriesPerPage: Int?
    /// Indicates whether most changes put photos into the trash, restore or purge them.
    var isTidying = false
    /// The number of new assets from which on they are inserted together: one in every other
    /// library, which must agree with those that insert them one by one.
    var manyNewAssets: Int

    init(
        number: Int,
        generator: SeededGenerator,
        files: FileOperations = FileOperations()
    ) throws {
        self.number = number
        self.generator = generator
        manyNewAssets = number % 2 == 1 ? 1 : LibraryStore.manyNewAssets
        replays = SeededGenerator(seed: UInt64(number))
        var numbers = generator
        rareChanges = SeededGenerator(seed: numbers.next())
        world = try LibraryWorld()
        let clock = clock
        store = try LibraryStore.open(at: world.path, files: files, clock: { clock.now })
        machine = SyncMachine(
            device: CloudID(UInt64(number + 1), self.generator.next()),
            name: "device \(number)",
            isCreator: number == 0,
            hashing: SimulatedHashing()
        )
        // Clocks differ by up to a day.
        clock.advance(by: Double(pick(0..<86_400)))
    }

    func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    func join() throws {
        try store.joinCloud(library: "A", device: machine.device)
        _ = step(.start)
    }

    /// Begins with a new host that knows nothing, under a new name.
    func replaceMachine() {
        machine = SyncMachine(
            device: CloudID(UInt64(number + 1), generator.next()),
            name: "device \(number)",
            isCreator: false,
            hashing: SimulatedHashing()
        )
        (answers, received) = ([], [])
    }

    // MARK: - The exchange

    private func environment() -> SyncEnvironment {
        names += 1
        return SyncEnvironment(
            now: clock.now.millisecondsSince1970,
            fresh: CloudID(UInt64(number + 1) << 32 | names, generator.next())
        )
    }

    private func step(_ input: SyncInput) -> [SyncOutput] { machine.step(input, environment()) }

    private func mayDie() throws {
        if dies, pick(0..<12) == 0 { throw Fault() }
    }

    /// Exchanges changes; dies at some point if `dies`, and then starts again from what is durable.
    func synchronize(with cloud: inout SimulatedStore, _ duties: [Duty]) throws {
        do {
            while let export = try store.exportChanges(
                limit: pick(1..<9),
                entries: entriesPerPage ?? 20_000
            ) {
                try mayDie()
                _ = step(
                    .export(
                        export.transactions,
                        adding: export.contents,
                        isComplete: export.isComplete
                    )
                )
                let durable = machine
                do {
                    try mayDie()
                    try store.markExported(export)
                } catch is Fault {
                    // The machine's state is durable, and the mark is not.
                    machine = durable
                    throw Fault()
                }
                if entriesPerPage != nil, machine.isExporting {
                    try perform(pick(0..<4) == 0 ? .pollAll : .publish, &cloud)
                }
            }
            for duty in duties { try perform(duty, &cloud) }
        } catch is Fault {
            answers = []
            if Int.random(in: 0..<2, using: &replays) == 0 { try importChanges(received) }
            if Int.random(in: 0..<3, using: &replays) == 0 { received = [] }
            try start()
        }
        try checkObservers()
    }

    /// Exports one part of all objects or of the changes, without publishing it.
    ///
    /// - Returns: The part; nil if nothing is left.
    @discardableResult
    func exportPart(limit: Int) throws -> LibraryStore.CloudExport? {
        guard let export = try store.exportChanges(limit: limit) else { return nil }
        _ = step(
            .export(export.transactions, adding: export.contents, isComplete: export.isComplete)
        )
        try store.markExported(export)
        return export
    }

    /// Performs duties without exporting anything.
    func perform(_ duties: [Duty], with cloud: inout SimulatedStore) throws {
        for duty in duties { try perform(duty, &cloud) }
    }

    /// Starts the machine again; the library learns what the machine had recorded for it.
    func start() throws {
        for case .apply(let transactions) in step(.start) {
            try importChanges(transactions)
        }
    }

    private func importChanges(_ transactions: [CloudTransaction]) throws {
        let joined = machine.state.joined
        try store.importChanges(transactions, manyNewAssets: manyNewAssets) { joined[$0] }
    }

    private func perform(_ duty: Duty, _ cloud: inout SimulatedStore) throws {
        try handle(step(.perform(duty)), &cloud)
        while !answers.isEmpty {
            let answer = answers.removeFirst()
            let former = machine
            let outputs = step(.answer(request: answer.request, answer.result))
            do { try handle(outputs, &cloud) } catch is Fault {
                // The library may have the changes; the machine gets them again.
                machine = former
                throw Fault()
            }
        }
    }

    private func handle(_ outputs: [SyncOutput], _ cloud: inout SimulatedStore) throws {
        for case .apply(let transactions) in outputs {
            try mayDie()
            try importChanges(transactions)
            received += transactions
            try mayDie()
        }
        for case .request(let number, let request) in outputs {
            switch request {
            case .put(.blob, .blob(let content)) where try store.openContent(content) == nil:
                answers.append((number, .missing))
            case .put(let name, let body):
                cloud.put(name, body)
                answers.append((number, .done))
            case .delete(let name):
                cloud.delete(name)
                answers.append((number, .done))
            default: answers.append((number, cloud.answer(request)))
            }
        }
    }

    // MARK: - Observers

    private static let queries: [AdvanceRequest.Query] = [
        .assets(AssetFetchRequest(scope: .library)),
        .assets(AssetFetchRequest(scope: .recentlyDeleted)),
    ]

    private func fetch(_ query: AdvanceRequest.Query) throws -> (RowIDBuffer, LibrarySnapshot) {
        let view = LibraryView(store: store)
        switch query {
        case .assets(let request):
            let reply = try AssetFetcher(view).fetch(request)
            return (reply.ids, reply.snapshot)
        case .collections(let request):
            let reply = try CollectionFetcher(view).fetch(request)
            return (reply.ids, reply.snapshot)
        }
    }

    /// Advances the results that an observer holds, and compares them with new fetches.
    func checkObservers() throws {
        let albums = try store.read {
            try String.fetchAll($0, sql: "SELECT uuid FROM collection WHERE kind = 2 ORDER BY id")
        }
        var queries = Self.queries
        queries += albums.prefix(3).map { .assets(AssetFetchRequest(scope: .album($0))) }
        let advancer = ResultAdvancer(LibraryView(store: store), manyMatches: 1)
        for index in observed.indices {
            let held = observed[index]
            let reply = try advancer.advance(
                AdvanceRequest(
                    query: held.query,
                    ids: held.ids,
                    snapshot: held.snapshot,
                    pin: nil,
                    wantsSteps: true
                )
            )
            let ids: RowIDBuffer =
                switch reply.outcome {
                case .unchanged: held.ids
                case .reload(let ids), .steps(let ids, _): ids
                }
            let (expected, _) = try fetch(held.query)
            guard ids == expected else {
                throw Difference(
                    "An observer of \(held.query) sees \(Array(ids)), not \(Array(expected))."
                )
            }
            observed[index].ids = ids
            observed[index].snapshot = reply.snapshot
        }
        for query in queries where !observed.contains(where: { $0.query == query }) {
            let (ids, snapshot) = try fetch(query)
            observed.append(.init(query: query, ids: ids, snapshot: snapshot))
        }
    }

    /// Returns the findings of a full check.
    func findings() throws -> [String] {
        let verifier = Verifier(store: store)
        var findings: [String] = []
        var cursor: VerifyCursor?
        repeat {
            let reply = try verifier.verify(
                VerifyRequest(isFull: true, repairs: false, cursor: cursor)
            )
            findings += reply.findings.map { "\($0.kind): \($0.message)" }
            cursor = reply.next
        } while cursor != nil
        return findings
    }
}

/// A difference between two things that must be equal.
struct Difference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
