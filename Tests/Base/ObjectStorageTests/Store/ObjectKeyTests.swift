import ObjectStorage
import Testing

@Suite(.timeLimit(.minutes(1))) struct ObjectKeyTests {
    @Test(arguments: [
        "a", "0", "-", "config/0123abcd", "log/00ff/000000000001-0123456789abcdef",
        "snap/1/manifest", "a/b/c/d/e/f/g/h",
    ])
    func keysOfTheProtocolAreValid(_ text: String) throws {
        #expect(try ObjectKey(text).text == text)
    }

    @Test(arguments: [
        "", "/", "a/", "/a", "a//b", ".", "..", "../a", "a/../b", ".tmp", ".tmp/a", "A", "a b", "ä",
        "a\u{0}", "a\n", "a%2fb", "a+b", "a\\b", "a:b", "a/b/c/d/e/f/g/h/i",
        String(repeating: "a", count: 256), String(repeating: "a/", count: 300) + "a",
    ])
    func otherNamesAreRefused(_ text: String) {
        #expect(ObjectKey(validating: text) == nil)
        let error = #expect(throws: ObjectStoreError.self) { try ObjectKey(text) }
        #expect(error?.code == .invalidName)
    }

    @Test func prefixesEndWithASlash() throws {
        let prefix = try ObjectPrefix("log/1/")
        #expect(try prefix.contains(ObjectKey("log/1/2")))
        #expect(try !prefix.contains(ObjectKey("log/12")))
        #expect(try ObjectPrefix.all.contains(ObjectKey("log/12")))
        for text in ["", "/", "log", "../", "log//", "LOG/"] {
            #expect(throws: ObjectStoreError.self) { try ObjectPrefix(text) }
        }
    }

    @Test func messagesContainNoControlCharacters() {
        let error = #expect(throws: ObjectStoreError.self) {
            try ObjectKey("\u{1B}[31m\n" + String(repeating: "x", count: 10_000))
        }
        let text = error?.description ?? ""
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
        #expect(text.count < 600)
    }
}
