import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// Exports of Google Takeout that are imported again, in parts and with changes on both sides.
@Suite(.timeLimit(.minutes(10))) struct TakeoutRepeatTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    // MARK: - Helpers

    private func sql(_ text: String, _ world: CommandWorld? = nil) throws -> [String] {
        try (world ?? self.world).sql(text)
    }

    private func members(_ world: CommandWorld? = nil) throws -> [String] {
        try sql(
            """
            SELECT a.originalFilename FROM albumAsset j JOIN asset a ON a.id = j.assetId
            ORDER BY j.position, a.id
            """,
            world
        )
    }

    private func identifier(_ name: String) throws -> String {
        let line = try world.objects("list", "--json", "--include-hidden")
            .first { $0["originalFilename"] == name }
        return try #require(line?["localIdentifier"])
    }

    /// Photos of one album, of which each is a day later than the one before.
    private func album(_ indices: [Int]) throws -> TakeoutTree {
        let base = try TakeoutTree.picture(seed: 1)
        var tree = TakeoutTree()
        for index in indices {
            let name = "\(index).jpg"
            var description = TakeoutTree.Description(title: name)
            description.taken = 1_500_000_000 + index * 86_400
            tree.add("Summer/" + name, base + Data("photo \(index)".utf8))
            tree.add("Summer/" + name + ".json", description.data)
        }
        tree.add("Summer/metadata.json", Data("{\"title\": \"Summer\"}".utf8))
        return tree
    }

    private func importFolder(_ tree: TakeoutTree, _ name: String, status: Int32 = 0) throws
        -> [JSONLine]
    {
        let folder = try world.folder.folder(name)
        try tree.write(to: folder)
        return try world.objects("import", "--json", folder.path, status: status)
    }

    private func copyTime(of file: URL, to other: URL) throws {
        let output = try ProcessRunner.run("touch", ["-r", file.path, other.path])
        try #require(output.status == 0, "\(output.errorText)")
    }

    // MARK: - Albums

    @Test func laterPartsAreInsertedByDate() throws {
        _ = try importFolder(album([4, 1, 7]), "part 1")
        #expect(try members() == ["1.jpg", "4.jpg", "7.jpg"])
        _ = try importFolder(album([0, 5, 2, 9]), "part 2")
        let all = ["0.jpg", "1.jpg", "2.jpg", "4.jpg", "5.jpg", "7.jpg", "9.jpg"]
        #expect(try members() == all)
        let other = try CommandWorld()
        try album([0, 1, 2, 4, 5, 7, 9]).write(to: other.source)
        _ = try other.objects("import", "--json", other.source.path)
        #expect(try members(other) == all)
        try world.expectClean()
    }

    /// What was imported is known by its place, size and checksum or time: its bytes, which are
    /// zeros by now, are not read.
    @Test(arguments: [true, false]) func theSecondImportReadsNoPhoto(_ isArchive: Bool) throws {
        let tree = try album([1, 2, 3])
        let photos = tree.files.filter { $0.path.hasSuffix(".jpg") }
        let archive = world.folder.file("takeout-20240131T101112Z-001.zip")
        if isArchive { try tree.writeZIP(to: archive) } else { try tree.write(to: world.source) }
        let path = isArchive ? archive.path : world.source.path
        let first = try world.objects("import", "--json", path)
        #expect(first.count { $0["outcome"] == "imported" } == photos.count)
        if isArchive {
            var bytes = try Data(contentsOf: archive)
            for photo in photos {
                let place = try #require(bytes.range(of: photo.data))
                bytes.resetBytes(in: place)
            }
            try bytes.write(to: archive)
        } else {
            for photo in photos {
                let file = world.source.appendingPathComponent(photo.path)
                let former = world.folder.file("former")
                try copyTime(of: file, to: former)
                try Data(count: photo.data.count).write(to: file)
                try copyTime(of: former, to: file)
            }
        }
        let second = try world.objects("import", "--json", path)
        #expect(second.count { $0["outcome"] == "duplicate" } == photos.count)
        #expect(!second.contains { ["imported", "failed"].contains($0["outcome"]) })
        try world.expectClean()
    }

    @Test func orderOfThisLibraryAndRemovedMembersStay() throws {
        _ = try importFolder(album([1, 4, 7]), "part 1")
        let remove = try world.run("album", "remove", "Summer", try identifier("4.jpg"))
        #expect(remove.status == 0, "\(remove.errorText)")
        // A removal does not change the order.
        _ = try importFolder(album([2, 4]), "part 2")
        #expect(try members() == ["1.jpg", "2.jpg", "7.jpg"])
        let last = try identifier("7.jpg")
        let move = try world.run("album", "move", "Summer", last, "--to", "0")
        #expect(move.status == 0, "\(move.errorText)")
        #expect(try members() == ["7.jpg", "1.jpg", "2.jpg"])
        _ = try importFolder(album([0, 9]), "part 3")
        #expect(try members() == ["7.jpg", "1.jpg", "2.jpg", "0.jpg", "9.jpg"])
    }

    /// As after descriptions that could not be read, or parts that came without them.
    @Test func descriptionsThatComeLaterGiveTheLibraryOfOneImport() throws {
        func facts(_ world: CommandWorld) throws -> [String] {
            try sql(
                """
                SELECT originalFilename, caption, isFavorite, creationDate, latitude,
                    (SELECT count(*) FROM resource r WHERE r.assetId = a.id AND r.type = 1001)
                FROM asset a ORDER BY 1;
                SELECT c.title, a.originalFilename FROM albumAsset j
                JOIN asset a ON a.id = j.assetId JOIN collection c ON c.id = j.albumId
                ORDER BY c.title, j.position, a.id;
                """,
                world
            )
        }
        var tree = try album([3, 1, 2])
        for index in tree.files.indices where tree.files[index].path.hasSuffix("g.json") {
            var description = TakeoutTree.Description(title: "\(index / 2).jpg")
            description.title =
                tree.files[index].path.components(separatedBy: "/").last?
                .replacingOccurrences(of: ".json", with: "") ?? ""
            description.taken = 1_400_000_000 + index * 1000
            description.caption = "Caption"
            description.isFavorite = true
            description.isArchived = index == 1
            description.latitude = 46.5
            description.longitude = 8.25
            tree.files[index].data = description.data
        }
        var part = tree
        part.files.removeAll { $0.path.hasSuffix(".json") && !$0.path.hasSuffix("3.jpg.json") }
        _ = try importFolder(part, "export")
        #expect(try members() == ["3.jpg"])
        _ = try importFolder(tree, "export")
        let other = try CommandWorld()
        try tree.write(to: other.source)
        _ = try other.objects("import", "--json", other.source.path)
        let found = try facts(world)
        #expect(found.count == 3 + 4)
        #expect(try found == facts(other))
        try world.expectClean()
    }

    // MARK: - Sidecars

    @Test func sidecarIsReportedWhereItWasWritten() throws {
        let photo = try TakeoutTree.picture(seed: 5)
        let file = try world.folder.write(photo, to: "card/A.jpg")
        _ = try world.objects("import", "--json", file.path)
        var tree = TakeoutTree()
        var description = TakeoutTree.Description(title: "A.jpg")
        description.people = ["Ana"]
        tree.add("P/A.jpg", photo)
        tree.add("P/A.jpg.json", description.data)
        let sidecars = "SELECT count(*) FROM resource WHERE type = 1001"
        let first = try importFolder(tree, "export")
        #expect(
            first.filter { $0.codes.contains("keptNotShown") }.map { $0["outcome"] }
                == ["duplicate"]
        )
        #expect(try sql(sidecars) == ["1"])
        let second = try importFolder(tree, "export")
        #expect(second.allSatisfy { !$0.codes.contains("keptNotShown") })
        // People that were named later replace the document.
        description.people = ["Ana", "Ben"]
        tree.files[1].data = description.data
        let third = try importFolder(tree, "export")
        #expect(third.contains { $0.codes.contains("keptNotShown") })
        #expect(try sql(sidecars) == ["1"])
        try world.expectClean()
    }

    /// Also under the name that earlier versions gave to the document of an import.
    @Test(arguments: [false, true]) func sidecarOfAPersonCounts(hasFormerName: Bool) throws {
        let photo = try TakeoutTree.picture(seed: 5)
        let card = try world.folder.write(photo, to: "card/A.jpg").deletingLastPathComponent()
        func writeSidecar(_ title: String) throws {
            let title = SidecarWorld.text("dc:title", title)
            let packet = SidecarWorld.packet("xmp:Label=\"Red\"", title)
            try world.folder.write(packet, to: "card/A.jpg.xmp")
        }
        try writeSidecar("Former")
        _ = try world.objects("import", "--json", card.path)
        var tree = TakeoutTree()
        var description = TakeoutTree.Description(title: "A.jpg")
        description.people = ["Ana"]
        tree.add("P/A.jpg", photo)
        tree.add("P/A.jpg.json", description.data)
        _ = try importFolder(tree, "export")
        if hasFormerName {
            try world.sql("UPDATE resource SET originalFilename = 'A.jpg.xmp' WHERE type = 1001")
        }
        let out = world.folder.file("out")
        let exported = try world.run("export", "--all", "-o", out.path)
        #expect(exported.status == 0, "\(exported.errorText)")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: out.path)
        let path = try #require(
            paths.first { $0.hasPrefix("Photos/") && $0.hasSuffix("/A.jpg.xmp") }
        )
        let tags = try ProcessRunner.run(
            "exiftool",
            ["-s3", "-Label", "-PersonInImage", out.appendingPathComponent(path).path]
        )
        #expect(tags.lines == ["Red", "Ana"])
        // A change of the sidecar is applied.
        try writeSidecar("Later")
        _ = try world.objects("import", "--json", card.path)
        #expect(try sql("SELECT title FROM asset") == ["Later"])
    }

    // MARK: - Changes

    @Test func changedDatesPlacesAndTheTrashAreFollowed() throws {
        func tree(_ change: (inout TakeoutTree.Description) -> Void) throws -> TakeoutTree {
            var tree = TakeoutTree()
            for (seed, name) in ["theirs.jpg", "mine.jpg"].enumerated() {
                var description = TakeoutTree.Description(title: name)
                description.latitude = 46.5
                description.longitude = 8.25
                change(&description)
                for folder in ["P", "Q"] {
                    let photo = try TakeoutTree.picture(seed: UInt64(seed))
                    tree.add("\(folder)/\(name)", photo)
                    tree.add("\(folder)/\(name).json", description.data)
                }
            }
            return tree
        }
        _ = try importFolder(tree { _ in }, "export")
        let mine = try identifier("mine.jpg")
        let set = try world.run("set", mine, "--date", "2001-02-03T04:05:06Z", "--location", "1,2")
        #expect(set.status == 0, "\(set.errorText)")
        let again = try importFolder(
            tree { description in
                description.taken += 86_400
                description.latitude = 47.5
                description.isTrashed = true
            },
            "export"
        )
        let facts = """
            SELECT cast(creationDate + 978307200 AS INTEGER), latitude, trashedDate IS NULL FROM asset
            WHERE originalFilename =
            """
        #expect(try sql(facts + "'theirs.jpg'") == ["1600086400|47.5|0"])
        #expect(try sql(facts + "'mine.jpg'") == ["981173106|1.0|0"])
        let kept = again.filter { $0.codes.contains("keptYours") }
        #expect(Set(kept.compactMap { $0["localIdentifier"] }) == [mine])
        let back = try importFolder(
            tree { description in
                description.taken += 86_400
                description.latitude = 47.5
            },
            "export"
        )
        #expect(back.allSatisfy { !$0.codes.contains("keptYours") })
        #expect(try sql(facts + "'theirs.jpg'") == ["1600086400|47.5|1"])
        try world.expectClean()
    }

    @Test func captionsThatChangedOnBothSidesStay() throws {
        func tree(_ caption: String) throws -> TakeoutTree {
            var tree = TakeoutTree()
            for (seed, name) in ["theirs.jpg", "mine.jpg", "same.jpg"].enumerated() {
                var description = TakeoutTree.Description(title: name)
                description.caption = caption
                tree.add("P/\(name)", try TakeoutTree.picture(seed: UInt64(seed)))
                tree.add("P/\(name).json", description.data)
            }
            return tree
        }
        _ = try importFolder(tree("First"), "export")
        let mine = try identifier("mine.jpg")
        for (name, caption) in [("mine.jpg", "Mine"), ("same.jpg", "Second")] {
            let set = try world.run("set", try identifier(name), "--caption", caption)
            #expect(set.status == 0, "\(set.errorText)")
        }
        let again = try importFolder(tree("Second"), "export")
        let captions = "SELECT caption FROM asset ORDER BY originalFilename"
        #expect(try sql(captions) == ["Mine", "Second", "Second"])
        let kept = again.filter { $0.codes.contains("keptYours") }
        #expect(kept.compactMap { $0["localIdentifier"] } == [mine])
        try world.expectClean()
    }

    /// Where one of both came from an archive, only their content can be compared.
    @Test(arguments: [false, true])
    func anotherPhotoOfTheNameAndSizeOfAPurgedOneIsImported(_ isFromArchive: Bool) throws {
        var tree = TakeoutTree()
        let photo = try TakeoutTree.picture(seed: 1)
        tree.add("P/A.jpg", photo + Data("one".utf8))
        tree.add("P/A.jpg.json", TakeoutTree.Description(title: "A.jpg").data)
        // What the exports have in common tells that they are of one account.
        for (seed, name) in ["B.jpg", "C.jpg", "D.jpg"].enumerated() {
            tree.add("P/" + name, try TakeoutTree.picture(seed: UInt64(seed + 2)))
            tree.add("P/\(name).json", TakeoutTree.Description(title: name).data)
        }
        if isFromArchive {
            let archive = world.folder.file("takeout-1-001.zip")
            try tree.writeZIP(to: archive)
            _ = try world.objects("import", "--json", archive.path)
        } else {
            _ = try importFolder(tree, "export")
        }
        let id = try identifier("A.jpg")
        #expect(try world.run("delete", id).status == 0)
        #expect(try world.run("purge", id, "--yes").status == 0)
        let same = try importFolder(tree, "copied again")
        #expect(same.count { $0["reason"]?.contains("Deleted permanently") == true } == 1)
        #expect(try world.names().sorted() == ["B.jpg", "C.jpg", "D.jpg"])
        tree.files[0].data = photo + Data("two".utf8)
        let other = try importFolder(tree, "another")
        #expect(other.count { $0["outcome"] == "imported" } == 1)
        #expect(try world.names().sorted() == ["A.jpg", "B.jpg", "C.jpg", "D.jpg"])
        try world.expectClean()
    }
}
