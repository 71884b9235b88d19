import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// Metadata that is inserted into encoded files, as exiftool reads it.
@Suite(.timeLimit(.minutes(1))) struct FileSegmentsTests {
    private let folder: TemporaryFolder
    private let size = PixelSize(width: 64, height: 48)

    init() throws {
        folder = try TemporaryFolder()
        _ = PreviewDecoder.start()
    }

    private func encoded(quality: Int, orientation: Orientation = .up) throws -> [UInt8] {
        let image = Picture(.hills, seed: 2).drawn(size: size)
        return try image.bytes.withUnsafeBytes { rows in
            try PictureEncoder.encode(
                rows,
                size: size,
                bytesPerPixel: 3,
                hasAlpha: false,
                orientation: orientation,
                quality: quality,
                isDisplayP3: false
            ) { Array($0) }
        }
    }

    private func exif() -> [UInt8] {
        var tags = TagDirectories()
        tags.image = [.text(0x10f, "Maker"), .shorts(0x112, [6])]
        return tags.block
    }

    private let xmp = Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="3"/></rdf:RDF></x:xmpmeta>
        """.utf8
    )

    /// Writes a file in pieces and returns what the sink received.
    private func written(
        _ file: [UInt8],
        _ content: FileSegments.Content,
        isJPEG: Bool,
        pieces: [Int]
    ) -> [UInt8] {
        let rows = CollectedRows()
        let writer = SegmentWriter(content, isJPEG: isJPEG, sink: rows)
        var rest = file[...]
        for piece in pieces + [file.count] where !rest.isEmpty {
            #expect(rest.prefix(piece).withUnsafeBytes { writer.take($0) })
            rest = rest.dropFirst(piece)
        }
        #expect(writer.finish() && writer.length == rows.bytes.count)
        return rows.bytes
    }

    @Test func exifToolReadsWhatWasInserted() throws {
        var content = FileSegments.Content(exif: exif(), xmp: xmp)
        for (name, quality) in [("a.jpg", 90), ("a.png", 0)] {
            let isJPEG = quality > 0
            content.iptc = isJPEG ? [0x1c, 2, 5, 0, 3] + Array("IPT".utf8) : nil
            let bytes = written(
                try encoded(quality: quality),
                content,
                isJPEG: isJPEG,
                pieces: []
            )
            let file = try folder.write(Data(bytes), to: name)
            let tags = try ExifTool.tags(of: file)
            #expect(tags["EXIF:Make"] == "Maker" && tags["EXIF:Orientation"] == "6")
            #expect(tags["XMP:Rating"] == "3")
            #expect(tags["IPTC:ObjectName"] == (isJPEG ? "IPT" : nil))
            #expect(try ExifTool.complaints(about: file).isEmpty)
        }
    }

    @Test("The file is the same, however it arrives", arguments: [true, false])
    func piecesMakeNoDifference(_ isJPEG: Bool) throws {
        let seed = TestSeed()
        var generator = seed.generator
        let file = try encoded(quality: isJPEG ? 80 : 0)
        let content = FileSegments.Content(
            exif: exif(),
            xmp: xmp,
            profile: isJPEG ? [UInt8](repeating: 7, count: 150_000) : nil
        )
        let whole = written(file, content, isJPEG: isJPEG, pieces: [])
        for _ in 0..<20 {
            let pieces = (0..<12).map { _ in Int.random(in: 1...9, using: &generator) }
            #expect(
                written(file, content, isJPEG: isJPEG, pieces: pieces) == whole,
                seed.comment
            )
        }
    }

    @Test func longProfilesAreDividedAndFoundAgain() throws {
        let profile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 5) }
        let bytes = written(
            try encoded(quality: 80),
            FileSegments.Content(profile: profile),
            isJPEG: true,
            pieces: []
        )
        var parts: [[UInt8]] = []
        var at = 2
        while bytes[at + 1] != 0xda, at < bytes.count {
            let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
            let content = bytes[at + 4..<at + 2 + length]
            if bytes[at + 1] == 0xe2, content.starts(with: "ICC_PROFILE\0".utf8) {
                #expect(Int(content[content.startIndex + 12]) == parts.count + 1)
                #expect(content[content.startIndex + 13] == 3)
                parts.append(Array(content.dropFirst(14)))
            }
            at += 2 + length
        }
        #expect(parts.flatMap(\.self) == profile)
    }

    @Test func whatExceedsASegmentIsLeftOut() throws {
        let file = try encoded(quality: 80)
        let long = [UInt8](repeating: 32, count: 70_000)
        let content = FileSegments.Content(exif: long, xmp: long, iptc: long)
        #expect(written(file, content, isJPEG: true, pieces: []) == file)
        let most = FileSegments.Content(xmp: [UInt8](repeating: 32, count: 65_504))
        #expect(written(file, most, isJPEG: true, pieces: []).count == file.count + 65_537)
    }

    @Test func theSecondPictureIsIndexed() throws {
        let map = try encoded(quality: 60)
        let bytes = written(
            try encoded(quality: 80),
            FileSegments.Content(exif: exif(), gainMap: map),
            isJPEG: true,
            pieces: []
        )
        let file = try folder.write(Data(bytes + map), to: "two.jpg")
        let tags = try ExifTool.tags(of: file)
        #expect(tags["MPF:NumberOfImages"] == "2")
        let output = try ProcessRunner.run("exiftool", ["-b", "-MPImage2", file.path])
        #expect(Array(output.standardOutput) == map)
    }

    @Test func aFileThatEndsEarlyIsPassedOn() {
        let content = FileSegments.Content(exif: exif())
        let rows = CollectedRows()
        let writer = SegmentWriter(content, isJPEG: true, sink: rows)
        #expect(
            [0xff, 0xd8].withUnsafeBytes { writer.take(UnsafeRawBufferPointer(rebasing: $0[..<1])) }
        )
        #expect(rows.bytes.isEmpty)
        #expect(writer.finish() && rows.bytes.first == 0xff)
        let full = SegmentWriter(content, isJPEG: true, sink: CollectedRows(limit: 5))
        _ = [UInt8](repeating: 0xff, count: 9).withUnsafeBytes { full.take($0) }
        #expect(!full.finish() || full.length > 5)
    }
}
