import Foundation
import TestSupport
import Testing

/// Originals of Apple libraries on other volumes, in the command's lines.
@Suite(.timeLimit(.minutes(5))) struct ReferencedOriginalTests {
    let world: CommandWorld
    let library: AppleLibrary
    let source: URL
    let disk: URL
    /// The path of the referenced original below its volume.
    let place: String

    init() throws {
        world = try CommandWorld()
        var library = AppleLibrary()
        library.assets = 4
        (library.editedEvery, library.liveEvery) = (0, 0)
        self.library = library
        source = world.folder.file("Mac/A copied folder")
        try library.write(to: source)
        disk = world.folder.file("disk")
        place = "Trips/\(library.uuid(2)).jpeg"
        _ = try world.folder.folder("disk/Trips")
        try FileManager.default.moveItem(
            atPath: source.path + "/" + library.original(2),
            toPath: disk.path + "/" + place
        )
        try library.execute(
            """
            UPDATE ZASSET SET ZSAVEDASSETTYPE = 10, ZDIRECTORY = '/Volumes/Photo Disk/Trips'
            WHERE ZUUID = '\(library.uuid(2))';
            """,
            in: source
        )
    }

    private func line(_ arguments: String...) throws -> (line: JSONLine, status: Int32) {
        let output = try world.run(["import", "--json", source.path] + arguments)
        let lines = try output.lines.map(JSONLine.init)
        let item = lines.first {
            $0.item == library.uuid(2)
        }
        return (try #require(item, "\(output.errorText)"), output.status)
    }

    private func volume(_ line: JSONLine) -> [String: String]? {
        (line.values["source"] as? [String: Any])?["volume"] as? [String: String]
    }

    @Test(arguments: [true, false])
    func originalOnAnAbsentVolumeIsNamedWithTheWayOut(isDryRun: Bool) throws {
        let (line, status) = isDryRun ? try line("--dry-run") : try line()
        #expect(status == 1)
        #expect(line["outcome"] == "missing" && line["path"] == nil, "\(line.text)")
        #expect(volume(line) == ["name": "Photo Disk", "path": place])
        let reason = try #require(line["reason"])
        #expect(reason.contains(place) && reason.contains("--volume \"Photo Disk=PATH\""))
        // A person reads the same.
        let output = try world.run("import", source.path)
        #expect(output.text.contains("Photo Disk: \(place)"), "\(output.text)")
        // Nothing is in iCloud, so that nobody is sent to a Mac.
        #expect(output.errorText.contains("--volume \"Photo Disk=PATH\""))
        #expect(!output.errorText.contains("Download Originals"), "\(output.errorText)")
        #expect(!output.text.contains(source.path + "/" + place))
    }

    @Test(arguments: [true, false])
    func takenOriginalHasItsPathOnThisMachine(isDryRun: Bool) throws {
        let option = "Photo Disk=" + disk.path
        let (line, status) =
            isDryRun ? try line("--volume", option, "--dry-run") : try line("--volume", option)
        #expect(status == 0)
        #expect(line["outcome"] == "imported" && line["path"] == disk.path + "/" + place)
        #expect(volume(line) == ["name": "Photo Disk", "path": place])
    }

    /// What is missing, damaged or unreadable on a volume is reported where it is expected.
    @Test func troubleOnAVolumeHasItsPathOnThisMachine() throws {
        let option = "Photo Disk=" + disk.path
        let file = URL(fileURLWithPath: disk.path + "/" + place)
        try Data().write(to: file)
        let (empty, _) = try line("--volume", option)
        #expect(empty["outcome"] == "failed" && empty["path"] == file.path, "\(empty.text)")
        try FileManager.default.removeItem(at: file)
        let (gone, status) = try line("--volume", option)
        #expect(gone["outcome"] == "missing" && gone["path"] == file.path, "\(gone.text)")
        #expect(status == 1 && gone["reason"]?.contains("top folder") == true)
        // It is added once it is there.
        try Data(contentsOf: URL(fileURLWithPath: source.path + "/" + library.original(0)))
            .write(to: file)
        #expect(try line("--volume", option).line["outcome"] != "missing")
    }
}
