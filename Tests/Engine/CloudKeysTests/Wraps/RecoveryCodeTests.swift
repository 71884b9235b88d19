import CloudKeys
import SamplePhotos
import TestSupport
import Testing

/// Codes are read from paper by people, years later.
@Suite(.timeLimit(.minutes(1))) struct RecoveryCodeTests {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    @Test func aCodeHasSevenGroupsOfFourCharacters() {
        var generator = SeededGenerator(seed: 1)
        let groups = RecoveryCode(using: &generator).text.split(separator: "-")
        #expect(groups.map(\.count) == [4, 4, 4, 4, 4, 4, 4])
        #expect(groups.joined().allSatisfy(Self.alphabet.contains))
    }

    @Test func codesAreReadGenerously() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<200 {
            let code = RecoveryCode(using: &generator)
            let text = code.text
            let plain = text.filter { $0 != "-" }
            let variants = [
                text, text.lowercased(), plain, plain.lowercased(), "  \(text)\n",
                text.replacing("-", with: " "), text.replacing("-", with: " – "),
                text.replacing("-", with: "\u{2011}"), plain.map { "\($0)" }.joined(separator: " "),
                text.replacing("0", with: "O").replacing("1", with: "I"),
                text.replacing("0", with: "o").replacing("1", with: "l"),
            ]
            for variant in variants {
                #expect(try RecoveryCode(reading: variant) == code, "\(variant), \(seed)")
            }
        }
    }

    /// Every wrong character, and every exchange of two different ones, wherever they stand.
    @Test func typingErrorsAreFound() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let plain = Array(RecoveryCode(using: &generator).text.filter { $0 != "-" })
        for index in plain.indices {
            for character in Self.alphabet where character != plain[index] {
                var wrong = plain
                wrong[index] = character
                expectRefusal([.mistypedRecoveryCode], seed.comment) {
                    _ = try RecoveryCode(reading: String(wrong))
                }
            }
            for other in plain.indices where plain[other] != plain[index] {
                var wrong = plain
                wrong.swapAt(index, other)
                expectRefusal([.mistypedRecoveryCode], seed.comment) {
                    _ = try RecoveryCode(reading: String(wrong))
                }
            }
        }
    }

    @Test(arguments: ["", "-", "ABC", String(repeating: "A", count: 2000), "ABCU", "É", "🙂"])
    func otherTextsAreRefused(_ text: String) throws {
        expectRefusal([.mistypedRecoveryCode]) { _ = try RecoveryCode(reading: text) }
    }

    @Test func aMissingOrDoubledCharacterIsFound() throws {
        var generator = SeededGenerator(seed: 2)
        let text = RecoveryCode(using: &generator).text
        expectRefusal([.mistypedRecoveryCode]) {
            _ = try RecoveryCode(reading: String(text.dropLast()))
        }
        expectRefusal([.mistypedRecoveryCode]) { _ = try RecoveryCode(reading: text + "A") }
    }

    @Test func messagesContainNoPartOfTheCode() throws {
        var generator = SeededGenerator(seed: 3)
        let text = RecoveryCode(using: &generator).text
        let error = #expect(throws: CloudKeyError.self) {
            try RecoveryCode(reading: text.dropLast(4) + "!!!!")
        }
        let message = try #require(error).description
        #expect(text.split(separator: "-").allSatisfy { !message.contains($0) })
    }
}
