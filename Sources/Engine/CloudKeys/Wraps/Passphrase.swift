internal import Crypto
internal import Foundation

/// A passphrase, normalized to Unicode's form NFKC.
///
/// So it does not depend on how a keyboard enters its characters.
package struct Passphrase: Sendable {
    package static let minimumLength = 8
    package static let maximumSize = 1024

    private let bytes: [UInt8]

    /// Normalizes a passphrase and checks its length and characters.
    ///
    /// - Throws: ``CloudKeyError``: `unsuitablePassphrase`.
    package init(_ text: String) throws(CloudKeyError) {
        let normal = text.precomposedStringWithCompatibilityMapping
        guard normal.count >= Self.minimumLength, normal.utf8.count <= Self.maximumSize else {
            throw .unsuitablePassphrase(
                "It must have at least \(Self.minimumLength) characters, and at most"
                    + " \(Self.maximumSize) bytes."
            )
        }
        guard
            normal.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .unsuitablePassphrase("It contains a control character, such as a tab.") }
        bytes = Array(normal.utf8)
    }

    /// Derives a secret with scrypt; takes about half a second and 128 MiB at the standard cost.
    func secret(salt: [UInt8], cost: ScryptCost) throws(CloudKeyError) -> SymmetricKey {
        let key = Scrypt.key(
            from: bytes,
            salt: salt,
            rounds: 1 << UInt64(cost.exponent),
            blockSize: UInt64(cost.blockSize),
            parallelism: UInt64(cost.parallelism),
            count: 32
        )
        guard let key else { throw .scryptFailed }
        return key
    }
}

/// The scrypt cost parameters for a passphrase, which are stored with each encrypted key.
package struct ScryptCost: Hashable, Sendable {
    /// The binary logarithm of scrypt's cost parameter N.
    package let exponent: UInt8
    package let blockSize: UInt8
    package let parallelism: UInt8

    /// The standard cost: N = 2¹⁷, r = 8, p = 1.
    package static let standard = ScryptCost(unchecked: 17, 8, 1)

    private init(unchecked exponent: UInt8, _ blockSize: UInt8, _ parallelism: UInt8) {
        self.exponent = exponent
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// Creates a cost from stored parameters; returns nil if they are out of range.
    ///
    /// At most 512 MiB of memory are permitted.
    package init?(exponent: UInt8, blockSize: UInt8, parallelism: UInt8) {
        guard (10...20).contains(exponent), (1...32).contains(blockSize),
            (1...8).contains(parallelism),
            128 * Int(blockSize) << Int(exponent) <= 512 << 20
        else { return nil }
        self.init(unchecked: exponent, blockSize, parallelism)
    }
}

extension CloudKeyError {
    static func unsuitablePassphrase(_ reason: String) -> CloudKeyError {
        CloudKeyError(
            .unsuitablePassphrase,
            "The passphrase cannot be used.",
            reason: reason,
            recovery: "Choose another one; several words are easy to remember and hard to guess."
        )
    }

    fileprivate static let scryptFailed = CloudKeyError(
        .cryptography,
        "A key cannot be derived from the passphrase.",
        reason: "That takes 128 MiB of memory.",
        recovery: "Try again when other programs use less memory."
    )

    static let wrongPassphrase = CloudKeyError(
        .wrongPassphrase,
        "The passphrase does not open the keys of the cloud library.",
        recovery: "Type it again, or use the recovery code."
    )
}
