import CloudKeys
import CloudSync
import PhotoModel
import SamplePhotos
import Testing

/// A device of a cloud library with its keys.
struct TestDevice {
    let id: CloudID
    let keys: DeviceKeys
    let certificate: DeviceCertificate

    var signer: KeyObject.Signer { KeyObject.Signer(device: id, keys: keys) }
}

/// A cloud library with its first device, made from a seed.
struct CloudWorld {
    var generator: SeededGenerator
    let library: CloudID
    let first: TestDevice
    var keyring: EpochKeyring
    var members: MemberDirectory

    /// As cheap as a cost may be.
    static let cheap = ScryptCost(exponent: 10, blockSize: 1, parallelism: 1) ?? .standard

    init(seed: UInt64 = 1) throws {
        generator = SeededGenerator(seed: seed)
        library = CloudID(using: &generator)
        keyring = EpochKeyring(EpochKey(library: library, using: &generator))
        let keys = try DeviceKeys(using: &generator)
        let id = CloudID(using: &generator)
        let certificate = try DeviceCertificate(
            library: library,
            device: id,
            name: "Ännis Laptop",
            keys: keys,
            admission: .itself
        )
        first = TestDevice(id: id, keys: keys, certificate: certificate)
        members = MemberDirectory(library: library, root: certificate.fingerprint)
        try members.admit(certificate, keys: keyring)
    }

    /// Makes the certificate of another device, and admits it.
    mutating func join(
        _ name: String = "Desktop",
        admission: DeviceCertificate.Admission? = nil
    ) throws -> TestDevice {
        let device = try make(name, admission: admission)
        try members.admit(device.certificate, keys: keyring)
        return device
    }

    /// Makes the certificate of another device.
    mutating func make(
        _ name: String = "Desktop",
        admission: DeviceCertificate.Admission? = nil
    ) throws -> TestDevice {
        let keys = try DeviceKeys(using: &generator)
        let id = CloudID(using: &generator)
        let certificate = try DeviceCertificate(
            library: library,
            device: id,
            name: name,
            keys: keys,
            admission: admission ?? .epoch(keyring.current)
        )
        return TestDevice(id: id, keys: keys, certificate: certificate)
    }

    /// Makes a key object for all members.
    mutating func keyObject(
        passphrase: String? = "correct horse battery",
        cost: ScryptCost = cheap
    ) throws -> (object: KeyObject, code: RecoveryCode) {
        let code = RecoveryCode(using: &generator)
        let object = try KeyObject(
            of: keyring,
            root: members.root,
            for: KeyObject.Recipients(
                members: members.members,
                passphrase: try passphrase.map { text in try Passphrase(text) },
                recoveryCode: code,
                cost: cost
            ),
            signer: first.signer,
            using: &generator
        )
        return (object, code)
    }

    /// Begins an epoch without removing a device.
    mutating func beginEpoch(
        passphrase: String? = nil,
        code: RecoveryCode? = nil
    ) throws -> EpochChange {
        try EpochChange(
            removing: [],
            from: members,
            keyring: keyring,
            passphrase: try passphrase.map { text in try Passphrase(text) },
            recoveryCode: code ?? RecoveryCode(using: &generator),
            signer: first.signer,
            using: &generator
        )
    }

    /// A segment of a device with a title and a name in it.
    func segment(of device: CloudID, sequence: UInt64 = 1, title: String = "Sea") -> Segment {
        let asset = CloudID(7, 8)
        let resource = CloudResource(
            id: CloudID(3, 4),
            content: ContentID(CloudID(5, 6), CloudID(7, 8)),
            record: Array("IMG_0001.HEIC".utf8)
        )
        return Segment(
            device: device,
            sequence: sequence,
            previous: sequence == 1 ? Segment.origin : CloudID(1, sequence),
            vector: [:],
            transactions: [
                CloudTransaction(
                    time: HybridTime(rawValue: 9 << 20),
                    author: device,
                    operations: [
                        .create(asset, Creation(kind: .asset, originals: [resource])),
                        .set(asset, RegisterKey(.title), rank: 0, .text(title)),
                        .unknown(kind: 200, [1, 2, 3]),
                    ]
                )
            ]
        )
    }

    /// Seals a segment of a device, and returns it with the name of its object.
    func sealed(
        _ segment: Segment,
        by device: TestDevice,
        cipher: ObjectCipher = .aesGCM
    ) throws -> (name: ObjectName, bytes: [UInt8], sealed: SealedSegment) {
        let sealer = SegmentSealer(keyring: keyring, keys: device.keys, cipher: cipher)
        let sealed = SealedSegment(segment: segment, hash: sealer.hash(of: segment))
        return (.segment(segment.device, sealed.position), try sealer.seal(sealed), sealed)
    }
}

/// Expects that an operation fails with one of some codes.
func expectRefusal(
    _ codes: Set<CloudKeyError.Code>,
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    let error = #expect(
        throws: CloudKeyError.self,
        comment,
        sourceLocation: sourceLocation,
        performing: body
    )
    guard let error else { return }
    #expect(codes.contains(error.code), comment, sourceLocation: sourceLocation)
}

/// Returns the bytes of hexadecimal digits.
func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
