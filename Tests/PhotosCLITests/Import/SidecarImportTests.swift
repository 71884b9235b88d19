import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Sidecars of other programs, imported by the command.
@Suite(.timeLimit(.minutes(5))) struct SidecarImportTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test("Neighbors that contain XMP are no sidecars, and the reason says what they are")
    func neighborsAreNoSidecars() throws {
        let packet = SampleFile.xmp(SampleMetadata())
        try world.photo("IMG_1.JPG")
        try world.folder.write(packet, to: "source/IMG_1.xmp")
        try world.folder.write(Data([0x00, 0xff, 0x4b, 0x41]) + packet, to: "source/IMG_1.af")
        let svg = "<svg xmlns='http://www.w3.org/2000/svg'><metadata>"
        try world.folder.write(
            Data(svg.utf8) + packet + Data("</metadata></svg>".utf8),
            to: "source/IMG_1.svg"
        )
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(
            lines.outcomes == [
                "IMG_1.JPG": "imported", "IMG_1.xmp": "paired", "IMG_1.af": "unsupported",
                "IMG_1.svg": "unsupported",
            ]
        )
        #expect(lines.first { $0.name == "IMG_1.svg" }?["reason"]?.contains("SVG") == true)
    }
}
