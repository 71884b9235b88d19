package import CloudSync
import PhotoModel

/// Several computers with one library and one store, and everything that can go wrong between them.
package final class SimulatedWorld {
    struct Answer {
        var request: Int
        var result: StoreResult
        /// Whether it arrives only when the schedule delivers it.
        var isSlow: Bool
    }

    struct Computer {
        var machine: SyncMachine
        var answers: [Answer] = []
        var isOffline = false
        var isStoreAbsent = false
        /// The error of the wall clock in milliseconds.
        var clockError: Int64 = 0
        var backup: SyncMachine?
        /// The number of outputs after which the process crashes.
        var crashesAfter: Int?
        /// Whether it listed all logs after the store was rolled back.
        var hasSeenRollback = false
    }

    struct Effect {
        var request: StoreRequest
        var computer: Int
    }

    /// A change that a person made.
    struct Intent: Hashable {
        var author: CloudID
        var time: HybridTime
        var operation: CloudOperation

        /// The register that the change sets; nil for another change.
        var register: Register? {
            guard case .set(_, _, let rank, let value) = operation else { return nil }
            let stamp = ChangeStamp(time: time, device: author)
            return Register(rank: rank, stamp: stamp, value: value)
        }
    }

    struct KnownAsset {
        var id: CloudID
        var contents: [ContentID]
        var isImported: Bool
    }

    let profile: SimulationProfile
    let weakness: Weakness?
    var computers: [Computer] = []
    var store = SimulatedStore()
    /// An older copy of the store, for a rollback.
    var image: SimulatedStore?
    var late: [Effect] = []
    var now: UInt64 = 1_700_000_000_000
    var names: UInt64 = 1000
    var faultRate: Int
    var random = SimulationRandom(seed: 0)
    var assets: [KnownAsset] = []
    var albums: [CloudID] = []
    /// Whether the store was rolled back for good, after which only eviction is judged.
    var isRolledBack = false

    // MARK: What the oracles remember

    var segments: [CloudID: SealedSegment] = [:]
    var published: Set<Intent> = []
    var intents: [Intent] = []
    var excused: Set<Intent> = []
    var unprotectedIntents: Set<Intent> = []
    var retired: Set<CloudID> = []
    var forkRisks: Set<CloudID> = []
    /// The late segments with references to each content, until somebody who read them stores it.
    var unprotected: [ContentID: [LogPlace]] = [:]
    /// The contents whose only copy was on a disk that an older image replaced, while only late
    /// segments referred to them.
    var lostWithDisk: Set<ContentID> = []
    var finals: Set<CloudID> = []

    /// Receives each step.
    package var onStep: ((Step) -> Void)?

    /// The number of faults that happened.
    package internal(set) var faults = 0
    /// The first violation of an oracle.
    package internal(set) var violation: String?
    /// A digest of everything that happened, for checks that a seed repeats its run.
    package internal(set) var trace: UInt64 = 0

    package init(profile: SimulationProfile, weakness: Weakness?) {
        self.profile = profile
        self.weakness = weakness
        faultRate = profile.faultRate
        addComputer()
        // The creator's first segment precedes all joins.
        let rate = faultRate
        faultRate = 0
        session(0, duties: [])
        for _ in 1..<profile.computers {
            addComputer()
        }
        for _ in 0..<3 {
            for index in computers.indices { session(index, duties: []) }
        }
        faultRate = rate
    }

    func fail(_ text: @autoclosure () -> String) {
        if violation == nil { violation = text() }
    }

    func fresh() -> CloudID {
        names += 1
        return CloudID(names, names &* 0x9E37_79B9_7F4A_7C15)
    }

    func content(_ index: Int) -> ContentID {
        ContentID(CloudID(7, UInt64(index + 1)), CloudID(0, UInt64(index + 1)))
    }

    @discardableResult func addComputer() -> Int {
        var machine = SyncMachine(
            device: fresh(),
            name: "computer \(computers.count)",
            isCreator: computers.isEmpty,
            hashing: SimulatedHashing(),
            weakness: weakness
        )
        machine.segmentLimit = profile.segmentLimit
        machine.uploadsAtOnce = profile.uploadsAtOnce
        computers.append(Computer(machine: machine))
        step(computers.count - 1, .start)
        return computers.count - 1
    }

    // MARK: - Steps

    func environment(_ index: Int) -> SyncEnvironment {
        let wall = Int64(clamping: now) &+ computers[index].clockError
        return SyncEnvironment(now: UInt64(max(0, wall)), fresh: fresh())
    }

    func step(_ index: Int, _ input: SyncInput) {
        guard violation == nil else { return }
        now += 1
        let environment = environment(index)
        let count = computers[index].machine.unexported.count
        let before = onStep == nil ? nil : computers[index].machine
        let outputs = computers[index].machine.step(input, environment)
        if let onStep, let before {
            let after = computers[index].machine
            onStep(
                Step(
                    computer: index,
                    before: before,
                    input: input,
                    environment: environment,
                    outputs: outputs,
                    after: after
                )
            )
        }
        if case .perform(.condemn) = input, computers[index].machine.unexported.count > count,
            let last = computers[index].machine.unexported.last
        {
            for case .condemn(let blob) in last.operations { judgeCondemnation(blob, by: index) }
        }
        trace = (trace ^ UInt64(outputs.count)) &* 0x0000_0100_0000_01B3 &+ names
        for output in outputs {
            if let left = computers[index].crashesAfter {
                if left == 0 {
                    crash(index)
                    return
                }
                computers[index].crashesAfter = left - 1
            }
            switch output {
            case .request(let number, let request): send(index, number, request)
            case .removeFile(let content): judgeRemoval(of: content, by: index)
            case .apply, .alarm: break
            }
        }
    }

    func crash(_ index: Int) {
        faults += 1
        computers[index].crashesAfter = nil
        computers[index].answers = []
        step(index, .start)
    }

    // MARK: - Requests

    private func send(_ index: Int, _ number: Int, _ request: StoreRequest) {
        if computers[index].isOffline || computers[index].isStoreAbsent {
            computers[index].answers.append(Answer(request: number, result: .failed, isSlow: false))
            return
        }
        judgeRequest(request, by: index)
        let isFaulty = random.chance(faultRate)
        if isFaulty { faults += 1 }
        switch request {
        case .put, .delete:
            let success = Self.success(of: request)
            guard isFaulty else {
                perform(request, by: index)
                answer(index, number, success)
                return
            }
            switch random.below(6) {
            case 0: answer(index, number, .failed)
            case 1:
                perform(request, by: index)
                answer(index, number, .failed)
            case 2, 3:
                // P3: without an answer it may take effect at any later time.
                noteDeletion(request)
                late.append(Effect(request: request, computer: index))
                judgeDeletion(request)
                answer(index, number, .failed)
            case 4:
                perform(request, by: index)
                answer(index, number, success)
                answer(index, number, success)
            default:
                perform(request, by: index)
                answer(index, number, success, isSlow: true)
            }
        case .get, .check, .listLog, .listLogs, .listHeads, .listSnapshots:
            let result = store.answer(request)
            guard isFaulty else {
                answer(index, number, result)
                return
            }
            switch random.below(4) {
            case 0: answer(index, number, .failed)
            case 1:
                if case .found = result {
                    answer(index, number, .damaged)
                } else {
                    answer(index, number, .failed)
                }
            case 2:
                answer(index, number, result)
                answer(index, number, result)
            default: answer(index, number, result, isSlow: true)
            }
        }
    }

    private func answer(
        _ index: Int,
        _ request: Int,
        _ result: StoreResult,
        isSlow: Bool = false
    ) {
        computers[index].answers.append(Answer(request: request, result: result, isSlow: isSlow))
    }

    /// The answer to a write, which for a blob is the record of its key.
    private static func success(of request: StoreRequest) -> StoreResult {
        guard case .put(.blob(let blob), _) = request else { return .done }
        return .stored(key: key(of: blob))
    }

    static func key(of blob: BlobName) -> [UInt8] {
        Array(blob.id.hexadecimal.utf8.suffix(8))
    }

    /// Lets a write take effect.
    func perform(_ request: StoreRequest, by index: Int) {
        switch request {
        case .put(let name, let body):
            store.put(name, body)
            if case .segment(let sealed) = body { observe(sealed) }
        case .delete(let name):
            noteDeletion(request)
            store.delete(name)
            judgeDeletion(request)
        default: break
        }
    }

    /// Delivers answers until none is left that arrives by itself.
    func deliver(_ index: Int, limit: Int = 300, slow: Bool = false) {
        for _ in 0..<limit where violation == nil {
            guard let next = computers[index].answers.firstIndex(where: { slow || !$0.isSlow })
            else { return }
            let answer = computers[index].answers.remove(at: next)
            noteListing(answer, by: index)
            step(index, .answer(request: answer.request, answer.result))
        }
    }

    /// Works through duties as the sync host does, with all answers.
    func session(_ index: Int, duties: [Duty], publishes: Bool = true) {
        guard !computers[index].isOffline else { return }
        if publishes { flush(index) }
        perform(index, .pollAll)
        for duty in duties { perform(index, duty) }
        if publishes { flush(index) }
    }

    func perform(_ index: Int, _ duty: Duty) {
        step(index, .perform(duty))
        deliver(index)
    }

    /// Publishes everything, unless the store prevents it.
    func flush(_ index: Int) {
        for _ in 0..<12 where violation == nil {
            let machine = computers[index].machine
            let before = (machine.unexported.count, machine.pending == nil)
            perform(index, .publish)
            let after = computers[index].machine
            if after.unexported.isEmpty, after.pending == nil, before.0 == 0 { return }
        }
    }
}
