internal import Crypto
internal import Foundation

/// The ciphers for objects, one of which is named in each object's header.
package enum ObjectCipher: UInt8, CaseIterable, Sendable {
    case aesGCM = 1
    case chaChaPoly = 2

    /// The size of the authentication tag in bytes.
    static let tagSize = 16

    /// The preferred cipher: AES-GCM if the processor has AES instructions, else ChaCha20-Poly1305.
    package static let preferred = ObjectCipher(
        processor: (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    )

    /// Chooses the preferred cipher from the contents of `/proc/cpuinfo`.
    package init(processor description: String) {
        let flags = description.split(separator: "\n").first { line in
            line.hasPrefix("flags") || line.hasPrefix("Features")
        }
        let words = flags?.split(whereSeparator: { " \t:".contains($0) }) ?? []
        self = words.contains("aes") ? .aesGCM : .chaChaPoly
    }

    /// Encrypts a message and appends the authentication tag; the result may be a slice.
    func seal(
        _ message: some DataProtocol,
        key: SymmetricKey,
        nonce: [UInt8],
        authenticating context: [UInt8]
    ) throws(CloudKeyError) -> Data {
        do {
            switch self {
            case .aesGCM:
                let box = try AES.GCM.seal(
                    message,
                    using: key,
                    nonce: AES.GCM.Nonce(data: nonce),
                    authenticating: context
                )
                return box.combined?.dropFirst(nonce.count) ?? box.ciphertext + box.tag
            case .chaChaPoly:
                let box = try ChaChaPoly.seal(
                    message,
                    using: key,
                    nonce: ChaChaPoly.Nonce(data: nonce),
                    authenticating: context
                )
                return box.combined.dropFirst(nonce.count)
            }
        } catch {
            throw .cryptography("encrypt an object", error)
        }
    }

    /// Decrypts a message with its tag; returns nil if the message or the context was altered.
    func open(
        _ message: some DataProtocol,
        key: SymmetricKey,
        nonce: [UInt8],
        authenticating context: [UInt8]
    ) -> Data? {
        guard message.count >= Self.tagSize else { return nil }
        let text = message.dropLast(Self.tagSize)
        let tag = message.suffix(Self.tagSize)
        switch self {
        case .aesGCM:
            guard let nonce = try? AES.GCM.Nonce(data: nonce),
                let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: text, tag: tag)
            else { return nil }
            return try? AES.GCM.open(box, using: key, authenticating: context)
        case .chaChaPoly:
            guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
                let box = try? ChaChaPoly.SealedBox(nonce: nonce, ciphertext: text, tag: tag)
            else { return nil }
            return try? ChaChaPoly.open(box, using: key, authenticating: context)
        }
    }
}
