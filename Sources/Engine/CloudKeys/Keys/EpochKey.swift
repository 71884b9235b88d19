package import CloudSync
internal import Crypto
internal import Foundation

/// The use of a key that is derived from the key of an epoch.
package enum KeyPurpose: String, CaseIterable, Sendable {
    case log
    case snapshot
    case pack
    /// Certificates of devices, whose names nobody else may read.
    case member
    /// The keys of former epochs.
    case former
    case commitment
    /// The state of a device's sync, which is in the library's bundle.
    case state
    /// The seed of the key pair by which a device that knows the passphrase or the recovery code
    /// admits itself.
    case admission
}

/// The 256-bit secret of an epoch, which all members of a cloud library share.
package struct EpochKey: Sendable {
    package static let size = 32

    package let library: CloudID
    /// The random name of the epoch.
    package let id: CloudID
    private let secret: SymmetricKey

    /// Creates the random key of a new epoch, under a random name.
    package init(library: CloudID, using generator: inout some RandomNumberGenerator) {
        self.library = library
        id = CloudID(using: &generator)
        secret = SymmetricKey(data: generator.bytes(Self.size))
    }

    /// Creates a key from stored bytes; nil for another number than ``size``.
    package init?(library: CloudID, id: CloudID, bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.library = library
        self.id = id
        secret = SymmetricKey(data: bytes)
    }

    /// The secret itself, to be wrapped or stored.
    package var bytes: [UInt8] { secret.withUnsafeBytes { Array($0) } }

    /// Derives the key for a purpose by HKDF-SHA-256, with the library and the epoch in its info.
    func key(for purpose: KeyPurpose, part: String = "") -> SymmetricKey {
        let label = "swift-photos cloud 1 " + purpose.rawValue + part
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret,
            salt: [UInt8](),
            info: Context(label).appending(library.bytes).appending(id.bytes).bytes,
            outputByteCount: 32
        )
    }

    /// A value that no other key has for this library and epoch, and that reveals nothing.
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

/// Bytes that are authenticated and not encrypted: each part with its length, so that no two lists
/// of parts are equal.
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

/// Compares secret values in a time that depends on their number of bytes only.
func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
