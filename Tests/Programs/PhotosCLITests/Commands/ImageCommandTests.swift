import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// `photos image`: pictures in files.
@Suite(.timeLimit(.minutes(3))) struct ImageCommandTests {
    let world: CommandWorld
    let asset: String

    /// Creates a library with a photo of 640 × 480, which is stored rotated.
    init() throws {
        world = try CommandWorld()
        let photo = SamplePhoto(
            Picture(.town, seed: 3),
            size: .init(width: 640, height: 480),
            metadata: SampleMetadata(orientation: .right)
        )
        _ = try world.folder.write(SampleFile.jpeg(photo), to: "source/a.jpg")
        let line = try #require(try world.objects("import", "--json", world.source.path).first)
        asset = try #require(line["localIdentifier"])
    }

    private func file(_ name: String) -> String { world.folder.file(name).path }

    /// Returns the size and type, as another program reads them.
    private func header(_ path: String) throws -> String {
        let output = try ProcessRunner.run("exiftool", ["-s3", "-ImageSize", "-MIMEType", path])
        return output.text.split(separator: "\n").joined(separator: " ")
    }

    @Test(arguments: [
        (["a.png"], "640x480 image/png"),
        (["a.jpg"], "640x480 image/jpeg"),
        (["a.JPEG", "--size", "100x100"], "100x75 image/jpeg"),
        (["a.png", "--size", "100x100", "--mode", "fill"], "133x100 image/png"),
        (["a.png", "--size", "100x100", "--mode", "exact"], "100x100 image/png"),
        (["a.png", "--size", "3000x50", "--mode", "exact"], "3000x50 image/png"),
        (["a.png", "--size", "3000x3000"], "640x480 image/png"),
        (["a.png", "--crop", "0,0,0.5,0.25"], "320x120 image/png"),
        (["a.jpg", "--crop", "0.5,0.5,0.5,0.5", "--size", "60x60"], "60x45 image/jpeg"),
        (["a.dat", "--format", "png", "--size", "48x64"], "48x36 image/png"),
        (["a.png", "--version", "original", "--size", "48x64"], "48x36 image/png"),
        (["a.png", "--version=unadjusted", "--delivery", "fast"], "640x480 image/png"),
        (["a.png", "--delivery", "highQualityFormat", "--size", "48x64"], "48x36 image/png"),
    ])
    func picturesHaveTheSizeAskedFor(arguments: [String], expected: String) throws {
        let path = file(arguments[0])
        let output = try world.run(["image", asset, "-o", path] + arguments.dropFirst())
        #expect(output.status == 0, "\(output.errorText)")
        #expect(output.text == path + "\n")
        if !(arguments.contains("fast")) { #expect(try header(path) == expected) }
        // Nothing else is left next to it.
        let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
        #expect(names.allSatisfy { !$0.hasPrefix(".photos-") })
    }

    @Test func jsonSaysWhatWasWritten() throws {
        let path = file("a.jpg")
        let line = try #require(
            try world.objects(
                "image",
                asset,
                "-o",
                path,
                "--size",
                "60x80",
                "--quality",
                "50",
                "--json"
            ).first
        )
        #expect(line["localIdentifier"] == asset && line["path"] == path)
        #expect(line.number("pixelWidth") == 60 && line.number("pixelHeight") == 45)
        #expect(line["contentType"] == "public.jpeg" && line.flag("isDegraded") == false)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        #expect(line.number("fileSize") == size?.doubleValue)
        let better = try #require(
            try world.objects(
                "image",
                asset,
                "-o",
                path,
                "--size",
                "60x80",
                "--quality",
                "95",
                "--json"
            ).first
        )
        #expect(try #require(better.number("fileSize")) > (line.number("fileSize") ?? 0))
    }

    @Test func aPipeGetsThePicture() throws {
        let script = "\"$0\" image \(asset) -o - --format png --size 48x64 > piped.png"
        let output = try ProcessRunner.run(
            "/bin/sh",
            ["-c", script, BuiltProducts.photos.path],
            environment: world.environment.mapValues { $0 as String? },
            folder: world.folder.url
        )
        #expect(output.status == 0 && output.text == "", "\(output.errorText)")
        #expect(try header(file("piped.png")) == "48x36 image/png")
        // A device is written to, not replaced.
        #expect(try world.run("image", asset, "-o", "/dev/null", "--format", "png").status == 0)
        #expect(access("/dev/null", W_OK) == 0)
    }

    @Test func whatFailsLeavesWhatWasThere() throws {
        let path = file("kept.jpg")
        try Data("kept".utf8).write(to: URL(fileURLWithPath: path))
        let unknown = try world.run("image", "00000000-0000-4000-8000-000000000000", "-o", path)
        #expect(unknown.status == 1 && unknown.errorText.contains("There is no asset"))
        let missing = try world.run("image", asset, "-o", file("no/such/folder.jpg"))
        #expect(missing.status == 1 && missing.errorText.contains("No such file or directory"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("kept".utf8))
    }

    @Test func damagedPhotosAreWrittenAsFarAsTheyGo() throws {
        let whole = try Data(contentsOf: world.source.appendingPathComponent("a.jpg"))
        _ = try world.folder.write(whole.prefix(whole.count * 2 / 3), to: "more/half.jpg")
        let line = try #require(
            try world.objects("import", "--json", world.folder.file("more").path).first
        )
        let half = try #require(line["localIdentifier"])
        let path = file("half.png")
        let output = try world.run("image", half, "-o", path)
        #expect(output.status == 0)
        #expect(output.errorText.contains("is not complete"))
        #expect(try header(path) == "640x480 image/png")
        let told = try world.objects("image", half, "-o", path, "--json")
        #expect(told.first?["damage"]?.contains("truncated") == true)
    }

    @Test(arguments: [
        ["a"], ["a.gif"], ["-"], ["-", "--format", "png", "--json"], [""],
        ["a.jpg", "--size", "100"], ["a.jpg", "--size", "0x5"], ["a.jpg", "--size", "70000x1"],
        ["a.jpg", "--mode", "exact"], ["a.jpg", "--mode", "squeeze"], ["a.jpg", "--quality", "0"],
        ["a.png", "--quality", "50"], ["a.jpg", "--crop", "0,0,2,1"], ["a.jpg", "--crop", "1,2"],
        ["a.jpg", "--version", "newest"], ["a.jpg", "--delivery", "slow"],
    ])
    func mistakesOfUsageEndWithTwo(arguments: [String]) throws {
        let output = try world.run(["image", asset, "-o"] + arguments)
        #expect(output.status == 2, "\(output.errorText)")
        #expect(output.text == "" && output.errorText.hasPrefix("photos: "))
    }
}
