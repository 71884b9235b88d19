import CloudSimulation
import CloudSync

/// A run of the simulation whose steps a test receives.
enum ObservedRun {
    /// Runs the schedule of a seed, at least its beginning, and returns the first violation.
    static func run(
        seed: UInt64,
        actions: Int = .max,
        uploadsAtOnce: Int = 1,
        _ onStep: @escaping (SimulatedWorld.Step) -> Void
    ) -> String? {
        var profile = Simulation.profile(of: seed)
        profile.uploadsAtOnce = uploadsAtOnce
        let world = SimulatedWorld(profile: profile, weakness: nil)
        world.onStep = onStep
        for action in profile.schedule(seed: seed).prefix(actions) { world.perform(action) }
        world.onStep = nil
        return world.violation
    }

    /// A digest of all machines and outputs of a run.
    static func digest(seed: UInt64, actions: Int) -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        let violation = run(seed: seed, actions: actions) { step in
            for byte in step.after.encoded + step.outputs.flatMap(\.bytes) {
                digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
        }
        return violation == nil ? digest : 0
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
