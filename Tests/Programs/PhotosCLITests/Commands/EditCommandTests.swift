import Foundation
import SamplePhotos
import TestSupport
import Testing

/// `photos edit` and `photos revert`: the original remains unchanged, and edits can be continued
/// (behaviors 36, 158).
@Suite(.timeLimit(.minutes(3))) struct EditCommandTests {
    let world: CommandWorld
    let asset: String

    /// Creates a library with a colorful photo of 64 × 48.
    init() throws {
        world = try CommandWorld()
        asset = try #require(try world.library(of: ["town.jpg"]).first)
    }

    /// Returns the size and the saturation, 0...255, of the current picture, as another program
    /// reads them.
    private func shown(_ version: String = "current") throws -> (size: String, color: Int) {
        let png = world.folder.file("shown.png").path
        let output = try world.run("image", asset, "-o", png, "--version", version)
        #expect(output.status == 0, "\(output.errorText)")
        let pixmap = world.folder.file("shown.ppm")
        #expect(try ProcessRunner.run("vips", ["copy", png, pixmap.path]).status == 0)
        let size = try ProcessRunner.run("exiftool", ["-s3", "-ImageSize", png]).text
        let pixels = try Array(Data(contentsOf: pixmap).suffix(64 * 48 * 3))
        let color = stride(from: 0, to: pixels.count - 2, by: 3).map { start in
            let pixel = pixels[start..<start + 3]
            return Int(pixel.max() ?? 0) - Int(pixel.min() ?? 0)
        }
        return (size.trimmingCharacters(in: .newlines), color.max() ?? 0)
    }

    private func details() throws -> JSONLine {
        try #require(try world.objects("show", asset, "--json").first)
    }

    /// Returns the SHA-256 of all originals in the library.
    private func originals() throws -> [String] {
        let root = world.library.appendingPathComponent("originals")
        let names = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
        return try names.filter { $0.contains(".") }.sorted().map {
            try CommandWorld.sha256(of: root.appendingPathComponent($0))
        }
    }

    @Test func editsGoOnAndGo() throws {
        let before = try originals()
        let source = world.source.appendingPathComponent("town.jpg")
        #expect(try before == [CommandWorld.sha256(of: source)])

        let line = try #require(
            try world.objects("edit", asset, "--filter", "Noir", "--json").first
        )
        #expect(line["localIdentifier"] == asset && line["outcome"] == "edited")
        let edited = try details()
        #expect(edited.flag("hasAdjustments") == true)
        #expect(edited["adjustmentFormatIdentifier"] == "org.swift-photos.adjustments")
        // JPEG rounds the colors of gray by a step or two.
        #expect(try shown().color <= 4)
        #expect(try shown("unadjusted").color > 20)

        // Named values change; the rest of the edit remains.
        let turned = try world.run("edit", asset, "--rotate", "90")
        #expect(turned.status == 0 && turned.errorText == "Edited 1 photo.\n")
        let grey = try shown()
        #expect(grey.size == "48x64" && grey.color <= 4)
        #expect(try world.run("edit", asset, "--filter", "none").status == 0)
        let colorful = try shown()
        #expect(colorful.size == "48x64" && colorful.color > 20)
        #expect(try originals() == before)

        let reverted = try #require(try world.objects("revert", asset, "--json").first)
        #expect(reverted["localIdentifier"] == asset && reverted["outcome"] == "reverted")
        let after = try details()
        #expect(after.flag("hasAdjustments") == false)
        #expect(after["adjustmentFormatIdentifier"] == nil)
        #expect(try shown().size == "64x48")
        #expect(try originals() == before)
        // Not even notes: an edit's staging folder is not an interrupted import.
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func whatCantBeDoneIsNamed() throws {
        let filter = try world.run("edit", asset, "--filter", "Sepia")
        #expect(filter.status == 2)
        #expect(filter.errorText.contains("Sepia") && filter.errorText.contains("Noir"))
        let exposure = try world.run("edit", asset, "--exposure", "9")
        #expect(exposure.status == 2)
        #expect(exposure.errorText.contains("exposure is 9.0, but must be from -5 to 5."))
        let nothing = try world.run("edit", asset)
        #expect(nothing.status == 2 && nothing.errorText.contains("Give an adjustment"))
        // All are changed, or none.
        let unknown = "00000000-0000-4000-8000-000000000000/L0/001"
        let lines = try world.objects(
            "edit",
            asset,
            unknown,
            "--filter",
            "Noir",
            "--json",
            status: 1
        )
        #expect(lines.map { $0["outcome"] } == ["failed", "failed"])
        #expect(try details().flag("hasAdjustments") == false)
    }

    // MARK: - Live Photos and movies

    /// Imports a colorful Live Photo with a movie of 8 frames and a tone.
    private func livePhoto() throws -> String {
        var metadata = SampleMetadata()
        metadata.contentIdentifier = "A17C5F2E-0000-4000-8000-000000000018"
        try world.photo("IMG_0018.JPG", metadata: metadata)
        let movie = world.source.appendingPathComponent("IMG_0018.MOV").path
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=10", "-f", "lavfi",
                "-i", "sine=440:sample_rate=44100", "-t", "0.8", "-c:v", "libx264", "-preset",
                "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags",
                "use_metadata_tags", "-metadata",
                "com.apple.quicktime.content.identifier=A17C5F2E-0000-4000-8000-000000000018",
                movie,
            ]
        )
        try #require(output.status == 0, "\(output.errorText)")
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.first { $0.name == "IMG_0018.MOV" }?["outcome"] == "paired")
        return try #require(lines.first { $0.name == "IMG_0018.JPG" }?["localIdentifier"])
    }

    /// Returns the average saturation of a picture, or of each frame of a movie, by FFmpeg: 0 is
    /// gray.
    private func saturations(of file: URL) throws -> [Double] {
        let key = "lavfi.signalstats.SATAVG"
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-i", file.path, "-vf",
                "format=yuv444p,signalstats,metadata=print:key=\(key):file=-", "-f", "null", "-",
            ]
        )
        return output.lines.compactMap { line in
            line.hasPrefix(key) ? Double(line.dropFirst(key.count + 1)) : nil
        }
    }

    private func isLive(_ identifier: String) throws -> Bool {
        let line = try #require(try world.objects("show", identifier, "--json").first)
        let subtypes = try #require(line.values["mediaSubtypes"] as? [String])
        #expect(subtypes.contains("photoLive") == (line["playbackStyle"] == "livePhoto"))
        return subtypes.contains("photoLive")
    }

    @Test func livePhotoStaysOne() throws {
        let live = try livePhoto()
        #expect(try isLive(live))
        let source = world.source.appendingPathComponent("IMG_0018.MOV")
        #expect(try saturations(of: source).max() ?? 0 > 5)
        let edited = try world.run(
            "edit",
            live,
            "--filter",
            "Noir",
            "--sharpness",
            "0.5",
            "--auto",
            "true"
        )
        #expect(edited.status == 0, "\(edited.errorText)")
        #expect(try isLive(live))
        let out = world.folder.file("out")
        let lines = try world.objects("export", live, "--current", "--json", "-o", out.path)
        #expect(lines.map { $0["type"] } == ["fullSizePhoto", "fullSizePairedVideo"])
        #expect(lines.map(\.name) == ["IMG_0018-edited.JPG", "IMG_0018-edited.MOV"])
        let movie = out.appendingPathComponent("IMG_0018-edited.MOV")
        let grey = try saturations(of: movie)
        #expect(grey.count == 8 && grey.allSatisfy { $0 < 1 }, "\(grey)")
        #expect(
            try saturations(of: out.appendingPathComponent("IMG_0018-edited.JPG"))
                .allSatisfy { $0 < 1 }
        )
        // Another edit continues from there, and rotates both files.
        let turned = try world.run("edit", live, "--rotate", "90", "--filter", "none")
        #expect(turned.status == 0, "\(turned.errorText)")
        #expect(try isLive(live))
        let again = try world.objects("export", live, "--current", "--json", "-o", out.path)
        let sizes = try again.compactMap { $0["path"] }.map { path in
            try ProcessRunner.run("exiftool", ["-s3", "-ImageSize", path]).text
        }
        #expect(sizes == ["48x64\n", "96x128\n"])
        #expect(try saturations(of: out.appendingPathComponent(again[1].name)).max() ?? 0 > 5)
        #expect(try world.run("revert", live).status == 0)
        #expect(try isLive(live))
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func movieIsRefusedWithAReason() throws {
        try world.folder.write(SampleFile.quickTime(SampleMovie()), to: "source/clip.mov")
        let lines = try world.objects("import", "--json", world.source.path)
        let movie = try #require(lines.first { $0.name == "clip.mov" }?["localIdentifier"])
        let output = try world.run("edit", movie, "--filter", "Noir")
        #expect(output.status == 1)
        #expect(output.errorText.contains("for photos and Live Photos"), "\(output.errorText)")
    }
}
