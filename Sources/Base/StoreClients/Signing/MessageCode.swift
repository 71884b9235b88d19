internal import CCrypto
internal import ObjectStorage

/// Returns the HMAC-SHA-256 of a message.
func hmacSHA256(key: [UInt8], _ message: [UInt8]) throws(ObjectStoreError) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var length = 0
    let result = EVP_Q_mac(
        nil,
        "HMAC",
        nil,
        "SHA256",
        nil,
        key,
        key.count,
        message,
        message.count,
        &code,
        code.count,
        &length
    )
    guard result != nil, length == 32 else { throw .noDigest() }
    return code
}

/// Returns the SHA-256 of a message.
func sha256(_ message: [UInt8]) throws(ObjectStoreError) -> [UInt8] {
    let hasher = MessageHasher(.sha256)
    hasher.update(message)
    return try hasher.finish()
}
