import CloudSync

@testable import CloudSimulation

/// A machine and a store without faults, which keeps snapshots in bytes and gives blobs keys.
struct TestComputer {
    var machine: SyncMachine
    /// The contents whose upload fails.
    var broken: Set<ContentID> = []
    /// The contents whose files left the library.
    var lost: Set<ContentID> = []
    private(set) var requests: [(number: Int, request: StoreRequest)] = []
    private(set) var alarms: [SyncAlarm] = []
    private var steps: UInt64 = 0

    init(_ number: UInt64, isCreator: Bool, weakness: Weakness? = nil) {
        machine = SyncMachine(
            device: CloudID(number, 1),
            name: "computer \(number)",
            isCreator: isCreator,
            hashing: SimulatedHashing(),
            weakness: weakness
        )
        step(.start)
    }

    /// The record of a blob's key.
    static func key(of blob: BlobName) -> [UInt8] { Array("key of \(blob.id.low)".utf8) }

    /// Performs a step and keeps its requests.
    mutating func step(_ input: SyncInput) {
        steps += 1
        let fresh = CloudID(machine.device.high << 32 | steps, 7)
        let outputs = machine.step(input, SyncEnvironment(now: steps, fresh: fresh))
        for case .request(let number, let request) in outputs {
            requests.append((number, request))
        }
        for case .alarm(let alarm) in outputs { alarms.append(alarm) }
    }

    /// Answers one of the requests.
    mutating func answer(_ index: Int, _ store: inout SimulatedStore) throws {
        let (number, request) = requests.remove(at: index)
        step(.answer(request: number, try result(of: request, &store)))
    }

    /// Answers one of the requests with a result that is not that of the store.
    mutating func answer(_ index: Int, with result: StoreResult) {
        let (number, _) = requests.remove(at: index)
        step(.answer(request: number, result))
    }

    /// Performs a duty, and answers all requests that follow from it.
    mutating func perform(_ duty: Duty, _ store: inout SimulatedStore) throws {
        step(.perform(duty))
        while !requests.isEmpty { try answer(0, &store) }
    }

    /// Publishes everything.
    mutating func publish(_ store: inout SimulatedStore) throws {
        for _ in 0..<40 where !machine.backlog.isEmpty { try perform(.publish, &store) }
    }

    private func result(
        of request: StoreRequest,
        _ store: inout SimulatedStore
    ) throws -> StoreResult {
        switch request {
        case .put(.blob, .blob(let content)) where broken.contains(content): return .failed
        case .put(.blob, .blob(let content)) where lost.contains(content): return .missing
        case .put(let name, .snapshot(let snapshot)):
            store.put(name, .snapshot(try CloudSnapshot(decoding: snapshot.encoded)))
            return .done
        case .put(let name, let body):
            store.put(name, body)
            guard case .blob(let blob) = name else { return .done }
            return .stored(key: Self.key(of: blob))
        case .delete(let name):
            store.delete(name)
            return .done
        default: return store.answer(request)
        }
    }

    /// Imports photos, each in a transaction of its own.
    mutating func importPhotos(_ photos: [[ContentID]]) {
        for contents in photos {
            steps += 1
            let asset = CloudID(50 + machine.device.high, steps)
            let resources = contents.map { CloudResource(id: asset, content: $0) }
            let creation = Creation(kind: .asset, originals: resources)
            step(.commit([.create(asset, creation)], adding: contents))
        }
    }

    /// The contents of the uploads that were requested and not answered.
    var uploads: [ContentID] {
        requests.compactMap {
            if case .put(.blob, .blob(let content)) = $0.request { content } else { nil }
        }
    }
}
