import CloudSync

@testable import CloudSimulation

/// A run of the simulation whose steps a test receives.
enum ObservedRun {
    /// Runs the schedule of a seed, at least its beginning, and returns the first violation.
    static func run(
        seed: UInt64,
        actions: Int = .max,
        uploadsAtOnce: Int = 1,
        contents: Int? = nil,
        variesLimits: Bool = false,
        _ onStep: @escaping (SimulatedWorld.Step) -> Void
    ) -> String? {
        var profile = Simulation.profile(of: seed)
        profile.uploadsAtOnce = uploadsAtOnce
        profile.contents = contents ?? profile.contents
        profile.variesLimits = variesLimits
        let world = SimulatedWorld(profile: profile, weakness: nil)
        world.onStep = onStep
        for action in profile.schedule(seed: seed).prefix(actions) { world.perform(action) }
        world.onStep = nil
        return world.violation
    }

    /// A digest of all machines and outputs of a run with many contents.
    static func digest(seed: UInt64, actions: Int) -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        _ = run(seed: seed, actions: actions, contents: 12, variesLimits: true) { step in
            for byte in step.after.encoded + step.outputs.flatMap(\.bytes) { digest.add(byte) }
        }
        return digest
    }

    /// A digest of a machine that can choose among many contents and blobs at each duty.
    static func digestOfChoices() throws -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var store = SimulatedStore()
        var computer = TestComputer(1, isCreator: true)
        computer.machine.uploadsAtOnce = 4
        let contents = (0..<24).map { ContentID(CloudID(1, $0), CloudID(2, $0)) }
        computer.importPhotos(contents.map { [$0] })
        try computer.publish(&store)
        try computer.perform(.pollAll, &store)
        let blobs = computer.machine.state.blobs.keys.sorted()
        computer.step(.commit(blobs.prefix(12).map { .condemn($0) }, adding: []))
        let duties: [Duty] = [
            .replenish(limit: 3), .publish, .condemn(limit: 2), .collect(limit: 2),
            .pairTwins(limit: 2), .snapshot,
        ]
        for _ in 0..<6 {
            for duty in duties {
                try computer.perform(duty, &store)
                for byte in computer.machine.encoded { digest.add(byte) }
            }
        }
        return digest
    }
}

extension UInt64 {
    fileprivate mutating func add(_ byte: UInt8) {
        self = (self ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}

extension SyncOutput {
    /// The output in bytes, by which tests compare outputs.
    var bytes: [UInt8] {
        var writer = SegmentWriter()
        switch self {
        case .request(let number, let request):
            writer.append("request \(number) \(request.text)")
            writer.append(counted: request.body)
        case .apply(let transactions):
            for transaction in transactions { writer.append(counted: transaction.encoded) }
        case .removeFile(let content): writer.append(content)
        case .alarm(let alarm): writer.append("\(alarm)")
        }
        return writer.bytes
    }
}

extension StoreRequest {
    fileprivate var text: String {
        switch self {
        case .put(let name, _): "put \(name)"
        case .get(let name): "get \(name)"
        case .check(let blob): "check \(ObjectName.blob(blob))"
        case .delete(let name): "delete \(name)"
        case .listLog(let device, let after): "list \(device.hexadecimal) after \(after)"
        case .listLogs: "list logs"
        case .listHeads: "list heads"
        case .listSnapshots: "list snapshots"
        }
    }

    fileprivate var body: [UInt8] {
        guard case .put(_, let body) = self else { return [] }
        var writer = SegmentWriter()
        switch body {
        case .segment(let sealed):
            writer.append(sealed.hash)
            writer.append(counted: sealed.segment.encoded())
        case .head(let sequence): writer.append(sequence)
        case .blob(let content): writer.append(content)
        case .snapshot(let snapshot): writer.append(counted: snapshot.encoded)
        }
        return writer.bytes
    }
}
