import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileNameTests {
    @Test(
        arguments: [
            ("IMG_1.JPG", "IMG_1", ".JPG"), ("a.tar.gz", "a.tar", ".gz"),
            ("noSuffix", "noSuffix", ""),
            (".hidden", ".hidden", ""), ("a.", "a", "."), ("", "", ""),
            ("a.fifteenletters", "a", ".fifteenletters"),
            ("a.sixteen_letters_", "a.sixteen_letters_", ""),
        ]
    )
    func nameIsSplitAtTheLastDot(name: String, stem: String, suffix: String) {
        let found = FileName(name)
        #expect(found.stem == stem && found.suffix == suffix)
        #expect(found.text() == name)
    }

    @Test func longSuffixInBytesBelongsToTheStem() {
        // Sixteen characters of more than 64 bytes.
        let suffix = "." + String(repeating: "👨‍👩‍👧", count: 10)
        #expect(FileName("a" + suffix).suffix == "")
    }

    @Test func markIsPutBeforeTheSuffix() {
        #expect(FileName("a.jpg").text(marked: " (2)") == "a (2).jpg")
    }

    @Test func stemIsShortenedToTheLimit() {
        let long = String(repeating: "ä", count: 200) + ".jpg"
        let text = FileName(long).text(marked: "~1")
        #expect(text.utf8.count <= FileName.maximumLength)
        #expect(text.utf8.count > FileName.maximumLength - 2)
        #expect(text.hasSuffix("ä~1.jpg"))
        #expect(FileName.fitting("aä", length: 2) == "a")
        #expect(FileName.fitting("abc", length: 3) == "abc")
        #expect(FileName.fitting("abc", length: 0) == "")
    }
}
