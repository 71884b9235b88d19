internal import CCrypto
internal import Foundation

/// SHA-256 digests in hexadecimal.
enum Digest {
    /// Returns the SHA-256 of bytes as 64 lowercase hexadecimal digits.
    static func sha256(_ bytes: some ContiguousBytes) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        bytes.withUnsafeBytes { bytes in
            _ = EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, EVP_sha256(), nil)
        }
        return hexadecimal(digest)
    }

    /// Encodes bytes as lowercase hexadecimal digits.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
