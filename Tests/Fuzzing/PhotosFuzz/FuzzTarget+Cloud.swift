import CloudKeys
import CloudSync
import Foundation
import Media
import PhotoModel
import SamplePhotos

/// The objects of a cloud library: whoever can write to the store chooses their bytes.
extension FuzzTarget {
    static let cloud = FuzzTarget(
        "cloud",
        "segments, snapshots, keys, certificates and checkpoints of cloud libraries",
        seeds: cloudSeeds
    ) { bytes in
        let content = Array(bytes.bytes.dropFirst())
        switch bytes.bytes.first ?? 0 {
        case 0:
            guard let segment = try? Segment(decoding: content) else { return }
            let again = try? Segment(decoding: segment.encoded())
            precondition(again == segment, "a segment changes when it is encoded")
        case 1:
            guard let object = try? KeyObject(decoding: content, named: name) else { return }
            precondition(object.encoded == content, "a key object changes when it is encoded")
            precondition((try? object.open(with: code)) == nil, "a foreign key opens")
        case 2: _ = try? DeviceCertificate(decoding: content, of: name)
        case 3: _ = try? LibraryConfiguration(decoding: content, named: name)
        case 4:
            guard let seen = try? SeenState(decoding: content) else { return }
            let again = try? SeenState(decoding: seen.encoded)
            precondition(again == seen, "a state changes when it is encoded")
        case 5: _ = try? DeviceSecrets(decoding: content)
        case 6: _ = try? BlobRecord(decoding: content, of: BlobName(device: name, id: name))
        case 7: _ = try? RecoveryCode(reading: String(decoding: content, as: UTF8.self))
        case 9:
            guard let machine = try? SyncMachine(decoding: content, hashing: Hashing()) else {
                return
            }
            precondition(machine.encoded == content, "a machine changes when it is encoded")
        case 10:
            guard let input = try? JournaledInput(decoding: content) else { return }
            precondition(input.encoded == content, "an input changes when it is encoded")
        case 11:
            guard let snapshot = try? CloudSnapshot(decoding: content) else { return }
            precondition(snapshot.encoded == content, "a snapshot changes when it is encoded")
        default:
            let opened = try? SealedObject.open(
                content,
                named: "snap/1/2",
                purpose: .snapshot,
                keys: keyring
            )
            guard let opened else { return }
            precondition(opened.content == plain, "a forged object opens")
        }
    }

    private struct Hashing: SegmentHashing {
        func hash(of segment: Segment) -> CloudID { CloudID(segment.device.low, segment.sequence) }
    }

    /// A machine that has published a photo, one of its inputs, and its snapshot.
    private static func checkpoints() -> [[UInt8]] {
        var machine = SyncMachine(device: name, name: "Laptop", isCreator: true, hashing: Hashing())
        let content = ContentID(name, name)
        let photo = CloudResource(id: name, content: content)
        let operations: [CloudOperation] = [
            .create(name, Creation(kind: .asset, originals: [photo])),
            .set(name, RegisterKey(.keyword, .word("Sea")), rank: 0, .flag(true)),
        ]
        let environment = SyncEnvironment(now: 1, fresh: CloudID(3, 4))
        var names: [ObjectName] = []
        var bytes: [[UInt8]] = [[], [], []]
        let duties: [Duty] = [.publish, .publish, .publish, .publish, .pollAll, .snapshot]
        var inputs: [SyncInput] = [.start, .commit(operations, adding: [content])]
        inputs = duties.reversed().map { .perform($0) } + inputs.reversed()
        while let input = inputs.popLast() {
            for case .request(let number, let request) in machine.step(input, environment) {
                var result = StoreResult.done
                switch request {
                case .put(_, .snapshot(let snapshot)):
                    bytes[0] = machine.encoded
                    bytes[2] = snapshot.encoded
                case .put(let name, .segment(let sealed)):
                    names.append(name)
                    let found = SyncInput.answer(request: number, .found(.segment(sealed)))
                    bytes[1] = JournaledInput(found, environment).encoded
                case .put(.blob, _): result = .stored(key: [1, 2, 3])
                case .listLog, .listLogs: result = .listed(names)
                default: break
                }
                inputs.append(.answer(request: number, result))
            }
        }
        return bytes
    }

    private static let name = CloudID(1, 2)
    private static let plain = Array("a snapshot".utf8)

    private static let keyring: EpochKeyring = {
        var generator = SeededGenerator(seed: 1)
        return EpochKeyring(EpochKey(library: name, using: &generator))
    }()

    private static let code: RecoveryCode = {
        var generator = SeededGenerator(seed: 2)
        return RecoveryCode(using: &generator)
    }()

    @Sendable private static func cloudSeeds() throws -> [Data] {
        var generator = SeededGenerator(seed: 3)
        let keys = try DeviceKeys(using: &generator)
        let certificate = try DeviceCertificate(
            library: name,
            device: name,
            name: "Laptop",
            keys: keys,
            admission: .itself
        )
        let object = try KeyObject(
            of: keyring,
            root: certificate.fingerprint,
            for: KeyObject.Recipients(
                members: [certificate],
                passphrase: nil,
                recoveryCode: RecoveryCode(using: &generator)
            ),
            signer: KeyObject.Signer(device: name, keys: keys),
            using: &generator
        )
        let configuration = try LibraryConfiguration(
            name: name,
            library: name,
            time: HybridTime(rawValue: 1),
            probe: [1],
            signer: name,
            keys: keys
        )
        var seen = SeenState()
        let position = LogPosition(sequence: 1, hash: name)
        seen.advance(
            to: SeenState.Found(
                logs: [name: [position]],
                members: [name: certificate.fingerprint],
                epochs: [name]
            )
        )
        seen.remove([name])
        let segment = Segment(
            device: name,
            sequence: 1,
            previous: Segment.origin,
            vector: [:],
            transactions: [
                CloudTransaction(
                    time: HybridTime(rawValue: 1),
                    author: name,
                    operations: [
                        .create(name, Creation(kind: .asset)),
                        .set(name, RegisterKey(.title), rank: 0, .text("Sea")),
                        .join(name: "Laptop"),
                    ]
                )
            ]
        )
        let secrets = DeviceSecrets(
            device: name,
            keys: keys,
            keyring: keyring,
            root: certificate.fingerprint
        )
        let sealed = try SealedObject.seal(
            plain,
            named: "snap/1/2",
            purpose: .snapshot,
            epoch: keyring.current
        )
        let record = [1] + [UInt8](repeating: 0, count: 72)
        let all =
            [
                segment.encoded(), object.encoded, certificate.encoded, configuration.encoded,
                seen.encoded, secrets.encoded, record, Array(code.text.utf8), sealed,
            ] + checkpoints()
        return all.enumerated().map { Data([UInt8($0.offset)] + $0.element) }
    }
}
