internal import CCrypto

/// A SHA-256: 32 bytes.
package struct SHA256Digest: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// 64 lower-case hexadecimal digits.
    package var hexadecimal: String { Hexadecimal.text(bytes) }
}

/// Computes a SHA-256 bit by bit, with the processor's own instructions where it has them.
///
/// Used by one thread at a time.
package final class SHA256Hasher {
    // Owned here alone, freed in deinit.
    private let context: OpaquePointer?
    private var hasFailed: Bool

    package init() {
        context = EVP_MD_CTX_new()
        hasFailed = EVP_DigestInit_ex(context, EVP_sha256(), nil) != 1
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes in more bytes.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1 { hasFailed = true }
    }

    /// Ends the computation.
    ///
    /// - Returns: The digest, or nil when OpenSSL failed (for want of memory).
    package func finish() -> SHA256Digest? {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        guard !hasFailed, EVP_DigestFinal_ex(context, &digest, &length) == 1, length == 32 else {
            return nil
        }
        return SHA256Digest(bytes: digest)
    }
}
