internal import Crypto
internal import Foundation

/// A code that opens a cloud library without a passphrase: 135 random bits and a check character.
///
/// It is written as seven groups of four characters of Crockford's base 32. The characters are a
/// codeword of a Reed–Solomon code over GF(32), so the check detects each single wrong character
/// and each pair of exchanged ones.
package struct RecoveryCode: Hashable, Sendable {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let values: [Character: UInt8] = {
        var values: [Character: UInt8] = [:]
        for (value, character) in alphabet.enumerated() { values[character] = UInt8(value) }
        values["O"] = 0
        values["I"] = 1
        values["L"] = 1
        return values
    }()

    /// The number of characters, including the check character.
    package static let length = 28

    private let symbols: [UInt8]

    package init(using generator: inout some RandomNumberGenerator) {
        let data = generator.bytes(Self.length - 1).map { $0 & 31 }
        symbols = data + [Self.check(data)]
    }

    /// Parses a code.
    ///
    /// Case, spaces and hyphens are ignored. O is read as 0, and I and L as 1.
    ///
    /// - Throws: ``CloudKeyError``: `mistypedRecoveryCode`.
    package init(reading text: String) throws(CloudKeyError) {
        guard text.utf8.count <= 1024 else {
            throw .mistyped("It has more than \(Self.length) characters.")
        }
        var symbols: [UInt8] = []
        for character in text.uppercased() where !Self.isIgnored(character) {
            guard let value = Self.values[character] else {
                throw .mistyped("Character \(symbols.count + 1) is none that codes contain.")
            }
            symbols.append(value)
        }
        guard symbols.count == Self.length else {
            throw .mistyped("It has \(symbols.count) characters instead of \(Self.length).")
        }
        guard Self.check(symbols.dropLast()) == symbols.last else {
            throw .mistyped("A character is wrong, or two are exchanged.")
        }
        self.symbols = symbols
    }

    /// The code as it is printed: `7Q2M-…`.
    package var text: String {
        let characters = symbols.map { Self.alphabet[Int($0)] }
        return stride(from: 0, to: characters.count, by: 4)
            .map { String(characters[$0..<$0 + 4]) }
            .joined(separator: "-")
    }

    func secret(salt: [UInt8]) -> SymmetricKey {
        let characters = symbols.map { Self.alphabet[Int($0)] }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(String(characters).utf8)),
            salt: salt,
            info: Context("swift-photos cloud 1 recovery code").bytes,
            outputByteCount: 32
        )
    }

    private static func isIgnored(_ character: Character) -> Bool {
        character.isWhitespace
            || character.unicodeScalars.allSatisfy {
                $0.properties.generalCategory == .dashPunctuation
            }
    }

    /// Returns the check character, which makes the code a multiple of the generator polynomial.
    private static func check(_ data: some Sequence<UInt8>) -> UInt8 {
        data.reduce(0) { sum, symbol in
            let doubled = (sum ^ symbol) << 1
            return doubled & 32 == 0 ? doubled : (doubled ^ 0b100101) & 31
        }
    }
}

extension CloudKeyError {
    fileprivate static func mistyped(_ reason: String) -> CloudKeyError {
        CloudKeyError(
            .mistypedRecoveryCode,
            "The recovery code has a typing error.",
            reason: reason,
            recovery: "Compare it with the paper on which you wrote it."
        )
    }

    static let wrongRecoveryCode = CloudKeyError(
        .wrongRecoveryCode,
        "The recovery code does not open the keys of the cloud library.",
        recovery: "Use the code that was printed last: a new one is made when a device is removed."
    )
}
