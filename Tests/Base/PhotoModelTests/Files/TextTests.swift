import PhotoModel
import Testing

/// Hashes of texts, and texts in XML.
@Suite(.timeLimit(.minutes(1))) struct TextTests {
    @Test func hashIsFNV1a() {
        // The published test vectors of 64-bit FNV-1a.
        #expect("".stableHash == "cbf29ce484222325")
        #expect("a".stableHash == "af63dc4c8601ec8c")
        #expect("foobar".stableHash == "85944171f73967e8")
    }

    @Test func markupIsEscaped() {
        #expect(XMLText.escaped("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;")
        #expect(XMLText.escaped("1\n2\r3\t") == "1&#10;2&#13;3&#9;")
        #expect(XMLText.escaped("ä 山 👋") == "ä 山 👋")
    }

    @Test func forbiddenCharactersAreReplaced() {
        #expect(
            XMLText.escaped("\u{0}\u{1F}\u{FFFE}\u{FFFF}") == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"
        )
    }

    @Test func rawTypesAreRecognizedByTheirEnd() {
        #expect("com.canon.cr2-raw-image".isRAWContentType)
        #expect(!"public.jpeg".isRAWContentType)
    }
}
