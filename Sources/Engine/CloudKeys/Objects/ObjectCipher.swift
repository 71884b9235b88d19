internal import Crypto
internal import Foundation

/// The cipher of an object, which its header names.
package enum ObjectCipher: UInt8, CaseIterable, Sendable {
    case aesGCM = 1
    case chaChaPoly = 2

    /// The number of bytes by which a message grows.
    static let tagSize = 16

    /// AES-GCM where the processor has instructions for AES, ChaCha20-Poly1305 elsewhere.
    package static let preferred = ObjectCipher(
        processor: (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    )

    /// Chooses by the kernel's description of the processor.
    package init(processor description: String) {
        let flags = description.split(separator: "\n").first { line in
            line.hasPrefix("flags") || line.hasPrefix("Features")
        }
        let words = flags?.split(whereSeparator: { " \t:".contains($0) }) ?? []
        self = words.contains("aes") ? .aesGCM : .chaChaPoly
    }

    /// Encrypts a message and appends its tag; the result may be a slice.
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

    /// Decrypts a message with its tag; nil if anything was altered.
    func open(
        _ message: Data,
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
