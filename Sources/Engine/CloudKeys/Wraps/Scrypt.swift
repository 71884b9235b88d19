internal import CCrypto
package import Crypto

/// The key derivation function scrypt (RFC 7914), as implemented by OpenSSL.
package enum Scrypt {
    /// The maximum memory that a derivation may take, in bytes.
    ///
    /// It is twice the memory of the most expensive permitted cost.
    private static let memoryLimit: UInt64 = 1 << 30

    /// Derives a key from a password.
    ///
    /// - Parameters:
    ///   - secret: The secret.
    ///   - salt: The salt.
    ///   - rounds: N, a power of two.
    ///   - blockSize: r.
    ///   - parallelism: p.
    ///   - count: The number of bytes of the key.
    /// - Returns: The key; nil if there is not enough memory, or if the numbers are not permitted.
    package static func key(
        from secret: [UInt8],
        salt: [UInt8],
        rounds: UInt64,
        blockSize: UInt64,
        parallelism: UInt64,
        count: Int
    ) -> SymmetricKey? {
        var bytes = [UInt8](repeating: 0, count: count)
        defer { OPENSSL_cleanse(&bytes, count) }
        let status = secret.withUnsafeBytes { secret in
            EVP_PBE_scrypt(
                secret.bindMemory(to: CChar.self).baseAddress,
                secret.count,
                salt,
                salt.count,
                rounds,
                blockSize,
                parallelism,
                memoryLimit,
                &bytes,
                count
            )
        }
        return status == 1 ? SymmetricKey(data: bytes) : nil
    }
}
