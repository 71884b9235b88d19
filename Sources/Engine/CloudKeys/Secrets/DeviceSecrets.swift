package import CloudSync
internal import Crypto
internal import Foundation

/// The secrets of a device that is a member of a cloud library.
///
///     "spd1" ‖ fields ‖ SHA-256 of both
///
/// Neither the passphrase nor the recovery code is among them: they would open later epochs.
package struct DeviceSecrets: Sendable {
    package var device: CloudID
    package var keys: DeviceKeys
    package var keyring: EpochKeyring
    /// The fingerprint of the certificate of the device that created the cloud library.
    package var root: Fingerprint
    private var fields = TaggedFields()

    private static let magic = Array("spd1".utf8)
    private static let label = "with this device's keys"

    private enum Tag {
        static let library: UInt16 = 1
        static let device: UInt16 = 2
        static let signing: UInt16 = 3
        static let agreement: UInt16 = 4
        static let root: UInt16 = 5
        static let current: UInt16 = 6
        static let epochs: UInt16 = 7
    }

    package init(device: CloudID, keys: DeviceKeys, keyring: EpochKeyring, root: Fingerprint) {
        self.device = device
        self.keys = keys
        self.keyring = keyring
        self.root = root
    }

    package var encoded: [UInt8] {
        var fields = fields
        fields[id: Tag.library] = keyring.library
        fields[id: Tag.device] = device
        fields[Tag.signing] = keys.signingSeed
        fields[Tag.agreement] = keys.agreementSeed
        fields[Tag.root] = root.bytes
        fields[id: Tag.current] = keyring.current.id
        fields[Tag.epochs] = EpochKeyring.list(keyring.all)
        let bytes = Self.magic + fields.encoded
        return bytes + Array(SHA256.hash(data: bytes))
    }

    /// Decodes the secrets of a device and verifies their checksum.
    ///
    /// - Throws: ``CloudKeyError``: `damaged` or `laterVersion`.
    package init(decoding bytes: [UInt8]) throws(CloudKeyError) {
        guard bytes.starts(with: Self.magic) else { throw .laterVersion(Self.label) }
        let content = Array(bytes.dropLast(SHA256.byteCount))
        guard content.count >= Self.magic.count,
            Array(SHA256.hash(data: content)) == Array(bytes.suffix(SHA256.byteCount))
        else { throw .damaged(Self.label, "Its checksum is wrong.") }
        let body = Array(content.dropFirst(Self.magic.count))
        fields = try TaggedFields(decoding: body, of: Self.label)
        guard let library = fields[id: Tag.library], let device = fields[id: Tag.device],
            let signing = fields[Tag.signing], let agreement = fields[Tag.agreement],
            let keys = DeviceKeys(signingSeed: signing, agreementSeed: agreement),
            let root = fields[Tag.root].flatMap(Fingerprint.init(bytes:)),
            let current = fields[id: Tag.current], let epochs = fields[Tag.epochs],
            let keyring = EpochKeyring(library: library, current: current, list: epochs)
        else { throw .damaged(Self.label, "A field is missing or invalid.") }
        self.device = device
        self.keys = keys
        self.keyring = keyring
        self.root = root
    }
}
