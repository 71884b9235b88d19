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
        "segments, keys, certificates and configurations of cloud libraries",
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
        let all = [
            segment.encoded(), object.encoded, certificate.encoded, configuration.encoded,
            seen.encoded, secrets.encoded, record, Array(code.text.utf8), sealed,
        ]
        return all.enumerated().map { Data([UInt8($0.offset)] + $0.element) }
    }
}
