import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

/// `photos import --dry-run`: it reports what a real import would, and changes nothing.
@Suite(.timeLimit(.minutes(10))) struct DryRunTests {
    let world: CommandWorld
    let scratch: URL

    init() throws {
        world = try CommandWorld()
        scratch = try world.folder.folder("scratch")
    }

    // MARK: - Comparing

    /// The names, kinds, sizes, times and digests of everything below a folder.
    private func state(of folder: URL) throws -> [String] {
        let format = "%P %y %m %s %T@ %l\\n"
        let listed = try ProcessRunner.run("find", [folder.path, "-printf", format])
        let digests = try ProcessRunner.run(
            "find",
            [folder.path, "-type", "f", "-exec", "sha256sum", "{}", "+"]
        )
        #expect(listed.status == 0 && digests.status == 0)
        return listed.lines.sorted() + digests.lines.sorted()
    }

    /// The identifiers of the library's assets, albums and folders.
    private func identifiers() throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: world.library.path) else { return [] }
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", world.library.path + "/database/library.sqlite",
                """
                SELECT uuid || '/L0/001' FROM asset;
                SELECT uuid || iif(kind = 2, '/L0/040', '/L0/020') FROM collection;
                """,
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        return Set(output.lines)
    }

    /// Runs the command, with a limit of open files if one is given.
    private func run(_ arguments: [String], _ limit: Int?, scratch: URL? = nil) throws
        -> ProcessRunner.Output
    {
        guard let limit else {
            return try world.run(arguments, variables: ["TMPDIR": scratch?.path])
        }
        var environment = world.environment.mapValues { $0 as String? }
        environment["TMPDIR"] = scratch?.path
        let script = "ulimit -n \(limit) && exec \"$@\""
        return try ProcessRunner.run(
            "bash",
            ["-c", script, "bash", BuiltProducts.photos.path] + arguments,
            environment: environment,
            folder: world.folder.url
        )
    }

    /// Runs an import as a dry run and then for real, and compares all that they report.
    ///
    /// - Returns: The lines of the real run.
    @discardableResult
    private func expectEqualRuns(
        _ paths: [String],
        _ comment: Comment,
        limit: Int? = nil
    ) throws -> [JSONLine] {
        let report = world.folder.file("report.jsonl")
        let known = try identifiers()
        let isThere = FileManager.default.fileExists(atPath: world.library.path)
        let before = isThere ? try state(of: world.library) : []
        let sources = try paths.flatMap { try state(of: URL(fileURLWithPath: $0)) }
        let arguments = ["import", "--json", "--report", report.path]
        let planned = try run(arguments + ["--dry-run"] + paths, limit, scratch: scratch)
        let plan = try planned.lines.map(JSONLine.init)
        #expect(FileManager.default.fileExists(atPath: world.library.path) == isThere, comment)
        if isThere { #expect(try state(of: world.library) == before, comment) }
        #expect(try paths.flatMap { try state(of: URL(fileURLWithPath: $0)) } == sources, comment)
        let rest = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(rest == [], comment)
        let plannedReport = try String(contentsOf: report, encoding: .utf8)
        let real = try run(arguments + paths, limit)
        let lines = try real.lines.map(JSONLine.init)
        #expect(planned.status == real.status, "\(comment): \(planned.errorText)")
        #expect(plan.count == lines.count, comment)
        for (planned, line) in zip(plan, lines) {
            var expected = line.values
            if let identifier = line["localIdentifier"], !known.contains(identifier) {
                expected["localIdentifier"] = NSNull()
            }
            let isEqual = NSDictionary(dictionary: planned.values).isEqual(to: expected)
            #expect(isEqual, "\(comment): planned \(planned.text), real \(line.text)")
        }
        let realReport = try String(contentsOf: report, encoding: .utf8)
        try expect(plannedReport, planned.lines, isDryRun: true, comment)
        try expect(realReport, real.lines, isDryRun: false, comment)
        return lines
    }

    /// Expects the lines between those of the sources and the totals, which count them.
    private func expect(
        _ report: String,
        _ lines: [String],
        isDryRun: Bool,
        _ comment: Comment
    ) throws {
        let reported = report.split(separator: "\n").map(String.init)
        #expect(Array(reported.dropFirst().dropLast()) == lines, comment)
        let header = try JSONLine(try #require(reported.first))
        #expect(header.values["sources"] is [[String: Any]], comment)
        #expect(header.flag("dryRun") == isDryRun, comment)
        let last = try JSONLine(try #require(reported.last))
        let totals = try #require(last.values["totals"] as? [String: Any])
        #expect(totals["addsUp"] as? Bool == true, comment)
        #expect(totals["files"] as? Int == lines.count, comment)
        let outcomes = Dictionary(grouping: try lines.map(JSONLine.init)) { $0["outcome"] ?? "" }
        for (outcome, lines) in outcomes {
            #expect(totals[outcome] as? Int == lines.count, "\(comment): \(outcome)")
        }
    }

    // MARK: - Files and folders

    /// The kinds of files that a random tree has.
    private enum Kind: CaseIterable {
        case photo, copy, live, pair, sidecar, strangerSidecar, edit, text, empty, cut, link, burst
    }

    /// Writes files of one kind.
    private func write(
        _ kind: Kind,
        _ number: Int,
        _ folder: String,
        _ earlier: inout [Data],
        _ random: inout SeededGenerator
    ) throws {
        let name = "source/\(folder)/IMG_\(1000 + number)"
        let date = SampleDate(text: "2021:03:0\(number % 9 + 1) 10:00:0\(number % 10)")
        var metadata = SampleMetadata(date: date, make: "Apple", model: "iPhone 12")
        func jpeg(_ seed: Int) throws -> Data {
            try SampleFile.jpeg(
                SamplePhoto(
                    Picture(.hills, seed: UInt64(seed)),
                    size: PixelSize(width: 32, height: 24),
                    metadata: metadata
                )
            )
        }
        func write(_ data: Data, _ name: String) throws { try world.folder.write(data, to: name) }
        switch kind {
        case .photo: try write(jpeg(number), name + ".JPG")
        case .copy: try write(earlier.randomElement(using: &random) ?? jpeg(7), name + ".jpg")
        case .live:
            metadata.contentIdentifier = "A17C5F2E-0000-4000-8000-00000000\(1000 + number)"
            try write(jpeg(number), name + ".JPG")
            var movie = SampleMovie(size: PixelSize(width: 32, height: 24), duration: 0.2)
            movie.metadata = metadata
            try write(SampleFile.quickTime(movie), name + ".MOV")
        case .pair:
            try write(jpeg(number), name + ".JPG")
            let size = PixelSize(width: 32, height: 24)
            let raw = SamplePhoto(
                Picture(.sea, seed: UInt64(number)),
                size: size,
                metadata: metadata
            )
            try write(SampleFile.dng(raw), name + ".DNG")
        case .sidecar:
            try write(jpeg(number), name + ".JPG")
            var person = SampleMetadata()
            person.title = "Title \(number)"
            try write(SampleFile.xmp(person), name + (number % 2 == 0 ? ".xmp" : ".JPG.xmp"))
        case .strangerSidecar: try write(SampleFile.xmp(SampleMetadata()), name + ".xmp")
        case .edit:
            let stem = "source/\(folder)/IMG_"
            try write(jpeg(number), "\(stem)\(1000 + number).JPG")
            if number % 2 == 0 { try write(SampleFile.aae(), "\(stem)\(1000 + number).AAE") }
            try write(jpeg(number + 500), "\(stem)E\(1000 + number).JPG")
        case .text: try write(Data("Text \(number)".utf8), name + ".txt")
        case .empty: try write(Data(), name + ".JPG")
        case .cut: try write(jpeg(number).prefix(900), name + ".JPG")
        case .link:
            try write(jpeg(number), name + ".JPG")
            let path = world.folder.path + "/" + name
            try #require(symlink(path + ".JPG", path + "-link.JPG") == 0)
        case .burst:
            metadata.burstIdentifier = "B0000000-0000-4000-8000-000000000001"
            try write(jpeg(number), name + ".JPG")
        }
        if kind == .photo { earlier.append(try jpeg(number)) }
    }

    @Test func randomTreesGiveTheReportedOutcomes() throws {
        let seed = TestSeed()
        var random = seed.generator
        var earlier: [Data] = []
        var number = 0
        // The first round plans without a library; later ones meet the files of earlier ones.
        for round in 0..<4 {
            for _ in 0..<12 {
                let kind = Kind.allCases.randomElement(using: &random) ?? .photo
                let folder = ["a", "b/c", "d"].randomElement(using: &random) ?? "a"
                try write(kind, number, folder, &earlier, &random)
                number += 1
            }
            let lines = try expectEqualRuns([world.source.path], "\(seed), round \(round)")
            #expect(lines.count >= 12)
        }
        let verify = try world.run("verify", "--full")
        #expect(verify.status == 0, "\(seed): \(verify.text)\(verify.errorText)")
    }

    @Test func partnersOfAnEarlierBatchAreFound() throws {
        // With few open files, small batches come one after the other. The sidecar and the
        // adjustments are in a later one than their photos, of which a plan has no content.
        try world.photos((0..<40).map { "in/IMG_\(1000 + $0).JPG" }, padding: 100)
        var paths = [world.source.path + "/in"]
        let folder = world.source.path + "/in/"
        for number in [1000, 1001] {
            let data = number == 1000 ? SampleFile.xmp(SampleMetadata()) : try SampleFile.aae()
            let ending = number == 1000 ? "xmp" : "AAE"
            try world.folder.write(data, to: "elsewhere/IMG_\(number).\(ending)")
            let path = folder + "IMG_\(number).\(ending)"
            // A link in the folder is imported after the folder.
            try #require(symlink("../../elsewhere/IMG_\(number).\(ending)", path) == 0)
            paths.append(path)
        }
        let lines = try expectEqualRuns(paths, "batches", limit: 128)
        #expect(lines.suffix(2).map { $0["outcome"] } == ["paired", "paired"])
        #expect(lines.suffix(2).allSatisfy { $0["reason"] == nil })
    }

    @Test func moveRemovesNothing() throws {
        try world.photo("a.jpg")
        let copy = world.source.appendingPathComponent("b.jpg")
        try FileManager.default.copyItem(at: world.source.appendingPathComponent("a.jpg"), to: copy)
        let before = try state(of: world.source)
        let lines = try world.objects("import", "--move", "--dry-run", "--json", world.source.path)
        #expect(lines.outcomes == ["a.jpg": "imported", "b.jpg": "duplicate"])
        #expect(try state(of: world.source) == before)
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
        #expect(!FileManager.default.fileExists(atPath: world.folder.file("state").path))
    }

    @Test func damagedLibraryIsPlannedAsItIs() throws {
        _ = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
        let files = try FileManager.default.subpathsOfDirectory(
            atPath: world.library.path + "/originals"
        ).filter { $0.contains(".") }
        try FileManager.default.removeItem(
            atPath: world.library.path + "/originals/" + (try #require(files.first))
        )
        let lines = try expectEqualRuns([world.source.path], "a missing file")
        let reasons = lines.compactMap { $0["reason"] }
        #expect(reasons.count == 1 && reasons[0].contains("restored"))
    }

    @Test func textOfAPlanSaysSo() throws {
        _ = try world.library(of: ["a.jpg"])
        try world.photo("new.jpg", seed: 9)
        let output = try world.run("import", "--dry-run", world.source.path)
        #expect(output.status == 0)
        #expect(output.errorText == "Would be: 1 imported, 1 duplicate\n")
        let missing = world.folder.file("nothing").path
        #expect(try world.run("import", "--dry-run", missing).status == 1)
    }

    // MARK: - Libraries

    @Test func readOnlyLibraryCanBePlanned() throws {
        _ = try world.library(of: ["a.jpg", "b.jpg"])
        try world.photo("new.jpg", seed: 9)
        let change = try ProcessRunner.run("chmod", ["-R", "a-w", world.library.path])
        try #require(change.status == 0)
        let before = try state(of: world.library)
        let planned = try world.runWithoutPrivileges(
            "import",
            "--dry-run",
            "--json",
            world.source.path
        )
        #expect(planned.status == 0, "\(planned.errorText)")
        let outcomes = try planned.lines.map(JSONLine.init).outcomes
        #expect(
            outcomes == ["a.jpg": "duplicate", "b.jpg": "duplicate", "new.jpg": "imported"]
        )
        #expect(try state(of: world.library) == before)
        let real = try world.runWithoutPrivileges("import", "--json", world.source.path)
        #expect(real.status != 0)
    }

    @Test func libraryWithALogStaysAsItIs() throws {
        _ = try world.library(of: ["a.jpg", "b.jpg"])
        // A killed program leaves its log, in which the last changes are.
        let holder = try world.start("watch", "--json")
        defer {
            holder.kill(SIGKILL)
            _ = holder.wait()
        }
        try world.photo("new.jpg", seed: 9)
        let name = world.library.path + "/database/library.sqlite-wal"
        #expect(FileEvents.wait(forFile: name))
        _ = try world.objects("import", "--json", world.source.path)
        holder.kill(SIGKILL)
        _ = holder.wait()
        let before = try state(of: world.library)
        #expect(before.contains { $0.contains("library.sqlite-wal") })
        let lines = try world.objects("import", "--json", "--dry-run", world.source.path)
        #expect(lines.allSatisfy { $0["outcome"] == "duplicate" && $0["localIdentifier"] != nil })
        #expect(try state(of: world.library) == before)
    }

    @Test func pathsThatARealImportRefusesAreRefused() throws {
        try world.photo("a.jpg")
        let other = try world.folder.folder("other")
        try Data("x".utf8).write(to: other.appendingPathComponent("file"))
        let arguments = ["--library", other.path, "import", world.source.path]
        let planned = try world.run(arguments + ["--dry-run"])
        let real = try world.run(arguments)
        #expect(planned.status == real.status && planned.status != 0)
        #expect(planned.errorText == real.errorText)
    }

    // MARK: - Exports and libraries of other programs

    @Test(arguments: ["folder", "stored.zip", "deflated.zip", "tgz", "parts"])
    func exportsGiveTheReportedOutcomes(_ kind: String) throws {
        let seed = TestSeed()
        var random = seed.generator
        // The form of an archive makes no difference for a later export.
        let rounds = ["folder", "parts"].contains(kind) ? 2 : 1
        for round in 0..<rounds {
            var tree = try TakeoutTree(count: 6 + 3 * round, seed: seed.value)
            tree.add("Photos from 2015/no json.jpg", try TakeoutTree.picture(seed: 77))
            tree.add(
                "Photos from 2015/lost.jpg.json",
                TakeoutTree.Description(title: "lost.jpg").data
            )
            tree.add("Photos from 2015/page.html", Data("<html>".utf8))
            let pictures = tree.files.indices.filter { tree.files[$0].path.hasSuffix(".jpg") }
            if round == 1, let index = pictures.randomElement(using: &random) {
                // An export changes between two downloads.
                tree.files[index].data += Data("changed".utf8)
            }
            let folder = try world.folder.folder("download \(round)")
            let name = "takeout-2024013\(round)T101112Z"
            var paths = [folder.appendingPathComponent("\(name)-001.zip")]
            switch kind {
            case "folder":
                paths = [folder]
                try tree.write(to: folder)
            case "tgz":
                paths = [folder.appendingPathComponent("\(name)-001.tgz")]
                try tree.writeTGZ(to: paths[0])
            case "parts":
                let split = Int.random(in: 1..<tree.files.count, using: &random)
                paths.append(folder.appendingPathComponent("\(name)-002.zip"))
                try tree.writeZIP(to: paths[0], 0..<split)
                try tree.writeZIP(to: paths[1], split..<tree.files.count)
            default: try tree.writeZIP(to: paths[0], isDeflated: kind == "deflated.zip")
            }
            let lines = try expectEqualRuns(paths.map(\.path), "\(seed), \(kind), round \(round)")
            #expect(lines.contains { $0["outcome"] == "missing" })
            #expect(lines.count == tree.files.count, "\(seed)")
        }
    }

    @Test func librariesOfApplePhotosGiveTheReportedOutcomes() throws {
        let seed = TestSeed()
        var random = seed.generator
        for round in 0..<2 {
            var library = AppleLibrary()
            library.seed = 3
            library.assets = 10 + 5 * round
            library.editedEvery = Int.random(in: 0...4, using: &random)
            library.liveEvery = Int.random(in: 0...4, using: &random)
            let source = world.folder.file("Mac \(round)")
            try library.write(to: source)
            let lost = Int.random(in: 0..<10, using: &random)
            try FileManager.default.removeItem(atPath: source.path + "/" + library.original(lost))
            try Data("orphan".utf8).write(
                to: source.appendingPathComponent("originals/A/orphan.jpeg")
            )
            let known = try identifiers()
            let isThere = FileManager.default.fileExists(atPath: world.library.path)
            let before = isThere ? try state(of: world.library) : []
            let content = try state(of: source)
            let planned = try world.run("import", "--json", "--dry-run", source.path)
            if isThere { #expect(try state(of: world.library) == before) }
            #expect(FileManager.default.fileExists(atPath: world.library.path) == isThere)
            let real = try world.run("import", "--json", source.path)
            #expect(try state(of: source) == content)
            #expect(planned.status == real.status)
            // The order of lines within a batch and notes on content are the real run's own.
            func facts(_ output: ProcessRunner.Output) throws -> [String] {
                try output.lines.map(JSONLine.init).map { line in
                    let item = line.item
                    let identifier = line["localIdentifier"].flatMap {
                        known.contains($0) ? $0 : nil
                    }
                    return "\(item ?? "") \(line["path"] ?? "") \(line["outcome"] ?? "")"
                        + " \(identifier ?? "")"
                }.sorted()
            }
            #expect(try facts(planned) == facts(real), "\(seed), round \(round)")
        }
    }
}
