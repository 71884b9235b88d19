import CloudKeys
import CloudSync
import SamplePhotos

/// A state machine with its keys, which reads and writes encrypted objects in a dictionary.
struct SealedHost {
    var machine: SyncMachine
    let device: TestDevice
    var keyring: EpochKeyring
    var members: MemberDirectory
    private(set) var alarms: [SyncAlarm] = []
    private(set) var refusals: [CloudKeyError.Code] = []
    private var generator: SeededGenerator
    private var now: UInt64 = 1_000

    init(_ device: TestDevice, in world: CloudWorld, isCreator: Bool) {
        self.device = device
        keyring = world.keyring
        members = world.members
        generator = SeededGenerator(seed: device.id.low)
        machine = SyncMachine(
            device: device.id,
            name: device.certificate.name,
            isCreator: isCreator,
            hashing: SegmentSealer(keyring: world.keyring, keys: device.keys)
        )
    }

    private var sealer: SegmentSealer { SegmentSealer(keyring: keyring, keys: device.keys) }

    /// Uses the epoch that the merged state names; false if its key is not known.
    mutating func followEpoch() -> Bool {
        guard keyring.follow(machine.state.epoch) else { return false }
        machine.hashing = sealer
        return true
    }

    /// Publishes and reads until nothing is left to do.
    mutating func sync(_ store: inout [String: [UInt8]]) throws {
        for duty in [Duty.publish, .pollAll, .publish, .publish, .publish] {
            try perform(.perform(duty), &store)
        }
    }

    /// Performs a step and all that follows from it.
    mutating func perform(_ input: SyncInput, _ store: inout [String: [UInt8]]) throws {
        var inputs = [input]
        while !inputs.isEmpty {
            now += 1
            let environment = SyncEnvironment(now: now, fresh: CloudID(using: &generator))
            for output in machine.step(inputs.removeFirst(), environment) {
                switch output {
                case .request(let number, let request):
                    let result = try answer(request, &store)
                    inputs.append(.answer(request: number, result))
                case .alarm(let alarm): alarms.append(alarm)
                case .apply, .removeFile: break
                }
            }
        }
    }

    private mutating func answer(
        _ request: StoreRequest,
        _ store: inout [String: [UInt8]]
    ) throws -> StoreResult {
        switch request {
        case .put(let name, .segment(let sealed)):
            store[name.description] = try sealer.seal(sealed)
            return .done
        case .put: return .done
        case .get(let name):
            guard let bytes = store[name.description] else { return .missing }
            let opener = SegmentOpener(keyring: keyring, members: members)
            do throws(CloudKeyError) {
                return .found(.segment(try opener.open(bytes, as: name)))
            } catch {
                refusals.append(error.code)
                return .damaged
            }
        case .listLogs: return .listed(names(in: store) { _, _ in true })
        case .listLog(let device, let after):
            return .listed(names(in: store) { $0 == device && $1 > after })
        case .listHeads: return .heads([:])
        case .listSnapshots: return .listed([])
        case .check, .delete: return .failed
        }
    }

    private func names(
        in store: [String: [UInt8]],
        where isIncluded: (CloudID, UInt64) -> Bool
    ) -> [ObjectName] {
        store.keys.sorted().compactMap { text in
            guard let name = ObjectName(text), case .segment(let device, let position) = name,
                isIncluded(device, position.sequence)
            else { return nil }
            return name
        }
    }
}
