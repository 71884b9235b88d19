internal import Crypto
internal import Foundation

/// The public key of a device, with which the keys of epochs are encrypted for the device.
package struct MemberKey: Hashable, Sendable {
    package static let size = 1216

    package let bytes: [UInt8]

    /// Creates a key from bytes of unknown origin; returns nil if they are not a valid key.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size,
            (try? XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes)) != nil
        else { return nil }
        self.bytes = bytes
    }

    fileprivate init(_ key: XWingMLKEM768X25519.PublicKey) {
        bytes = Array(key.rawRepresentation)
    }
}

/// The public key of an Ed25519 key pair.
package struct VerificationKey: Hashable, Sendable {
    package static let size = 32
    package static let signatureSize = 64

    package let bytes: [UInt8]

    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// Returns whether a message's signature is valid for this key and for the purpose label
    /// `label`.
    func isValid(_ signature: some Sequence<UInt8>, over message: [UInt8], label: String) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
            return false
        }
        return key.isValidSignature(
            Array(signature),
            for: Context("swift-photos cloud 1 " + label).appending(message).bytes
        )
    }
}

/// A key pair of Ed25519.
struct SigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    init?(seed: some ContiguousBytes) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
            return nil
        }
        self.key = key
    }

    var seed: [UInt8] { Array(key.rawRepresentation) }

    var verificationKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// Signs a message together with a purpose label; equal messages have equal signatures.
    func sign(_ message: [UInt8], label: String) throws(CloudKeyError) -> [UInt8] {
        do {
            let labeled = Context("swift-photos cloud 1 " + label).appending(message).bytes
            return Array(try key.signature(for: labeled))
        } catch {
            throw .cryptography("sign an object", error)
        }
    }
}

/// The secret keys of a device.
package struct DeviceKeys: Sendable {
    package static let seedSize = 32

    let signing: SigningKey
    let agreement: XWingMLKEM768X25519.PrivateKey

    package let verificationKey: VerificationKey
    package let memberKey: MemberKey

    /// Creates new random keys.
    ///
    /// Programs pass a `SystemRandomNumberGenerator`, which uses the kernel's generator, here and
    /// wherever keys are created. Other generators are for tests.
    package init(using generator: inout some RandomNumberGenerator) throws(CloudKeyError) {
        let signing = generator.bytes(Self.seedSize)
        let agreement = generator.bytes(Self.seedSize)
        guard let keys = DeviceKeys(signingSeed: signing, agreementSeed: agreement) else {
            throw CloudKeyError(
                .cryptography,
                "Could not make the keys of this device.",
                recovery: "Report this with the version of this program."
            )
        }
        self = keys
    }

    /// Creates keys from stored seeds; returns nil if a seed has a wrong size.
    package init?(signingSeed: [UInt8], agreementSeed: [UInt8]) {
        guard signingSeed.count == Self.seedSize, agreementSeed.count == Self.seedSize,
            let signing = SigningKey(seed: signingSeed),
            let agreement = try? XWingMLKEM768X25519.PrivateKey(
                seedRepresentation: agreementSeed,
                publicKey: nil
            ),
            let verification = VerificationKey(bytes: signing.verificationKey)
        else { return nil }
        self.signing = signing
        self.agreement = agreement
        verificationKey = verification
        memberKey = MemberKey(agreement.publicKey)
    }

    package var signingSeed: [UInt8] { signing.seed }
    package var agreementSeed: [UInt8] { Array(agreement.seedRepresentation) }
}
