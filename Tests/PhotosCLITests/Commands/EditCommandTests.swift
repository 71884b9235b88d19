import Foundation
import TestSupport
import Testing

/// `photos edit` and `photos revert`: the original stays as it is, and edits go on (behaviours 36, 158).
@Suite(.timeLimit(.minutes(3))) struct EditCommandTests {
    let world: CommandWorld
    let asset: String

    /// A library with a colourful photo of 64 × 48.
    init() throws {
        world = try CommandWorld()
        asset = try #require(try world.library(of: ["town.jpg"]).first)
    }

    /// What is shown, read by another program: its size, and how colourful it is, 0...255.
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

    /// The SHA-256 of all originals in the library.
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
        // JPEG rounds the colours of grey by a step or two.
        #expect(try shown().color <= 4)
        #expect(try shown("unadjusted").color > 20)

        // What is named changes; the rest of the edit stays.
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
        // No notes either: what an edit worked in is no interrupted import.
        #expect(try world.run("verify", "--full").errorText == "The library is whole.\n")
    }

    @Test func whatCantBeDoneIsNamed() throws {
        let filter = try world.run("edit", asset, "--filter", "Sepia")
        #expect(filter.status == 2)
        #expect(filter.errorText.contains("Sepia") && filter.errorText.contains("Noir"))
        let exposure = try world.run("edit", asset, "--exposure", "9")
        #expect(exposure.status == 2)
        #expect(exposure.errorText.contains("exposure is 9.0, and goes from -5 to 5."))
        let nothing = try world.run("edit", asset)
        #expect(nothing.status == 2 && nothing.errorText.contains("Say what to do"))
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
}
