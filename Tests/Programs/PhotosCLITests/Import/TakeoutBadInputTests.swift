import Foundation
import Glibc
import SamplePhotos
import TestSupport
import Testing

/// Exports of Google Takeout that are damaged, hostile or unusual, imported by the command.
@Suite(.timeLimit(.minutes(10))) struct TakeoutBadInputTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    // MARK: - Archives

    @Test(arguments: ["zip", "tgz"]) func truncatedPartImportsWhatItHolds(_ kind: String) throws {
        var tree = TakeoutTree()
        for index in 0..<12 {
            // Different pictures, since equal ones take no space in a tape archive.
            let picture = try TakeoutTree.picture(seed: UInt64(100 + index))
            tree.add("P/\(index).jpg", picture)
            tree.add("P/\(index).jpg.json", TakeoutTree.Description(title: "\(index).jpg").data)
        }
        let name = "takeout-20240131T101112Z-00"
        let first = world.source.appendingPathComponent(name + "1." + kind)
        let second = world.source.appendingPathComponent(name + "2." + kind)
        if kind == "zip" {
            try tree.writeZIP(to: first)
        } else {
            try tree.writeTGZ(to: first)
        }
        let size = try Data(contentsOf: first).count
        #expect(truncate(first.path, size / 2) == 0)
        // The other part is not affected.
        var rest = TakeoutTree()
        rest.add("Photos from 2020/whole.jpg", try TakeoutTree.picture(seed: 70))
        rest.add(
            "Photos from 2020/whole.jpg.json",
            TakeoutTree.Description(title: "whole.jpg").data
        )
        if kind == "zip" { try rest.writeZIP(to: second) } else { try rest.writeTGZ(to: second) }
        let lines = try world.objects("import", "--json", world.source.path, status: 1)
        let imported = lines.filter { $0["outcome"] == "imported" }
        #expect((2...12).contains(imported.count))
        #expect(imported.contains { $0["path"] == second.path })
        #expect(imported.contains { $0["path"] == first.path })
        let failed = lines.filter { $0["outcome"] == "failed" }
        #expect(failed.contains { $0["path"] == first.path && $0.item == nil })
        #expect(failed.allSatisfy { $0["path"] == first.path && $0["reason"]?.isEmpty == false })
        try world.expectClean()
        // The whole part completes the library.
        if kind == "zip" {
            try tree.writeZIP(to: first)
        } else {
            try tree.writeTGZ(to: first)
        }
        _ = try world.objects("import", "--json", world.source.path)
        #expect(try world.names().count == 13)
        try world.expectClean()
    }

    // MARK: - Tape archives

    private func photos() throws -> TakeoutTree {
        let picture = try TakeoutTree.picture(seed: 1)
        var tree = TakeoutTree()
        for index in 0..<3 {
            tree.add("P/\(index).jpg", picture + Data("photo \(index)".utf8))
            tree.add("P/\(index).jpg.json", TakeoutTree.Description(title: "\(index).jpg").data)
        }
        tree.add("P/metadata.json", Data("{\"title\": \"Summer\"}".utf8))
        return tree
    }

    /// Writes a tape archive that is not compressed, so that altered bytes of a photo are no error
    /// until the checksum at the end.
    private func storedTape(_ tree: TakeoutTree) throws -> URL {
        let folder = try world.folder.folder("tape")
        try tree.write(to: folder)
        let archive = world.source.appendingPathComponent("takeout-20240131T101112Z-001.tgz")
        let script = """
            import sys, tarfile
            with tarfile.open(sys.argv[1], "w:gz", compresslevel=0) as archive:
                archive.add(sys.argv[2] + "/Takeout", "Takeout")
            """
        let output = try ProcessRunner.run("python3", ["-c", script, archive.path, folder.path])
        try #require(output.status == 0, "\(output.errorText)")
        return archive
    }

    private func alter(_ text: String, in data: inout Data) throws {
        let place = try #require(data.firstRange(of: Data(text.utf8)))
        data[place.lowerBound] ^= 1
    }

    @Test func filesOfATapeWithAWrongChecksumWaitForASoundOne() throws {
        let tree = try photos()
        let archive = try storedTape(tree)
        let whole = try Data(contentsOf: archive)
        var damaged = whole
        try alter("photo 1", in: &damaged)
        try damaged.write(to: archive)
        // Each file, and the archive itself.
        let lines = try world.objects("import", "--json", archive.path, status: 1)
        #expect(lines.count == tree.files.count + 1)
        for line in lines {
            #expect(line["outcome"] == "failed" && line["path"] == archive.path, "\(line.text)")
            #expect(line["reason"]?.contains("checksum of the archive is wrong") == true)
            #expect(line["reason"]?.contains("Download this part again") == true)
        }
        let files = lines.filter { $0.item != nil }
        #expect(Set(files.compactMap(\.item)) == Set(tree.files.map(\.path)))
        #expect(files.allSatisfy { $0["reason"]?.contains(archive.lastPathComponent) == true })
        #expect(try world.names().isEmpty)
        // The same names, sizes and times.
        try whole.write(to: archive)
        let sound = try world.objects("import", "--json", archive.path)
        #expect(sound.count { $0["outcome"] == "imported" } == 3)
        #expect(try world.names().sorted() == ["0.jpg", "1.jpg", "2.jpg"])
        let album = "SELECT count(*) FROM albumAsset"
        #expect(try world.sql(album) == ["3"])
        // What was imported from the sound archive is known.
        try damaged.write(to: archive)
        let again = try world.objects("import", "--json", archive.path, status: 1)
        #expect(again.count { $0["outcome"] == "duplicate" } == 3)
        #expect(!again.contains { $0["outcome"] == "imported" })
        #expect(try world.names().count == 3)
        try world.expectClean()
    }

    /// The checksum of a truncated archive is not there, so its photos may be others than those of
    /// the whole one.
    @Test func aWholePartIsComparedWithATruncatedOne() throws {
        let archive = try storedTape(photos())
        let whole = try Data(contentsOf: archive)
        // Only zeros are cut off, and the checksum.
        var truncated = Data(whole.dropLast(600))
        try alter("photo 1", in: &truncated)
        try truncated.write(to: archive)
        let lines = try world.objects("import", "--json", archive.path, status: 1)
        #expect(lines.count { $0["outcome"] == "imported" } == 3)
        let altered = lines.first { $0.item?.hasSuffix("/1.jpg") == true }
        let former = try #require(altered?["localIdentifier"])
        try whole.write(to: archive)
        let sound = try world.objects("import", "--json", archive.path)
        let imported = sound.filter { $0["outcome"] == "imported" }
        #expect(imported.compactMap(\.item).map { $0.suffix(6) } == ["/1.jpg"])
        #expect(sound.count { $0["outcome"] == "duplicate" } == 2)
        #expect(sound.count { $0.codes.contains("earlierCopyDiffers") } == 1)
        let notes = try #require(imported.first?.values["notes"] as? [[String: Any]])
        let note = notes.first { $0["code"] as? String == "earlierCopyDiffers" }
        #expect((note?["text"] as? String)?.contains(former) == true)
        #expect(try world.names().sorted() == ["0.jpg", "1.jpg", "1.jpg", "2.jpg"])
        // All is known now, and the note was for once.
        let again = try world.objects("import", "--json", archive.path)
        #expect(again.count { $0["outcome"] == "duplicate" } == 3)
        #expect(again.allSatisfy { !$0.codes.contains("earlierCopyDiffers") })
        try world.expectClean()
    }

    // MARK: - Names

    /// A name of more bytes than the names of archives may have.
    private static let longName =
        "Takeout/Google Photos/P/" + String(repeating: "n", count: 4_096) + ".jpg"

    private static let tapeLink = "Takeout/Google Photos/P/tape link.jpg"

    /// Writes a compressed tape archive of files with any names, and of a link.
    private func writeTGZ(_ names: [String], _ content: Data, to archive: URL) throws {
        let script = """
            import io, sys, tarfile
            content = open(sys.argv[2], "rb").read()
            with tarfile.open(sys.argv[1], "w:gz") as archive:
                for name in sys.argv[3:]:
                    entry = tarfile.TarInfo(name)
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
                link = tarfile.TarInfo("\(Self.tapeLink)")
                link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
                archive.addfile(link)
            """
        let file = try world.folder.write(content, to: "content")
        let arguments = ["-c", script, archive.path, file.path] + names
        let output = try ProcessRunner.run("python3", arguments)
        try #require(output.status == 0, "\(output.errorText)")
    }

    @Test func namesThatLeaveTheFolderAreRefused() throws {
        let photo = try TakeoutTree.picture(seed: 1)
        let archive = world.source.appendingPathComponent("takeout-1-001.zip")
        let bad = [
            "../escaped.jpg", "/tmp/photos-escaped.jpg", "Takeout/../../escaped.jpg",
            "Takeout/Google Photos/P/..", "Takeout/Google Photos/P/link.jpg", Self.longName,
        ]
        var zip = ZIPWriter()
        for name in bad {
            let isLink = name.hasSuffix("link.jpg")
            let content = isLink ? Data("/etc/passwd".utf8) : photo + Data(name.utf8)
            try zip.add(name, content, mode: isLink ? 0o120777 : 0o100644)
        }
        try zip.add("Takeout/Google Photos/P/good.jpg", photo)
        try zip.add(
            "Takeout/Google Photos/P/good.jpg.json",
            TakeoutTree.Description(title: "good.jpg").data
        )
        try zip.data().write(to: archive)
        let tape = world.source.appendingPathComponent("takeout-2-001.tgz")
        let good = "Takeout/Google Photos/P/tape.jpg"
        try writeTGZ(["../tape escaped.jpg", Self.longName, good], photo + Data([1]), to: tape)
        let before = try ProcessRunner.run("find", [world.folder.path]).lines
        let lines = try world.objects("import", "--json", archive.path, tape.path, status: 1)
        let failed = lines.filter { $0["outcome"] == "failed" }
        // Messages name the start of what is too long.
        let start = String(Self.longName.prefix(300))
        let items = failed.filter { $0["path"] == archive.path }.compactMap(\.item).sorted()
        #expect(items == (bad.dropLast() + [start]).sorted())
        let tapeItems = failed.filter { $0["path"] == tape.path }.compactMap(\.item).sorted()
        #expect(tapeItems == ["../tape escaped.jpg", start, Self.tapeLink].sorted())
        #expect(failed.allSatisfy { $0["reason"]?.isEmpty == false })
        let reasons = failed.filter { $0.item == start }.compactMap { $0["reason"] }
        #expect(reasons == Array(repeating: "Its name is longer than 4096 bytes.", count: 2))
        #expect(try world.names().sorted() == ["good.jpg", "tape.jpg"])
        let after = try ProcessRunner.run("find", [world.folder.path]).lines
        let library = world.library.path
        #expect(
            Set(after).subtracting(before).allSatisfy {
                $0.hasPrefix(library) || $0.hasPrefix(world.folder.path + "/state")
            }
        )
        #expect(!FileManager.default.fileExists(atPath: "/tmp/photos-escaped.jpg"))
        try world.expectClean()
    }

    @Test(arguments: ["zip", "folder"]) func tooLargeDescriptionIsOneFailedLine(_ kind: String)
        throws
    {
        var tree = TakeoutTree()
        var description = TakeoutTree.Description(title: "A.jpg")
        description.caption = String(repeating: "x", count: 1 << 20)
        tree.add("P/A.jpg", try TakeoutTree.picture(seed: 1))
        tree.add("P/A.jpg.json", description.data)
        tree.add("P/B.jpg", try TakeoutTree.picture(seed: 2))
        tree.add("P/B.jpg.json", TakeoutTree.Description(title: "B.jpg").data)
        let archive = world.source.appendingPathComponent("takeout-1-001.zip")
        if kind == "zip" {
            try tree.writeZIP(to: archive)
        } else {
            try tree.write(to: world.source)
        }
        let path = kind == "zip" ? archive.path : world.source.path
        let lines = try world.objects("import", "--json", path, status: 1)
        let failed = lines.filter { $0["outcome"] == "failed" }
        #expect(failed.count == 1)
        #expect(failed.first?["reason"]?.contains("1 MB") == true)
        #expect(failed.first.flatMap(\.item)?.hasSuffix("P/A.jpg.json") == true)
        #expect(try Set(world.names()) == ["A.jpg", "B.jpg"])
        #expect(lines.count { $0.codes.contains("noMetadata") } == 1)
    }

    // MARK: - Folders

    /// The folder of a download may have any number of other files, and any names.
    @Test func everyEntryOfADownloadFolderHasALine() throws {
        let count = 5200
        for index in 0..<count {
            let file = world.source.appendingPathComponent("note \(index).txt")
            try Data("\(index)".utf8).write(to: file)
        }
        let tree = try TakeoutTree(count: 2)
        for (part, range) in [(1, 0..<2), (2, 2..<tree.files.count)] {
            let name = "takeout-20240131T101112Z-00\(part).zip"
            try tree.writeZIP(to: world.source.appendingPathComponent(name), range)
        }
        // Not UTF-8.
        let odd = Array((world.source.path + "/").utf8) + [0xE9] + Array(".jpg".utf8)
        let photo = try TakeoutTree.picture(seed: 50)
        let file = odd.map(CChar.init(bitPattern:)) + [0]
        let number = open(file, O_WRONLY | O_CREAT, 0o600)
        try #require(number >= 0)
        let written = photo.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
        close(number)
        #expect(written == photo.count)
        let output = try world.run("import", "--json", world.source.path)
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.count == tree.files.count + count + 1)
        #expect(lines.count { $0["outcome"] == "imported" } == 3)
        #expect(lines.count { $0["path"]?.hasSuffix(".txt") == true } == count)
    }

    @Test("Links in a folder have a line, and nothing is read through them")
    func linksInAFolder() throws {
        let tree = try TakeoutTree(count: 1)
        try tree.write(to: world.source)
        let outside = try world.folder.folder("outside")
        for (name, data) in [
            ("secret.jpg", try TakeoutTree.picture(seed: 77)),
            ("secret.jpg.json", TakeoutTree.Description(title: "IMG_1000.jpg").data),
        ] { try data.write(to: outside.appendingPathComponent(name)) }
        let folder = world.source.path + "/Takeout/Google Photos/Photos from 2015/"
        let links = [
            "link.jpg": outside.path + "/secret.jpg",
            "link.jpg.json": "../../../../outside/secret.jpg.json",
            "deeper": outside.path, "nothing.jpg": "nowhere",
        ]
        for (name, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: folder + name,
                withDestinationPath: target
            )
        }
        try #require(mkfifo(folder + "pipe.jpg", 0o600) == 0)
        let lines = try world.objects("import", "--json", world.source.path)
        let refused = lines.filter { $0["outcome"] == "unsupported" }
        #expect(
            Set(refused.compactMap { $0["path"] })
                == Set((links.keys + ["pipe.jpg"]).map { folder + $0 })
        )
        for line in refused {
            let kind = line.name == "pipe.jpg" ? "a named pipe" : "a link"
            #expect(line["reason"]?.hasPrefix("It is \(kind)") == true, "\(line.text)")
        }
        #expect(lines.count == tree.files.count + links.count + 1)
        #expect(try world.names() == ["IMG_1000.jpg"])
    }

    @Test func namesThatAreNotUTF8HaveALine() throws {
        let tree = try TakeoutTree(count: 1)
        try tree.write(to: world.source)
        let folder = world.source.path + "/Takeout/Google Photos/Photos from 2015/"
        let file = (Array(folder.utf8) + [0xE9] + Array(".jpg".utf8)).map(CChar.init(bitPattern:))
        let number = open(file + [0], O_WRONLY | O_CREAT, 0o600)
        try #require(number >= 0)
        close(number)
        let lines = try world.objects("import", "--json", world.source.path, status: 1)
        let failed = lines.filter { $0["outcome"] == "failed" }
        #expect(failed.count == 1)
        #expect(failed.first?["reason"]?.contains("UTF-8") == true)
        #expect(lines.count == tree.files.count + 1)
    }

    // MARK: - Facts

    /// P12: Google states the instant, the camera its clock.
    @Test func offsetsOfCamerasAreRecovered() throws {
        // 2020-05-01 12:00:00 on the camera's clock.
        let wall = 1_588_334_400
        let offsets = [0, 7200, -12_600, 20_700, 50_400, -50_400, 900]
        var tree = TakeoutTree()
        for (index, offset) in offsets.enumerated() {
            let name = "\(index).jpg"
            let date = SampleDate(text: "2020:05:01 12:00:00")
            var description = TakeoutTree.Description(title: name)
            // Clocks are not exact.
            description.taken = wall - offset + index * 9
            tree.add("P/" + name, try TakeoutTree.picture(seed: UInt64(index), date: date))
            tree.add("P/" + name + ".json", description.data)
        }
        try tree.write(to: world.source)
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.allSatisfy { !$0.codes.contains("dateChangedByPerson") })
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                world.library.path + "/database/library.sqlite",
                """
                SELECT originalFilename, captureOffset,
                    cast(round(creationDate + 978307200) AS INTEGER), substr(captureWallTime, 1, 19)
                FROM asset ORDER BY 1
                """,
            ]
        )
        let wanted = offsets.enumerated().map { index, offset in
            "\(index).jpg|\(offset)|\(wall - offset)|2020-05-01T12:00:00"
        }
        #expect(output.lines == wanted)
    }

    @Test func photosOfAPartnerAreImportedAndNamed() throws {
        var tree = TakeoutTree()
        for (index, name) in ["mine.jpg", "partner.jpg"].enumerated() {
            var description = TakeoutTree.Description(title: name)
            description.isFromPartner = index == 1
            tree.add("P/" + name, try TakeoutTree.picture(seed: UInt64(index)))
            tree.add("P/" + name + ".json", description.data)
        }
        try tree.write(to: world.source)
        let lines = try world.objects("import", "--json", world.source.path)
        let named = lines.filter { $0.codes.contains("partnerSharing") }
        #expect(named.map(\.name) == ["partner.jpg"])
        #expect(named.first?["outcome"] == "imported")
        #expect(try Set(world.names()) == ["mine.jpg", "partner.jpg"])
    }
}
