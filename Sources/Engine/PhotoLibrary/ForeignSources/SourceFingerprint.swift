internal import CCrypto
internal import Foundation

/// The checksum by which Apple's Photos recognizes a file: the byte 1, followed by the SHA-1 of a
/// fixed prefix and the file's content.
///
/// Must be used by one thread at a time.
package final class SourceFingerprint {
    /// The length of a fingerprint in base64.
    package static let length = 28

    private static let prefix = Array(
        "com.apple.XattrObjectSalt\0com.apple.DataObjectSalt\0".utf8
    )

    // Owned only by this object and freed in deinit.
    private let context: OpaquePointer?
    private var hasFailed = false

    package init() { context = EVP_MD_CTX_new() }

    deinit { EVP_MD_CTX_free(context) }

    /// Starts the computation, or restarts it.
    func start() {
        hasFailed = EVP_DigestInit_ex(context, EVP_sha1(), nil) != 1
        Self.prefix.withUnsafeBytes(update)
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) != 1 { hasFailed = true }
    }

    /// Finishes the computation.
    ///
    /// - Returns: The fingerprint in base64, or nil if OpenSSL failed.
    package func finish() -> String? {
        var digest = [UInt8](repeating: 0, count: 20)
        var length: UInt32 = 0
        guard !hasFailed, EVP_DigestFinal_ex(context, &digest, &length) == 1, length == 20 else {
            return nil
        }
        return Data([1] + digest).base64EncodedString()
    }
}
