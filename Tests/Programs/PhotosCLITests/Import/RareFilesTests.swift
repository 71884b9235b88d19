import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Files that few programs import: the command's messages and results.
@Suite(.timeLimit(.minutes(2)))
struct RareFilesTests {
    private let world: CommandWorld

    init() throws {
        world = try CommandWorld()
    }

    private func write(_ data: Data, _ name: String) throws {
        try world.folder.write(data, to: "source/\(name)")
    }

    @Test func photoshopDocumentsAreImportedByTheirComposite() throws {
        var writer = PhotoshopWriter(
            Picture(.flowers, seed: 7).drawn(size: PixelSize(width: 320, height: 200))
        )
        try write(writer.data, "poster.psd")
        writer.resources = [(0x0421, Data([0, 0, 0, 1, 0]))]
        try write(writer.data, "layers.psd")
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.outcomes == ["poster.psd": "imported", "layers.psd": "unsupported"])
        let refused = try #require(lines.first { $0["localIdentifier"] == nil })
        #expect(refused["reason"]?.contains("Maximize Compatibility") == true)
        let identifier = try #require(lines.compactMap { $0["localIdentifier"] }.first)
        let shown = try world.run("show", identifier)
        #expect(shown.text.contains("com.adobe.photoshop-image"))
        let image = world.folder.file("image.jpg")
        let output = try world.run(
            "image",
            identifier,
            "-o",
            image.path,
            "--size",
            "100x100",
            "--json"
        )
        #expect(output.status == 0, "\(output.errorText)")
        let written = try JSONLine(try #require(output.lines.first))
        #expect(written["damage"] == nil)
        #expect(try Data(contentsOf: image).starts(with: [0xff, 0xd8]))
        #expect(try world.run("verify", "--full").status == 0)
    }

    @Test func importSaysWhichPhotosAreCutShort() throws {
        let photo = SamplePhoto(
            Picture(.flowers, seed: 7),
            size: PixelSize(width: 640, height: 480)
        )
        let whole = try SampleFile.jpeg(photo)
        // Small enough that its embedded thumbnail is near the end of the file.
        try write(whole.prefix(whole.count * 6 / 10), "short.jpg")
        try write(whole, "whole.jpg")
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.outcomes == ["short.jpg": "imported", "whole.jpg": "imported"])
        for line in lines {
            let isShort = line["path"]?.hasSuffix("short.jpg") == true
            #expect(line["reason"]?.contains("truncated") ?? false == isShort)
        }
        let identifier = try #require(
            lines.first { $0["reason"] != nil }?["localIdentifier"]
        )
        let image = world.folder.file("image.png")
        let output = try world.run("image", identifier, "-o", image.path, "--json")
        let written = try JSONLine(try #require(output.lines.first))
        #expect(written["damage"]?.contains("missing") == true)
    }

    /// The thumbnail has 16 rows or columns, for 15.6 of the whole panorama.
    @Test(.needsProgram("exiftool")) func panoramasWithThinThumbnailsAreImported() throws {
        let picture = Picture(.hills, seed: 7)
        for (name, size, small) in [
            ("wide.jpg", PixelSize(width: 2_050, height: 200), PixelSize(width: 160, height: 16)),
            ("tall.jpg", PixelSize(width: 200, height: 2_050), PixelSize(width: 16, height: 160)),
        ] {
            let whole = try SampleFile.jpeg(SamplePhoto(picture, size: size))
            let file = try world.folder.write(whole, to: "source/\(name)")
            let thumbnail = try world.folder.write(
                picture.drawn(size: small).jpeg(),
                to: "thumbnail.jpg"
            )
            let written = try ProcessRunner.run(
                "exiftool",
                ["-overwrite_original", "-ThumbnailImage<=\(thumbnail.path)", file.path]
            )
            try #require(written.status == 0, "\(written.errorText)")
        }
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.outcomes == ["wide.jpg": "imported", "tall.jpg": "imported"])
    }

    @Test(.needsProgram("ffmpeg")) func camcordersMoviesAreImported() throws {
        let file = world.source.appendingPathComponent("00001.MTS")
        let made = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=25:duration=2",
                "-c:v", "libx264", "-preset", "ultrafast", "-f", "mpegts",
                "-mpegts_m2ts_mode", "1", file.path,
            ]
        )
        try #require(made.status == 0, "\(made.errorText)")
        let line = try #require(
            try world.objects("import", "--json", world.source.path).first
        )
        #expect(line["outcome"] == "imported" && line["reason"] == nil)
        let identifier = try #require(line["localIdentifier"])
        let shown = try world.run("show", identifier)
        #expect(shown.text.contains("public.avchd-mpeg-2-transport-stream"))
        let image = world.folder.file("image.jpg")
        #expect(try world.run("image", identifier, "-o", image.path).status == 0)
    }
}
