import Foundation
import Media
import PhotoModel
import SamplePhotos
import Testing
import WorkerProtocol

/// Types of files, told by their content alone.
@Suite(.timeLimit(.minutes(1))) struct SnifferTests {
    private static func kind(_ bytes: [UInt8]) -> Sniffer.Kind {
        bytes.withUnsafeBytes { Sniffer.kind(of: ByteView($0)) }
    }

    private static func type(_ bytes: [UInt8]) -> String? {
        if case .medium(_, let type) = kind(bytes) { type } else { nil }
    }

    private static func reason(_ bytes: [UInt8]) -> String? {
        if case .unsupported(let reason) = kind(bytes) { reason } else { nil }
    }

    /// Returns a file type box (ISO/IEC 14496-12).
    private static func brand(_ major: String, _ others: [String] = []) -> [UInt8] {
        let body = Array(major.utf8) + [0, 0, 0, 0] + others.flatMap { Array($0.utf8) }
        return [0, 0, 0, UInt8(body.count + 8)] + Array("ftyp".utf8) + body
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: 64)
    }

    @Test(arguments: [
        ("heic", "public.heic"), ("heix", "public.heic"), ("mif1", "public.heif"),
        ("msf1", "public.heif"), ("avif", "public.avif"), ("crx ", "com.canon.cr3-raw-image"),
        ("qt  ", "com.apple.quicktime-movie"), ("M4V ", "com.apple.m4v-video"),
        ("3gp5", "public.3gpp"), ("3ge6", "public.3gpp"), ("3gg6", "public.3gpp"),
        ("3g2a", "public.3gpp2"), ("jp2 ", "public.jpeg-2000"), ("isom", "public.mpeg-4"),
    ])
    func brandsHaveTheirTypes(_ brand: String, _ type: String) {
        #expect(Self.type(Self.padded(Self.brand(brand))) == type)
    }

    /// A file of an unknown main brand is what a further brand says.
    @Test func furtherBrandsCount() {
        #expect(Self.type(Self.padded(Self.brand("abcd", ["heic"]))) == "public.heic")
        #expect(Self.type(Self.padded(Self.brand("abcd", ["mif1"]))) == "public.heic")
        for audio in ["M4A ", "M4B ", "M4P "] {
            #expect(Self.reason(Self.padded(Self.brand(audio)))?.contains("audio") == true)
        }
    }

    @Test(
        arguments: [
            ([0xff, 0xd8, 0xff, 0xe0], "public.jpeg"), ([0xff, 0x0a], "public.jpeg-xl"),
            ([0xff, 0x4f, 0xff, 0x51], "public.jpeg-2000"), ([0, 0, 1, 0xba], "public.mpeg"),
            (Array("\0\0\0\u{8}wide".utf8), "com.apple.quicktime-movie"),
            (Array("\0\0\0\u{8}free".utf8), "com.apple.quicktime-movie"),
            (Array("\0\0\0\u{1}mdat".utf8), "com.apple.quicktime-movie"),
            (Array("GIF87a".utf8), "com.compuserve.gif"),
            (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "org.webmproject.webp"),
            (Array("RIFF\0\0\0\0AVI LIST".utf8), "public.avi"),
            (Array("8BPS\0\u{1}".utf8), "com.adobe.photoshop-image"),
            (Array("FUJIFILMCCD-RAW 0201".utf8), "com.fuji.raw-image"),
            (Array("\0MRM".utf8), "com.minolta.raw-image"),
            (Array("FOVb".utf8), "com.sigma.raw-image"),
            (
                [
                    0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9, 0, 0xaa, 0, 0x62,
                    0xce,
                    0x6c,
                ], "com.microsoft.windows-media-wmv"
            ),
        ] as [([UInt8], String)]
    )
    func signaturesHaveTheirTypes(_ start: [UInt8], _ type: String) {
        #expect(Self.type(Self.padded(start)) == type)
    }

    @Test func streamsOfPacketsAreRecognized() {
        func stream(_ prefix: [UInt8]) -> [UInt8] {
            (0..<6).flatMap { _ in prefix + [0x47] + [UInt8](repeating: 0xff, count: 187) }
        }
        #expect(Self.type(stream([])) == "public.mpeg-2-transport-stream")
        #expect(Self.type(stream([0, 0, 0, 0])) == "public.avchd-mpeg-2-transport-stream")
    }

    @Test(arguments: [
        ("RIFF\0\0\0\0WAVEfmt ", "RIFF"), ("8BPS\0\u{2}", "PSB"), ("PK\u{3}\u{4}", "ZIP"),
        ("%PDF-1.7", "PDF"), ("SQLite format 3\0", "database"), ("Dear diary", "text"),
        ("<!DOCTYPE html><html></html>", "web page"), ("<svg xmlns='x'/>", "SVG"),
        ("<html xmlns='x'/>", "web page"), ("<note/>", "XML document (note)"),
        ("<plist></plist>", "property list"), ("bplist00", "property list"), ("", "empty"),
        ("\u{1}\u{2}\u{3}", "known"),
    ])
    func otherFilesHaveAReason(_ text: String, _ word: String) {
        #expect(
            Self.reason(Array(text.utf8))?.contains(word) == true,
            "\(Self.kind(Array(text.utf8)))"
        )
    }

    @Test func samplesHaveTheirTypes() throws {
        let photo = SamplePhoto(size: PixelSize(width: 64, height: 48))
        let movie = SampleMovie(size: PixelSize(width: 64, height: 48), duration: 0.1)
        for (data, type) in [
            (try SampleFile.jpeg(photo), "public.jpeg"), (SampleFile.png(photo), "public.png"),
            (SampleFile.dng(photo), "com.adobe.raw-image"),
            (try SampleFile.quickTime(movie), "com.apple.quicktime-movie"),
            (SampleFile.xmp(SampleMetadata()), "com.adobe.xmp"),
            (try SampleFile.aae(), "com.apple.photos.apple-adjustment-envelope"),
        ] {
            #expect(Self.type(Array(data)) == type)
        }
    }
}
