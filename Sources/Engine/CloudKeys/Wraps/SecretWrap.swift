internal import CloudSync
internal import Crypto
internal import Foundation

/// An epoch's key, encrypted with a passphrase or a recovery code.
struct SecretWrap: Hashable, Sendable {
    /// The random salt, which ensures that no two objects are encrypted with the same key.
    var salt: [UInt8]
    /// The scrypt cost for a passphrase; nil for a recovery code, which is too long to guess.
    var cost: ScryptCost?
    /// The commitment to the secret, with which a wrong secret is detected.
    ///
    /// The cipher alone does not suffice: a ciphertext can be constructed that several keys
    /// decrypt.
    var commitment: [UInt8]
    var sealed: [UInt8]

    private enum Tag {
        static let salt: UInt16 = 1
        static let cost: UInt16 = 2
        static let commitment: UInt16 = 3
        static let sealed: UInt16 = 4
    }

    static let saltSize = 16
    private static let nonce = [UInt8](repeating: 0, count: 12)

    /// Encrypts an epoch's key with a secret for the purpose stated in `context`.
    init(
        _ key: EpochKey,
        salt: [UInt8],
        cost: ScryptCost?,
        secret: SymmetricKey,
        context: Context
    ) throws(CloudKeyError) {
        self.salt = salt
        self.cost = cost
        let derived = WrapKeys(secret, context)
        commitment = derived.commitment
        sealed = Array(
            try ObjectCipher.aesGCM.seal(
                key.bytes,
                key: derived.wrapping,
                nonce: Self.nonce,
                authenticating: context.bytes
            )
        )
    }

    /// Decrypts the epoch's key; returns nil for a wrong secret.
    func open(with secret: SymmetricKey, context: Context) -> [UInt8]? {
        let derived = WrapKeys(secret, context)
        guard isEqualInConstantTime(commitment, derived.commitment) else { return nil }
        return ObjectCipher.aesGCM.open(
            Data(sealed),
            key: derived.wrapping,
            nonce: Self.nonce,
            authenticating: context.bytes
        ).map { Array($0) }
    }

    var encoded: [UInt8] {
        var fields = TaggedFields()
        fields[Tag.salt] = salt
        fields[Tag.cost] = cost.map { [$0.exponent, $0.blockSize, $0.parallelism] }
        fields[Tag.commitment] = commitment
        fields[Tag.sealed] = sealed
        return fields.encoded
    }

    init(decoding bytes: [UInt8], hasCost: Bool, of object: String) throws(CloudKeyError) {
        let fields = try TaggedFields(decoding: bytes, of: object)
        guard let salt = fields.bytes(Tag.salt, count: Self.saltSize),
            let commitment = fields.bytes(Tag.commitment, count: 32),
            let sealed = fields.bytes(Tag.sealed, count: EpochKey.size + ObjectCipher.tagSize),
            (fields[Tag.cost] != nil) == hasCost
        else { throw .damaged(object, "A wrap is incomplete.") }
        if hasCost {
            guard let numbers = fields.bytes(Tag.cost, count: 3) else {
                throw .damaged(object, "A wrap has no cost.")
            }
            cost = ScryptCost(
                exponent: numbers[0],
                blockSize: numbers[1],
                parallelism: numbers[2]
            )
            guard cost != nil else {
                throw .outOfBounds(object, "Opening its passphrase takes too much memory.")
            }
        }
        self.salt = salt
        self.commitment = commitment
        self.sealed = sealed
    }
}

/// The keys derived from a secret for encrypting one epoch key.
private struct WrapKeys {
    let wrapping: SymmetricKey
    let commitment: [UInt8]

    init(_ secret: SymmetricKey, _ context: Context) {
        wrapping = Self.derive(secret, "wrap", context)
        commitment = authenticationCode(
            of: context.bytes,
            with: Self.derive(secret, "commitment", context)
        )
    }

    private static func derive(
        _ secret: SymmetricKey,
        _ label: String,
        _ context: Context
    ) -> SymmetricKey {
        HKDF<SHA256>.expand(
            pseudoRandomKey: secret,
            info: Context("swift-photos cloud 1 " + label).appending(context.bytes).bytes,
            outputByteCount: 32
        )
    }
}
