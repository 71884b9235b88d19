internal import CCrypto
internal import Foundation

/// Generates and compares cryptographically random secrets.
enum Secret {
    /// Returns 256 random bits as 64 hexadecimal digits.
    static func make() -> String {
        Digest.hexadecimal(bytes(32))
    }

    /// Returns random bytes from the system's generator.
    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Compares two strings in a time that does not depend on where they differ.
    static func areEqual(_ first: String, _ second: String) -> Bool {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        guard first.count == second.count else { return false }
        return CRYPTO_memcmp(first, second, first.count) == 0
    }
}

/// A password, stored only as a salted scrypt hash.
struct PasswordHash: Sendable {
    private let salt: [UInt8]
    private let hash: [UInt8]

    init(_ password: String) {
        salt = Secret.bytes(16)
        hash = Self.hash(password, salt)
    }

    /// Checks a password against the hash; hashing deliberately takes some tens of milliseconds.
    func matches(_ password: String) -> Bool {
        let other = Self.hash(password, salt)
        return !other.isEmpty && CRYPTO_memcmp(other, hash, hash.count) == 0
    }

    /// Hashes a password.
    ///
    /// If OpenSSL fails, the result is empty, and no password matches it.
    private static func hash(_ password: String, _ salt: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        let bytes = Array(password.utf8)
        let status = bytes.withUnsafeBytes { bytes in
            EVP_PBE_scrypt(
                bytes.bindMemory(to: CChar.self).baseAddress,
                bytes.count,
                salt,
                salt.count,
                1 << 15,
                8,
                1,
                64 << 20,
                &result,
                result.count
            )
        }
        return status == 1 ? result : []
    }
}
