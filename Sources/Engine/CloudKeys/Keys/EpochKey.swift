package import CloudSync
internal import Crypto
internal import Foundation

/// The purposes for which keys are derived from the key of an epoch.
package enum KeyPurpose: String, CaseIterable, Sendable {
    case log
    case snapshot
    case pack
    /// Encryption of certificates, which contain the names of devices.
    case member
    /// Encryption of the keys of former epochs.
    case former
    case commitment
    /// Encryption of the state of a device's sync, which is stored in the library's bundle.
    case state
    /// Derivation of the key pair with which a device admits itself to the cloud library.
    ///
    /// Such a device has the epoch's key because its user knows the passphrase or the recovery
    /// code.
    case admission
}

/// The 256-bit secret of an epoch, which all members of a cloud library share.
package struct EpochKey: Sendable {
    package static let size = 32

    package let library: CloudID
    /// The random identifier of the epoch.
    package let id: CloudID
    private let secret: SymmetricKey

    /// Creates a random key for a new epoch with a random identifier.
    package init(library: CloudID, using generator: inout some RandomNumberGenerator) {
        self.library = library
        id = CloudID(using: &generator)
        secret = SymmetricKey(data: generator.bytes(Self.size))
    }

    /// Creates a key from stored bytes; returns nil unless there are exactly ``size`` bytes.
    package init?(library: CloudID, id: CloudID, bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.library = library
        self.id = id
        secret = SymmetricKey(data: bytes)
    }

    /// The bytes of the secret, for encrypting or storing them.
    package var bytes: [UInt8] { secret.withUnsafeBytes { Array($0) } }

    /// Derives the key for a purpose with HKDF-SHA-256, bound to the library and the epoch.
    func key(for purpose: KeyPurpose, part: String = "") -> SymmetricKey {
        let label = "swift-photos cloud 1 " + purpose.rawValue + part
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret,
            salt: [UInt8](),
            info: Context(label).appending(library.bytes).appending(id.bytes).bytes,
            outputByteCount: 32
        )
    }

    /// A commitment that identifies the key uniquely within its epoch without revealing it.
    var commitment: [UInt8] {
        let context = Context("epoch").appending(library.bytes).appending(id.bytes)
        return authenticationCode(of: context.bytes, with: key(for: .commitment))
    }
}

extension EpochKey: Equatable {
    /// Compares the secrets in constant time.
    package static func == (left: EpochKey, right: EpochKey) -> Bool {
        left.library == right.library && left.id == right.id && left.secret == right.secret
    }
}

/// The byte encoding of a list of values that are authenticated but not encrypted.
///
/// Each value is preceded by its length, so that different lists have different bytes.
struct Context {
    private(set) var bytes: [UInt8] = []

    init(_ label: String) { self = appending(Array(label.utf8)) }

    private init() {}

    func appending(_ part: [UInt8]) -> Context {
        var writer = SegmentWriter()
        writer.append(counted: part)
        var result = self
        result.bytes += writer.bytes
        return result
    }

    func appending(_ part: String) -> Context { appending(Array(part.utf8)) }
}

/// Returns the HMAC-SHA-256 of a message.
func authenticationCode(of message: [UInt8], with key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
}

/// Compares secret values in a time that depends only on their lengths.
func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
