internal import CloudSync
internal import Crypto
internal import Foundation

/// An epoch's key, encrypted for a member by HPKE with X-Wing (ML-KEM-768 and X25519).
///
/// The context is the `info` of HPKE, so the key can be decrypted only with the same context.
struct MemberWrap: Hashable, Sendable {
    var encapsulated: [UInt8]
    var commitment: [UInt8]
    var sealed: [UInt8]

    private enum Tag {
        static let encapsulated: UInt16 = 1
        static let commitment: UInt16 = 2
        static let sealed: UInt16 = 3
    }

    static let encapsulatedSize = 1120
    private static let suite = HPKE.Ciphersuite.XWingMLKEM768X25519_SHA256_AES_GCM_256
    private static let exported = Array("swift-photos cloud 1 commitment".utf8)

    init(_ key: EpochKey, for member: MemberKey, context: Context) throws(CloudKeyError) {
        do {
            var sender = try HPKE.Sender(
                recipientKey: XWingMLKEM768X25519.PublicKey(rawRepresentation: member.bytes),
                ciphersuite: Self.suite,
                info: Data(context.bytes)
            )
            encapsulated = Array(sender.encapsulatedKey)
            let secret = try sender.exportSecret(context: Self.exported, outputByteCount: 32)
            commitment = authenticationCode(of: context.bytes, with: secret)
            sealed = Array(try sender.seal(key.bytes))
        } catch {
            throw .cryptography("encrypt a key for a device", error)
        }
    }

    /// Decrypts the epoch's key; returns nil if the key was encrypted for another device or was
    /// altered.
    func open(with key: XWingMLKEM768X25519.PrivateKey, context: Context) -> [UInt8]? {
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: key,
                ciphersuite: Self.suite,
                info: Data(context.bytes),
                encapsulatedKey: Data(encapsulated)
            ),
            let secret = try? recipient.exportSecret(context: Self.exported, outputByteCount: 32),
            isEqualInConstantTime(
                commitment,
                authenticationCode(of: context.bytes, with: secret)
            )
        else { return nil }
        return (try? recipient.open(sealed)).map { Array($0) }
    }

    var encoded: [UInt8] {
        var fields = TaggedFields()
        fields[Tag.encapsulated] = encapsulated
        fields[Tag.commitment] = commitment
        fields[Tag.sealed] = sealed
        return fields.encoded
    }

    init(decoding bytes: [UInt8], of object: String) throws(CloudKeyError) {
        let fields = try TaggedFields(decoding: bytes, of: object)
        guard
            let encapsulated = fields.bytes(Tag.encapsulated, count: Self.encapsulatedSize),
            let commitment = fields.bytes(Tag.commitment, count: 32),
            let sealed = fields.bytes(Tag.sealed, count: EpochKey.size + ObjectCipher.tagSize)
        else { throw .damaged(object, "A device's wrap is incomplete.") }
        self.encapsulated = encapsulated
        self.commitment = commitment
        self.sealed = sealed
    }
}
