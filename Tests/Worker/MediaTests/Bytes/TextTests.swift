import Media
import Testing

/// Untrusted text as it is stored.
@Suite(.timeLimit(.minutes(1))) struct TextTests {
    @Test(
        arguments: [
            ("plain", "plain"), ("  both \u{a0}", "both"), ("a\u{1}b\u{7f}c\u{85}d", "a b c d"),
            ("one\r\ntwo", "one  two"), ("Zürich 👋", "Zürich 👋"), ("", nil), (" \t\n ", nil),
        ] as [(String, String?)]
    )
    func controlCharactersBecomeBlanks(_ text: String, _ expected: String?) {
        #expect(Text.clean(text) == expected)
        #expect(Text.clean(Array(text.utf8)) == expected)
    }

    @Test(arguments: [
        ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"), ("a\tb", "a\tb"),
        ("\n\na\n\n", "a"), ("a\r\r\nb", "a\n\nb"), ("a\u{1}b", "a b"),
    ])
    func linesStayOnDemand(_ text: String, _ expected: String) {
        #expect(Text.clean(text, keepsLines: true) == expected)
        #expect(Text.clean(Array(text.utf8), keepsLines: true) == expected)
    }

    /// No character is cut in two.
    @Test func longTextsAreCutAtACharacter() {
        let long = String(repeating: "x", count: 5_000)
        #expect(Text.clean(long)?.utf8.count == 4_096)
        #expect(Text.clean(long, limit: 7) == "xxxxxxx")
        #expect(Text.clean("äää", limit: 5) == "ää")
        #expect(Text.clean("ab c", limit: 3) == "ab")
        #expect(Text.clean(Array(repeating: UInt8(ascii: "y"), count: 50_000))?.count == 4_096)
    }

    /// Cameras write Latin-1.
    @Test func otherBytesAreLatin1() {
        #expect(Text.clean([0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68]) == "Zürich")
        #expect(Text.clean([0x41, 0, 0x42]) == "A", "it ends at a zero")
        #expect(Text.clean([0, 0x42]) == nil)
    }

    @Test(arguments: [true, false]) func utf16HasItsByteOrder(isBigEndian: Bool) {
        func bytes(_ text: String) -> [UInt8] {
            text.utf16.flatMap { unit -> [UInt8] in
                let pair = [UInt8(unit >> 8), UInt8(unit & 0xff)]
                return isBigEndian ? pair : pair.reversed()
            }
        }
        func read(_ bytes: [UInt8]) -> String? {
            bytes.withUnsafeBytes { Text.utf16(ByteView($0), isBigEndian: isBigEndian) }
        }
        #expect(read(bytes("Zürich 👋")) == "Zürich 👋")
        #expect(read(bytes("a\0b")) == "a")
        #expect(read(bytes("ab") + [0x41]) == "ab")
        #expect(read([]) == nil)
        #expect(read(bytes(String(repeating: "z", count: 9_000)))?.count == 4_096)
    }
}
