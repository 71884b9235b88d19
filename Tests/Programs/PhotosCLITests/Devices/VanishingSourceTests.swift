import Foundation
import Glibc
import TestSupport
import Testing

/// Libraries and exports on a disk of which a part cannot be read, or that is disconnected during
/// the import.
@Suite(.timeLimit(.minutes(10))) struct VanishingSourceTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// What an import makes, without what each import makes anew.
    private func content(_ library: URL, hasIdentifiers: Bool = true) throws -> [String] {
        let id = hasIdentifiers ? "a.uuid" : "''"
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", library.path + "/database/library.sqlite",
                """
                SELECT 'asset', \(id), originalFilename, title, caption, keywords, creationDate,
                    isFavorite, trashedDate IS NULL, hasAdjustments, latitude FROM asset a;
                SELECT 'file', a.originalFilename, r.type, r.originalFilename, hex(r.sha256)
                FROM resource r JOIN asset a ON a.id = r.assetId;
                SELECT 'members', c.title, c.kind, (SELECT group_concat(name) FROM (
                    SELECT a.originalFilename AS name FROM albumAsset j
                    JOIN asset a ON a.id = j.assetId
                    WHERE j.albumId = c.id ORDER BY j.position, a.id)) FROM collection c;
                SELECT 'item', kind, isComplete, item FROM migratedItem;
                """,
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        return output.lines.sorted()
    }

    @Test func unreadableFolderCostsItsOriginals() throws {
        var library = AppleLibrary()
        library.assets = 10
        let source = world.folder.file("Mac.photoslibrary")
        try library.write(to: source)
        let locked = try world.folder.folder("Mac.photoslibrary/originals/B")
        for index in 0..<3 {
            let stem = library.uuid(index)
            for suffix in [".jpeg", "_3.mov"] {
                let file = source.appendingPathComponent("originals/A/" + stem + suffix)
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                let target = locked.appendingPathComponent(stem + suffix)
                try FileManager.default.moveItem(at: file, to: target)
            }
        }
        try library.execute("UPDATE ZASSET SET ZDIRECTORY = 'B' WHERE Z_PK <= 3;", in: source)
        chmod(locked.path, 0)
        defer { chmod(locked.path, 0o755) }
        let report = world.folder.file("report.jsonl")
        let output = try world.runWithoutPrivileges(
            "import",
            "--json",
            source.path,
            "--report",
            report.path
        )
        #expect(output.status == 1, "\(output.errorText)")
        let lines = try output.lines.map(JSONLine.init)
        let missing = lines.filter { $0["outcome"] == "missing" }
        #expect(missing.count == 3)
        #expect(missing.allSatisfy { $0["reason"]?.contains("originals/B") == true })
        #expect(lines.count { $0["outcome"] == "imported" } == 7)
        let totals = try #require(
            try String(contentsOf: report, encoding: .utf8).split(separator: "\n").last
        )
        #expect(totals.contains("folderUnreadable") && totals.contains("\"addsUp\":true"))
        let counts = try JSONLine(String(totals)).values["totals"] as? [String: Any]
        let notes = counts?["notes"] as? [[String: Any]]
        let note = notes?.first { $0["code"] as? String == "folderUnreadable" }
        #expect(note?["level"] as? String == "error", "\(totals)")
        chmod(locked.path, 0o755)
        let rest = try world.run("import", source.path)
        #expect(rest.status == 0, "\(rest.errorText)")
        let other = try CommandWorld()
        #expect(try other.run("import", source.path).status == 0)
        #expect(try content(world.library) == content(other.library))
        try world.expectClean()
    }

    private static let mounts = ConditionTrait.enabled(
        if: DeviceMount.isUsable,
        "This system has no usable /dev/fuse, or no fusepy."
    )

    @Test(mounts) func libraryThatVanishesIsCompletedLater() throws {
        var library = AppleLibrary()
        library.assets = 40
        let source = world.source.appendingPathComponent("Mac.photoslibrary")
        try library.write(to: source)
        let whole = world.folder.file("Whole.photolibrary")
        #expect(try world.run("--library", whole.path, "import", source.path).status == 0)
        let expected = try content(whole)
        let mount = try world.folder.folder("disk")
        let report = world.folder.file("report.jsonl")
        let path = mount.appendingPathComponent("Mac.photoslibrary").path
        for error in [EIO, ENOTCONN, ENOENT] {
            let own = world.folder.file("\(error).photolibrary")
            let arguments = ["--library", own.path, "import", "--json", path]
            var device: DeviceMount? = try DeviceMount(
                of: world.source,
                at: mount,
                log: world.folder.file("log"),
                .init(reads: 35, error: error)
            )
            let output = try world.run(arguments + ["--report", report.path])
            #expect(output.status == 1, "\(error)")
            let lines = try output.lines.map(JSONLine.init)
            let items = lines.compactMap(\.item)
            for index in 0..<library.assets {
                #expect(items.contains(library.uuid(index)), "\(error)")
            }
            let imported = lines.count { $0["outcome"] == "imported" }
            #expect(imported > 0 && imported < library.assets, "\(error): \(imported)")
            let totals = try #require(
                try String(contentsOf: report, encoding: .utf8).split(separator: "\n").last
            )
            #expect(totals.contains("\"addsUp\":true"), "\(error): \(totals)")
            device?.unmount()
            device = try DeviceMount(of: world.source, at: mount, log: world.folder.file("log"))
            let rest = try world.run(arguments)
            #expect(rest.status == 0, "\(error): \(rest.errorText)")
            device?.unmount()
            #expect(try content(own) == expected, "\(error)")
            try world.expectClean(own)
        }
    }

    /// An export without edited copies: one that is read when its original cannot be is a photo of
    /// its own.
    private func export() throws -> TakeoutTree {
        let base = try TakeoutTree.picture(seed: 1)
        var (media, descriptions) = (TakeoutTree(), TakeoutTree())
        for index in 0..<40 {
            let name = "\(index).jpg"
            var description = TakeoutTree.Description(title: name)
            description.taken = 1_500_000_000 + index * 86_400
            description.isFavorite = index % 4 == 0
            let folder = index % 3 == 0 ? "Summer/" : "Photos from 2017/"
            media.add(
                folder + name,
                base + Data("photo \(index)".utf8) + Data(count: 200_000)
            )
            descriptions.add(folder + name + ".json", description.data)
        }
        descriptions.add("Summer/metadata.json", Data("{\"title\": \"Summer\"}".utf8))
        // An archive's directory and descriptions are read before its photos.
        media.files += descriptions.files
        return media
    }

    @Test(mounts, arguments: ["folder", "zip"]) func exportThatVanishesIsCompletedLater(
        _ kind: String
    ) throws {
        let tree = try export()
        let mount = try world.folder.folder("disk")
        let name = "takeout-20240131T101112Z-001.zip"
        if kind == "zip" {
            try tree.writeZIP(to: world.source.appendingPathComponent(name))
        } else {
            try tree.write(to: world.source)
        }
        let path = kind == "zip" ? mount.appendingPathComponent(name).path : mount.path
        var device: DeviceMount? = try DeviceMount(
            of: world.source,
            at: mount,
            log: world.folder.file("log"),
            // A folder's descriptions are a read each.
            .init(reads: kind == "zip" ? 30 : 80, error: EIO)
        )
        let output = try world.run("import", "--json", path)
        #expect(output.status == 1)
        let lines = try output.lines.map(JSONLine.init)
        let imported = lines.count { $0["outcome"] == "imported" }
        #expect(imported > 0 && imported < 40, "\(imported): \(output.errorText)")
        #expect(lines.count == tree.files.count, "\(lines.count)")
        device?.unmount()
        device = try DeviceMount(of: world.source, at: mount, log: world.folder.file("log"))
        let rest = try world.run("import", "--json", path)
        #expect(rest.status == 0, "\(rest.errorText)")
        withExtendedLifetime(device) {}
        let other = try CommandWorld()
        let original = kind == "zip" ? world.source.appendingPathComponent(name) : world.source
        #expect(try other.run("import", original.path).status == 0)
        #expect(
            try content(world.library, hasIdentifiers: false)
                == content(other.library, hasIdentifiers: false)
        )
        try world.expectClean()
    }
}
