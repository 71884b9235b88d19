package import CloudSync
internal import Crypto
internal import Foundation

/// The SHA-256 of a certificate's signed fields.
package struct Fingerprint: Hashable, Sendable {
    package static let size = 32

    package let bytes: [UInt8]

    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    init(of content: [UInt8]) { bytes = Array(SHA256.hash(data: content)) }
}

/// A signed certificate of a device's membership in a cloud library, with the device's public keys
/// and name.
///
///     "spm1" ‖ fields ‖ own signature ‖ issuer's signature
///
/// The object in the store is encrypted, since it contains the device's name. The device signs the
/// certificate as well, to prove that it has the secret keys.
package struct DeviceCertificate: Hashable, Sendable {
    /// The party that admitted the device and issued the certificate.
    package enum Issuer: Hashable, Sendable {
        /// The device itself, because it created the cloud library.
        case itself
        /// Another device that was already a member.
        ///
        /// A device that continues under a new identifier may be admitted by its former one.
        case member(CloudID)
        /// The holder of an epoch's key.
        ///
        /// This is usually the device itself, whose user entered the passphrase or the recovery
        /// code. No other device has to be running then.
        case epoch(CloudID)
    }

    /// A party that admits a device, with its keys.
    package enum Admission: Sendable {
        case itself
        case member(CloudID, DeviceKeys)
        case epoch(EpochKey)
    }

    package let library: CloudID
    package let device: CloudID
    package let name: String
    package let verificationKey: VerificationKey
    package let memberKey: MemberKey
    package let issuer: Issuer
    package let fingerprint: Fingerprint
    let body: [UInt8]
    private let ownSignature: [UInt8]
    private let issuerSignature: [UInt8]

    static let magic = Array("spm1".utf8)
    package static let maximumNameSize = 256
    static let maximumSize = 64 << 10

    private enum Tag {
        static let library: UInt16 = 1
        static let device: UInt16 = 2
        static let name: UInt16 = 3
        static let verificationKey: UInt16 = 4
        static let memberKey: UInt16 = 5
        static let issuerKind: UInt16 = 6
        static let issuer: UInt16 = 7
    }

    /// Creates and signs the certificate of a device.
    ///
    /// - Throws: ``CloudKeyError``: `outOfBounds` for a name of more than 256 bytes.
    package init(
        library: CloudID,
        device: CloudID,
        name: String,
        keys: DeviceKeys,
        admission: Admission
    ) throws(CloudKeyError) {
        guard name.utf8.count <= Self.maximumNameSize else {
            throw .outOfBounds(Self.objectName(device), "The name has \(name.utf8.count) bytes.")
        }
        var fields = TaggedFields()
        fields[id: Tag.library] = library
        fields[id: Tag.device] = device
        fields[Tag.name] = Array(name.utf8)
        fields[Tag.verificationKey] = keys.verificationKey.bytes
        fields[Tag.memberKey] = keys.memberKey.bytes
        switch admission {
        case .itself: fields[Tag.issuerKind] = [0]
        case .member(let id, _):
            fields[Tag.issuerKind] = [1]
            fields[id: Tag.issuer] = id
        case .epoch(let key):
            fields[Tag.issuerKind] = [2]
            fields[id: Tag.issuer] = key.id
        }
        let body = fields.encoded
        var writer = SegmentWriter()
        writer.append(counted: body)
        writer.append(counted: try keys.signing.sign(body, label: "certificate"))
        let issued: [UInt8] =
            switch admission {
            case .itself: []
            case .member(_, let keys): try keys.signing.sign(body, label: "admission")
            case .epoch(let key): try key.admissionKey.sign(body, label: "admission")
            }
        writer.append(counted: issued)
        try self.init(decoding: Self.magic + writer.bytes, of: device)
    }

    /// Decodes a certificate of a device and verifies the device's own signature.
    ///
    /// ``MemberDirectory`` decides whether the issuer may admit devices.
    package init(decoding bytes: [UInt8], of device: CloudID) throws(CloudKeyError) {
        let object = Self.objectName(device)
        guard bytes.count <= Self.maximumSize else {
            throw .outOfBounds(object, "It has \(bytes.count) bytes.")
        }
        guard bytes.starts(with: Self.magic) else { throw .laterVersion(object) }
        var reader = SegmentReader(Array(bytes.dropFirst(Self.magic.count)))
        do throws(CloudFormatError) {
            body = try reader.counted()
            ownSignature = try reader.counted()
            issuerSignature = try reader.counted()
            guard reader.remaining == 0 else { throw reader.error("bytes follow its end") }
        } catch {
            throw .malformed(object, error)
        }
        let fields = try TaggedFields(decoding: body, of: object)
        guard let library = fields[id: Tag.library], fields[id: Tag.device] == device,
            let nameBytes = fields[Tag.name], nameBytes.count <= Self.maximumNameSize,
            let name = String(validating: nameBytes, as: UTF8.self),
            let verification = fields[Tag.verificationKey].flatMap(VerificationKey.init(bytes:)),
            let member = fields[Tag.memberKey].flatMap(MemberKey.init(bytes:)),
            let issuer = Issuer(kind: fields[Tag.issuerKind], id: fields[id: Tag.issuer])
        else { throw .damaged(object, "A field of the certificate is missing or invalid.") }
        guard verification.isValid(ownSignature, over: body, label: "certificate") else {
            throw .wrongSignature(object, of: "the device itself")
        }
        self.library = library
        self.device = device
        self.name = name
        self.verificationKey = verification
        self.memberKey = member
        self.issuer = issuer
        fingerprint = Fingerprint(of: body)
    }

    package var encoded: [UInt8] {
        var writer = SegmentWriter()
        for part in [body, ownSignature, issuerSignature] { writer.append(counted: part) }
        return Self.magic + writer.bytes
    }

    func isIssued(with key: VerificationKey) -> Bool {
        key.isValid(issuerSignature, over: body, label: "admission")
    }

    // MARK: - Objects

    package static func objectName(_ device: CloudID) -> String { "member/\(device.hexadecimal)" }

    /// Encrypts the certificate for the store.
    package func sealed(
        with epoch: EpochKey,
        cipher: ObjectCipher = .preferred
    ) throws(CloudKeyError) -> [UInt8] {
        try SealedObject.seal(
            encoded,
            named: Self.objectName(device),
            purpose: .member,
            epoch: epoch,
            cipher: cipher
        )
    }

    /// Decrypts the certificate of a device.
    package init(
        opening bytes: [UInt8],
        of device: CloudID,
        keys: EpochKeyring
    ) throws(CloudKeyError) {
        let (content, _) = try SealedObject.open(
            bytes,
            named: Self.objectName(device),
            purpose: .member,
            keys: keys
        )
        try self.init(decoding: content, of: device)
    }
}

extension DeviceCertificate.Issuer {
    fileprivate init?(kind: [UInt8]?, id: CloudID?) {
        switch (kind, id) {
        case ([0], nil): self = .itself
        case ([1], let id?): self = .member(id)
        case ([2], let id?): self = .epoch(id)
        default: return nil
        }
    }
}

extension EpochKey {
    /// The signing key derived from this epoch's key, with which any holder of the epoch key admits
    /// devices.
    var admissionKey: SigningKey {
        get throws(CloudKeyError) {
            let key = key(for: .admission)
            guard let signing = key.withUnsafeBytes({ SigningKey(seed: Array($0)) }) else {
                throw CloudKeyError(
                    .cryptography,
                    "Could not derive a key for admitting devices.",
                    recovery: "Report this with the version of this program."
                )
            }
            return signing
        }
    }
}

extension CloudKeyError {
    static func wrongSignature(_ object: String, of signer: String) -> CloudKeyError {
        CloudKeyError(
            .wrongSignature,
            "The object \(object) does not have a valid signature of \(signer).",
            recovery: verify
        )
    }
}
