import Foundation
import TestSupport
import Testing
import WorkerProtocol

/// The detection of XMP sidecars by their structure, not by any occurrence of XMP.
@Suite(.timeLimit(.minutes(1)))
struct SidecarDetectionTests {
    private let folder: TemporaryFolder
    private let prober = Prober.shared

    init() throws { folder = try TemporaryFolder() }

    private func probe(_ data: Data) throws -> Prober.Answer {
        try prober.probe(path: try folder.write(data, to: "IMG_0001.xmp").path)
    }

    private static let description = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
         <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
          <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Bäume</rdf:li></rdf:Alt></dc:title>
         </rdf:Description>
        </rdf:RDF>
        """
    private static let meta = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="A > B">\(description)</x:xmpmeta>
        """
    private static let packet = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        \(meta)
        <?xpacket end="w"?>
        """

    @Test(
        "Packets, documents and their encodings are sidecars",
        arguments: [
            meta, packet, description, "\u{FEFF}" + packet, " \r\n\t" + meta,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + meta,
            "<?xml version='1.0'?>\n<!-- <svg> - written by hand -->\n" + packet,
            meta.replacingOccurrences(of: "x:", with: "meta:")
                .replacingOccurrences(of: "xmlns:x=", with: "xmlns:meta="),
        ]
    )
    func sidecars(_ text: String) throws {
        let facts = try probe(Data(text.utf8)).facts
        #expect(facts?.format == .xmp)
        #expect(facts?.title == "Bäume")
    }

    @Test(
        "A sidecar may be in UTF-16 or UTF-32",
        arguments: [
            String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian,
            .utf32LittleEndian,
        ],
        [packet, meta]
    )
    func wideSidecars(_ encoding: String.Encoding, _ text: String) throws {
        let facts = try probe(try #require(text.data(using: encoding))).facts
        #expect(facts?.format == .xmp)
        #expect(facts?.title == "Bäume")
    }

    @Test(
        "Drawings, pages and other documents that contain XMP are no sidecars",
        arguments: [
            (
                "<svg xmlns='http://www.w3.org/2000/svg'><metadata>\(description)</metadata></svg>",
                "SVG"
            ),
            (
                "<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD' 'http://a/b' [ <!ENTITY a 'b>'> ]>"
                    + "<svg:svg xmlns:svg='http://www.w3.org/2000/svg'>\(packet)</svg:svg>", "SVG"
            ),
            ("<html><body><pre>\(packet)</pre></body></html>", "web page"),
            ("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><other>\(meta)</other>", "XML"),
            ("<x:xmpmeta>\(description)</x:xmpmeta>", "XML"),
            ("<x:xmpmeta xmlns:x='urn:other'>\(description)</x:xmpmeta>", "XML"),
            ("<!DOCTYPE a [<!ENTITY a 'a'>]>\(meta)", "document type"),
            ("A sidecar begins with <x:xmpmeta.\n\(packet)", "text"),
            ("<!-- \(packet)", "text"), ("<?xpacket", "text"),
            ("<x:xmpmeta xmlns:x='adobe", "text"),
        ]
    )
    func documents(_ text: String, _ words: String) throws {
        try expectUnsupported(Data(text.utf8), words)
    }

    @Test("Binary files that contain XMP or property lists are no sidecars")
    func binaries() throws {
        let list = Data("<plist><dict><key>adjustmentFormatIdentifier</key></dict></plist>".utf8)
        for head: [UInt8] in [[0x00, 0xff, 0x4b, 0x41], [0x3c, 0x00, 0x01], [0x7f, 0x45, 0x02]] {
            try expectUnsupported(Data(head) + Data(Self.packet.utf8), "not in a known")
            try expectUnsupported(Data(head) + list, "not in a known")
        }
    }

    @Test("No more than the beginning is read to find out")
    func readsTheBeginning() throws {
        let comment = String(repeating: "<!-- nothing -->", count: 100_000)
        try expectUnsupported(Data((comment + Self.meta).utf8), "text")
    }

    @Test("A sidecar that cannot be read is one, and says so")
    func damagedSidecars() throws {
        let facts = try probe(Data(Self.packet.prefix(300).utf8)).facts
        #expect(facts?.format == .xmp)
        #expect(facts?.hasReadableHeader == false)
    }

    private func expectUnsupported(_ data: Data, _ words: String) throws {
        guard case .unsupported(let reason) = try probe(data) else {
            Issue.record(
                "\(String(decoding: data.prefix(80), as: UTF8.self)) was taken for a medium"
            )
            return
        }
        #expect(reason.contains(words))
    }
}
