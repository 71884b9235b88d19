import Foundation
import TestSupport
import Testing

/// Exports of several Google accounts in one library.
@Suite(.timeLimit(.minutes(10))) struct TakeoutAccountTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    // MARK: - Helpers

    /// An account with photos under names that another account has as well.
    private struct Account {
        var name: String
        var seed: UInt64
        /// The indices of the photos, of which the odd ones are in an album.
        var indices = [1, 2, 3]
        var caption = "Caption"

        func tree() throws -> TakeoutTree {
            let base = try TakeoutTree.picture(seed: seed)
            var tree = TakeoutTree()
            for index in indices {
                let title = "IMG_000\(index).jpg"
                var description = TakeoutTree.Description(title: title)
                description.taken = 1_500_000_000 + index * 86_400 + Int(seed)
                description.caption = "\(caption) \(name) \(index)"
                description.isFavorite = seed % 2 == 0
                for folder in ["Photos from 2023", "Summer"] {
                    guard folder != "Summer" || index % 2 == 1 else { continue }
                    // Sizes are equal in all accounts.
                    let photo = (base + Data("\(name) \(index)".utf8))
                    let filler = Data(repeating: 0, count: 20_000 - photo.count)
                    tree.add("\(folder)/\(title)", photo + filler)
                    tree.add("\(folder)/\(title).json", description.data)
                }
            }
            tree.add("Summer/metadata.json", Data("{\"title\": \"Summer\"}".utf8))
            return tree
        }
    }

    private let anna = Account(name: "anna", seed: 2)
    private let ben = Account(name: "ben", seed: 3)

    enum Form: String, CaseIterable, CustomTestStringConvertible {
        case zip, folder
        var testDescription: String { rawValue }
    }

    /// Writes an export, and returns its path.
    private func write(_ account: Account, _ form: Form, time: String = "20240131T101112Z") throws
        -> String
    {
        let folder = try world.folder.folder("\(account.name) \(time)")
        guard form == .zip else {
            try account.tree().write(to: folder)
            return folder.path
        }
        let archive = folder.appendingPathComponent("takeout-\(time)-001.zip")
        try account.tree().writeZIP(to: archive)
        return archive.path
    }

    /// The captions with favorites, and the members of each album.
    private func facts() throws -> (photos: [String], albums: [String]) {
        let photos = try world.sql("SELECT caption, isFavorite FROM asset ORDER BY 1")
        let albums = try world.sql(
            """
            SELECT c.title || ':' || (SELECT group_concat(caption, ',') FROM (
                SELECT a.caption FROM albumAsset j JOIN asset a ON a.id = j.assetId
                WHERE j.albumId = c.id ORDER BY j.position, a.id))
            FROM collection c WHERE c.title = 'Summer' ORDER BY 1
            """
        )
        return (photos, albums)
    }

    private func expectBoth(_ context: String) throws {
        let (photos, albums) = try facts()
        let wanted = [("anna", "1"), ("ben", "0")].flatMap { name, favorite in
            (1...3).map { "Caption \(name) \($0)|\(favorite)" }
        }
        #expect(photos == wanted, "\(context)")
        #expect(
            albums == ["anna", "ben"].map { "Summer:Caption \($0) 1,Caption \($0) 3" },
            "\(context)"
        )
    }

    /// Damages all photos of an export without a change of sizes, checksums and times, so that an
    /// import that reads them notices.
    private func damage(_ path: String, _ account: Account) throws {
        let files = try account.tree().files.filter { $0.path.hasSuffix(".jpg") }
        if path.hasSuffix(".zip") {
            let url = URL(fileURLWithPath: path)
            var archive = try Data(contentsOf: url)
            for file in files {
                while let range = archive.range(of: file.data) {
                    archive.replaceSubrange(range, with: Data(count: range.count))
                }
            }
            return try archive.write(to: url)
        }
        for file in files {
            let url = URL(fileURLWithPath: path).appendingPathComponent(file.path)
            let touch = try ProcessRunner.run("touch", ["-r", url.path, world.folder.path + "/t"])
            #expect(touch.status == 0)
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: Data(count: file.data.count))
            try handle.close()
            let back = try ProcessRunner.run("touch", ["-r", world.folder.path + "/t", url.path])
            #expect(back.status == 0)
        }
    }

    // MARK: - One command

    @Test(arguments: Form.allCases, [false, true])
    func accountsOfOneCommandStayApart(_ form: Form, isReversed: Bool) throws {
        var paths = [
            try write(anna, form), try write(ben, form, time: "20240201T101112Z"),
        ]
        if isReversed { paths.reverse() }
        let lines = try world.objects(["import", "--json"] + paths)
        #expect(lines.count { $0["outcome"] == "imported" } == 6)
        try expectBoth("first")
        for path in paths { try damage(path, path.contains("anna") ? anna : ben) }
        let all: [[String]] = [paths, paths.reversed(), [paths[0]], [paths[1]]]
        // What an order leads to does not depend on the form, so one form has all of them.
        let orders: [[String]] = form == .zip ? all : [paths.reversed()]
        for order in orders {
            let again = try world.objects(["import", "--json"] + order)
            #expect(again.allSatisfy { ["duplicate", "paired"].contains($0["outcome"]) })
            #expect(again.allSatisfy { $0.values["notes"] == nil })
            try expectBoth("\(order)")
        }
    }

    /// Photos and descriptions are in different parts, of which some were extracted.
    @Test func archivesOfOneTimeAreOneExport() throws {
        let tree = try anna.tree()
        let folder = try world.folder.folder("parts")
        for (part, range) in [(1, 0..<3), (2, 3..<tree.files.count)] {
            let name = "takeout-20240131T101112Z-00\(part).zip"
            try tree.writeZIP(to: folder.appendingPathComponent(name), range)
        }
        // Extracted by a desktop: each to a folder of the archive's name.
        for part in 1...2 {
            let name = "takeout-20240131T101112Z-00\(part)"
            var half = TakeoutTree()
            half.files = Array(part == 1 ? tree.files[..<3] : tree.files[3...])
            try half.write(to: try world.folder.folder("extracted/\(name)"))
        }
        let extracted = (1...2).map {
            world.folder.path + "/extracted/takeout-20240131T101112Z-00\($0)"
        }
        let second = folder.path + "/takeout-20240131T101112Z-002.zip"
        let forms: [[String]] = [[folder.path], [extracted[0], second], extracted]
        for (index, paths) in forms.enumerated() {
            let other = try CommandWorld()
            _ = try other.objects(["import", "--json"] + paths)
            let captions = try other.objects("list", "--json").compactMap { $0["caption"] }
            #expect(captions.sorted() == (1...3).map { "Caption anna \($0)" }, "\(index)")
        }
    }

    // MARK: - Trash

    /// Writes two exports with one common photo, which is in the trash of the first.
    private func writeWithTrash() throws -> [String] {
        let photo = try TakeoutTree.picture(seed: 9)
        return try [(anna, "Trash"), (ben, "Summer")].map { account, folder in
            var description = TakeoutTree.Description(title: "common.jpg")
            description.isTrashed = folder == "Trash"
            var tree = try account.tree()
            tree.add(folder + "/common.jpg", photo)
            tree.add(folder + "/common.jpg.json", description.data)
            let url = try world.folder.folder("trash of \(account.name)")
            try tree.write(to: url)
            return url.path
        }
    }

    private let trashed =
        "SELECT trashedDate IS NOT NULL FROM asset WHERE originalFilename = 'common.jpg'"

    @Test(arguments: [[[0], [1], [0]], [[1], [0]], [[0, 1]], [[1, 0]]])
    func photoInOneTrashStaysInTheOtherAccount(order: [[Int]]) throws {
        let paths = try writeWithTrash()
        for indices in order {
            let lines = try world.objects(["import", "--json"] + indices.map { paths[$0] })
            #expect(lines.allSatisfy { $0["reason"] == nil })
        }
        #expect(try world.sql(trashed) == ["0"])
        let albums = """
            SELECT c.title FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId WHERE a.originalFilename = 'common.jpg'
            """
        #expect(try world.sql(albums) == ["Summer"])
        try world.expectClean()
    }

    @Test func deletionInThisLibraryStays() throws {
        let paths = try writeWithTrash()
        _ = try world.objects("import", "--json", paths[0])
        let list = try world.objects("list", "--deleted", "--json")
        let id = try #require(list.first?["localIdentifier"])
        for verb in ["restore", "delete"] { _ = try world.objects(verb, "--json", id) }
        _ = try world.objects("import", "--json", paths[1])
        #expect(try world.sql(trashed) == ["1"])
    }

    // MARK: - Several runs

    @Test(arguments: Form.allCases) func accountsOfSeveralRunsStayApart(_ form: Form) throws {
        let mine = try write(anna, form)
        let theirs = try write(ben, form, time: "20240201T101112Z")
        _ = try world.objects("import", "--json", mine)
        let second = try world.objects("import", "--json", theirs)
        #expect(second.count { $0["outcome"] == "imported" } == 3)
        try expectBoth("second")
        try damage(mine, anna)
        try damage(theirs, ben)
        for path in [mine, theirs, mine, theirs] {
            let again = try world.objects("import", "--json", path)
            #expect(again.allSatisfy { ["duplicate", "paired"].contains($0["outcome"]) })
            try expectBoth(path)
        }
        try world.expectClean()
    }

    @Test func albumsOfOtherExportsStayApart() throws {
        var other = ben
        other.indices = [5, 7]
        _ = try world.objects("import", "--json", try write(anna, .zip))
        _ = try world.objects("import", "--json", try write(other, .zip, time: "20250101T000000Z"))
        #expect(
            try facts().albums == [
                "Summer:Caption anna 1,Caption anna 3", "Summer:Caption ben 5,Caption ben 7",
            ]
        )
        try world.expectClean()
    }

    @Test(arguments: Form.allCases) func laterExportOfAnAccountIsKnown(_ form: Form) throws {
        _ = try world.objects("import", "--json", try write(anna, form))
        _ = try world.objects("import", "--json", try write(ben, form, time: "20240201T101112Z"))
        for account in [anna, ben] {
            var later = account
            later.indices = [1, 2, 3, 5]
            later.caption = "Changed"
            let path = try write(later, form, time: "20250101T000000Z")
            let lines = try world.objects("import", "--json", path)
            #expect(lines.count { $0["outcome"] == "imported" } == 1)
        }
        let (photos, albums) = try facts()
        let wanted = [("anna", "1"), ("ben", "0")].flatMap { name, favorite in
            [1, 2, 3, 5].map { "Changed \(name) \($0)|\(favorite)" }
        }
        #expect(photos == wanted)
        #expect(
            albums
                == ["anna", "ben"].map { name in
                    "Summer:" + [1, 3, 5].map { "Changed \(name) \($0)" }.joined(separator: ",")
                }
        )
        try world.expectClean()
    }

    /// A part that comes later may have no file that is known.
    @Test func laterPartOfAnExportIsOfItsAccount() throws {
        var part = ben
        part.indices = [5]
        _ = try world.objects("import", "--json", try write(anna, .zip))
        let time = "20240201T101112Z"
        _ = try world.objects("import", "--json", try write(ben, .zip, time: time))
        let later = world.folder.file("later/takeout-\(time)-002.zip")
        try FileManager.default.createDirectory(
            at: later.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try part.tree().writeZIP(to: later)
        _ = try world.run("import", "--json", later.path)
        #expect(
            try facts().albums == [
                "Summer:Caption anna 1,Caption anna 3",
                "Summer:Caption ben 1,Caption ben 3,Caption ben 5",
            ]
        )
    }
}
