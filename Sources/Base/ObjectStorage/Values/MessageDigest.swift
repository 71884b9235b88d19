internal import CCrypto

/// An MD5 digest, by which stores verify the bytes that they receive.
///
/// It detects accidental damage only, not manipulation.
package struct MD5Digest: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Creates a digest from 16 bytes; returns nil for any other number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Computes the digest of bytes.
    package init(of content: [UInt8]) throws(ObjectStoreError) {
        let hasher = MessageHasher(.md5)
        hasher.update(content)
        bytes = try hasher.finish()
    }
}

/// A hasher that computes a digest incrementally with OpenSSL.
///
/// Must be used by one thread at a time.
package final class MessageHasher {
    package enum Algorithm {
        case md5
        case sha256
    }

    // Owned only by this object and freed in deinit.
    private let context: OpaquePointer?
    private var hasFailed: Bool

    package init(_ algorithm: Algorithm) {
        context = EVP_MD_CTX_new()
        let type = algorithm == .md5 ? EVP_md5() : EVP_sha256()
        hasFailed = EVP_DigestInit_ex(context, type, nil) != 1
    }

    deinit { EVP_MD_CTX_free(context) }

    package func update(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, EVP_DigestUpdate(context, bytes, bytes.count) != 1 else { return }
        hasFailed = true
    }

    /// Finishes the computation and returns the digest.
    ///
    /// - Throws: ``ObjectStoreError``: `unsupported` if OpenSSL refuses the algorithm, for example
    ///   MD5 in FIPS mode.
    package func finish() throws(ObjectStoreError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard !hasFailed, EVP_DigestFinal_ex(context, &digest, &length) == 1 else {
            throw .noDigest()
        }
        return Array(digest.prefix(Int(length)))
    }
}

extension ObjectStoreError {
    package static func noDigest() -> ObjectStoreError {
        ObjectStoreError(
            .unsupported,
            "OpenSSL could not compute a checksum.",
            recovery: "Check that OpenSSL allows MD5 and SHA-256; its FIPS mode forbids MD5."
        )
    }
}
