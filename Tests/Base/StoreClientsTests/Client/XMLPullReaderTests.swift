import ObjectStorage
import StoreClients
import StoreFixture
import Testing

@Suite(.timeLimit(.minutes(1))) struct XMLPullReaderTests {
    private func events(_ text: String) throws(XMLPullReader.Failure) -> [XMLPullReader.Event] {
        var reader = XMLPullReader(Array(text.utf8))
        var events: [XMLPullReader.Event] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    @Test func readsElementsAndText() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <a x='1' y = "&lt;"><b>1 &amp; &#50;&#x33;</b><c/></a>

            """
        #expect(
            try events(text) == [
                .start("a"), .start("b"), .text("1 & 23"), .end("b"), .start("c"), .end("c"),
                .end("a"),
            ]
        )
        #expect(try events("\u{FEFF}<a/>") == [.start("a"), .end("a")])
    }

    @Test(arguments: [
        "", " ", "a", "<", "<a", "<a>", "<a></b>", "<a/><b/>", "<a></a>x", "x<a/>", "<a b></a>",
        "<a b=1></a>", "<a b='1'c='2'/>", "<a b='<'/>", "<1 2='3'", "</a>", "<a></a></a>",
        "<!DOCTYPE a><a/>", "<a><!-- --></a>", "<a><![CDATA[x]]></a>", "<a><?p?></a>", "<?xml ",
        "<a>&x;</a>", "<a>&amp</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#x110000;</a>",
        "<a>&#+5;</a>", "<a>&#99999999999;</a>", "<a>&;</a>",
        "<!DOCTYPE a [<!ENTITY b \"b\">]><a>&b;</a>",
        String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
        "<" + String(repeating: "a", count: 101) + "/>",
    ])
    func otherTextIsAnError(_ text: String) {
        #expect(throws: XMLPullReader.Failure.self) { try events(text) }
    }

    @Test func invalidUTF8IsAnError() {
        var reader = XMLPullReader(Array("<a>".utf8) + [0xC3, 0x28] + Array("</a>".utf8))
        #expect(throws: XMLPullReader.Failure.self) {
            while try reader.next() != nil {}
        }
    }

    @Test func everyCutIsAnError() throws {
        let text = "<?xml version='1.0'?><a><b c='d'>e&amp;f</b><g/></a>"
        #expect(try events(text).count == 7)
        for length in 0..<text.utf8.count {
            let cut = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            #expect(throws: XMLPullReader.Failure.self, "\(cut)") { try events(cut) }
        }
    }

    @Test func randomChangesNeverTrap() {
        let text = Array("<?xml version='1.0'?><a><b c='d'>e&#x41;&amp;f</b><g/></a>".utf8)
        let alphabet = Array("<>/&;'\"#x=? a\0".utf8) + [0xFF]
        var state: UInt64 = 7
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<20_000 {
            var bytes = text
            for _ in 0...next(4) {
                switch next(3) {
                case 0: bytes[next(bytes.count)] = alphabet[next(alphabet.count)]
                case 1: bytes.insert(alphabet[next(alphabet.count)], at: next(bytes.count))
                default: bytes.remove(at: next(bytes.count))
                }
            }
            var reader = XMLPullReader(bytes)
            var count = 0
            while (try? reader.next()) ?? nil != nil { count += 1 }
            #expect(count <= bytes.count)
        }
    }

    @Test func documentKeepsLeavesOnly() throws {
        let text = """
            <L><Key>outer</Key><C><Key>a</Key><Owner><Key>no</Key></Owner><Key>b</Key></C>\
            <C><Size>2</Size></C><Key>second</Key><D><E>deep</E></D></L>
            """
        let document = try #require(S3Document(Array(text.utf8), records: "C"))
        #expect(document.root == "L")
        #expect(document.fields["Key"] == "outer")
        #expect(document.fields["E"] == nil)
        #expect(document.records.map { $0["Key"] } == ["a", nil])
        #expect(document.records.map { $0["Size"] } == [nil, "2"])
        #expect(S3Document(Array("<L><C>".utf8), records: "C") == nil)
    }
}
