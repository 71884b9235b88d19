internal import CCrypto
internal import Foundation

/// A SHA-256 digest of 32 bytes.
package struct SHA256Digest: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a digest from 64 hexadecimal digits; nil for other text.
    init?(hexadecimal: String) {
        let digits = hexadecimal.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64 else { return nil }
        bytes = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
    }

    /// The digest as 64 lowercase hexadecimal digits.
    package var hexadecimal: String { Hexadecimal.text(bytes) }
}

extension SHA256Digest {
    /// Returns the digest of bytes in memory; nil if OpenSSL failed for lack of memory.
    init?(of bytes: some ContiguousBytes) {
        let hasher = SHA256Hasher()
        bytes.withUnsafeBytes(hasher.update)
        guard let digest = hasher.finish() else { return nil }
        self = digest
    }
}

/// Computes a SHA-256 incrementally, with the processor's instructions where available.
///
/// Must be used by one thread at a time.
package final class SHA256Hasher {
    // Owned only by this object and freed in deinit.
    private let context: OpaquePointer?
    private var hasFailed: Bool

    package init() {
        context = EVP_MD_CTX_new()
        hasFailed = EVP_DigestInit_ex(context, EVP_sha256(), nil) != 1
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes to the computation.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1 { hasFailed = true }
    }

    /// Finishes the computation.
    ///
    /// - Returns: The digest, or nil if OpenSSL failed for lack of memory.
    package func finish() -> SHA256Digest? {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        guard !hasFailed, EVP_DigestFinal_ex(context, &digest, &length) == 1, length == 32 else {
            return nil
        }
        return SHA256Digest(bytes: digest)
    }
}
