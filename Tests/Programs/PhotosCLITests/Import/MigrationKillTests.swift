import Foundation
import TestSupport
import Testing

/// Imports of libraries and exports of other programs that are killed at the steps by which a batch
/// becomes durable, and then continued.
@Suite(.timeLimit(.minutes(20))) struct MigrationKillTests {
    /// A source of another program, or an export of ours; one of Google Takeout comes in three
    /// forms.
    enum Source: String, CaseIterable, CustomTestStringConvertible {
        case apple, iPhoto, export, zip, tgz, folder
        var testDescription: String { rawValue }
        /// The sources for tests in which other forms make no difference.
        static let kinds: [Source] = [.apple, .zip]

        /// Whether each source is killed at each point; otherwise the sources share the points.
        static let isLong = KillTests.kills >= 20

        /// The number of kills at random moments; the forms of an export share theirs.
        var randomKills: Int {
            let all = KillTests.kills
            // A short test has half as many, shared by all sources.
            guard Self.isLong else { return self == .folder ? 0 : max(1, all / 10) }
            return switch self {
            case .apple, .iPhoto, .export: all
            case .zip: all - 2 * (all / 3)
            case .tgz, .folder: all / 3
            }
        }

        /// The points at which imports are killed the first time that they are reached.
        ///
        /// A batch becomes durable in the same steps whatever the form of its source.
        var points: [KillPoint] {
            guard Self.isLong else { return sharedPoints }
            return switch self {
            case .apple, .iPhoto: KillPoint.imports
            case .export, .zip: KillPoint.imports.filter { $0 != .copyDatabase }
            case .tgz, .folder: [.syncFile, .placed, .commit]
            }
        }

        private var sharedPoints: [KillPoint] {
            switch self {
            case .apple: [.intentions, .place, .commit]
            case .iPhoto: [.copyDatabase, .committed]
            case .export: [.placed, .forget]
            case .zip: [.syncFile, .committed]
            case .tgz: [.syncFolder, .discard]
            case .folder: [.commit]
            }
        }

        /// The commits before the last one at which imports of albums are killed.
        var commitsOfAlbums: [Int] {
            guard self == .apple else { return [] }
            return Self.isLong ? Array(1..<5) : [2]
        }
    }

    let world: CommandWorld
    let command: KillableCommand

    init() throws {
        world = try CommandWorld()
        command = try KillableCommand(world)
    }

    /// Writes a source.
    ///
    /// - Returns: Its folders and files, and the arguments that import it.
    private func write(_ source: Source) throws -> (paths: [String], arguments: [String]) {
        let tree = try TakeoutTree(count: 45)
        let archive = world.source.appendingPathComponent("takeout-20240131T101112Z-001")
        let folder = world.folder.file("Mac/A copied folder")
        var library = AppleLibrary()
        library.assets = 12
        library.liveEvery = 12
        // Bursts, RAW pairs, hidden and shared photos, of which the long test has time for all.
        library.isRich = Source.isLong && source == .apple
        var path = folder.path
        switch source {
        case .apple: try library.write(to: folder)
        case .iPhoto:
            let volume = try world.folder.folder("Disk")
            try IPhotoLibrary().write(to: folder, volume: volume)
            let option = IPhotoLibrary.volume + "=" + volume.path
            return ([path, volume.path], [path, "--volume", option])
        case .export:
            try library.write(to: folder)
            let other = world.folder.file("Other.photolibrary").path
            path = world.folder.file("out").path
            for arguments in [
                ["import", folder.path], ["export", "--all", "--hidden", "--deleted", "-o", path],
            ] {
                let output = try world.run(["--library", other] + arguments)
                try #require(output.status == 0, "\(output.errorText)")
            }
        // Each has more than one batch.
        case .zip:
            path = archive.path + ".zip"
            try tree.writeZIP(to: URL(fileURLWithPath: path))
        case .tgz:
            path = archive.path + ".tgz"
            try tree.writeTGZ(to: URL(fileURLWithPath: path))
        case .folder:
            path = archive.path
            try tree.write(to: archive)
        }
        return ([path], [path])
    }

    /// What an import makes, without what each import makes anew: identifiers and times of now.
    private func content(of library: String, _ source: Source) throws -> [String] {
        let id = [.zip, .tgz, .folder].contains(source) ? "''" : "a.uuid"
        // The envelope of an edited copy states the time of its import.
        let original = """
            (SELECT min(hex(o.sha256)) FROM resource o WHERE o.assetId = a.id AND o.type < 3)
            """
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", library + "/database/library.sqlite",
                """
                SELECT 'asset', \(id), originalFilename, title, caption, keywords, creationDate,
                    captureWallTime, captureOffset, isFavorite, isHidden, rating,
                    trashedDate IS NULL, hasAdjustments, latitude, longitude, altitude,
                    mediaSubtypes, burstIdentifier, burstSelectionTypes, representsBurst,
                    originalResourceChoice, \(original) FROM asset a;
                SELECT 'file', r.type, r.originalFilename, r.type = 7 OR hex(r.sha256),
                    \(original) FROM resource r JOIN asset a ON a.id = r.assetId;
                SELECT 'album', c.title, p.title FROM collection c
                LEFT JOIN collection p ON p.id = c.parentId;
                SELECT 'members', c.title, (SELECT group_concat(name) FROM (
                    SELECT \(original) AS name FROM albumAsset j JOIN asset a ON a.id = j.assetId
                    WHERE j.albumId = c.id ORDER BY j.position, a.id)) FROM collection c;
                SELECT 'item', kind, objectKind, isComplete, item FROM migratedItem;
                """,
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        return output.lines.sorted()
    }

    /// The names, sizes, times and bytes of a source.
    private func state(of paths: [String]) throws -> [String] {
        let listed = try ProcessRunner.run("find", paths + ["-printf", "%p %y %m %s %T@ %C@\\n"])
        let sums = try ProcessRunner.run(
            "find",
            paths + ["-type", "f", "-exec", "sha256sum", "{}", "+"]
        )
        return (listed.lines + sums.lines).sorted()
    }

    /// A moment at which an import is killed.
    private enum Moment {
        case point(KillPoint, Int)
        case time(Duration)
    }

    @Test(arguments: Source.allCases) func killedImportsContinue(_ source: Source) throws {
        let seed = TestSeed()
        var random = seed.generator
        let (paths, arguments) = try write(source)
        let before = try state(of: paths)
        func into(_ library: URL) -> [String] {
            ["--library", library.path, "import", "--json"] + arguments
        }
        let empty = world.folder.file("Empty.photolibrary")
        #expect(try world.run("--library", empty.path, "create").status == 0)
        let whole = world.folder.file("Whole.photolibrary")
        try FileManager.default.copyItem(at: empty, to: whole)
        let log = world.folder.file("points")
        let start = ContinuousClock.now
        let output = try command.run(into(whole), log: log)
        let duration = ContinuousClock.now - start
        #expect(output.status == 0, "\(output.errorText)")
        let expected = try content(of: whole.path, source)
        #expect(expected.count > 50)
        let (counts, reached) = try KillableCommand.points(in: log)
        var moments = source.points.map { Moment.point($0, 1) }
        // The last commits: those of the albums and their order.
        let commits = counts[.commit] ?? 0
        moments.append(.point(.commit, commits))
        // The albums of all forms of an export are written in the same way.
        if Source.isLong || source == .zip { moments.append(.point(.committed, commits)) }
        moments += source.commitsOfAlbums.map { .point(.commit, commits - $0) }
        for _ in 0..<source.randomKills {
            if Bool.random(using: &random) {
                moments.append(.time(duration * Double.random(in: 0...1, using: &random)))
                continue
            }
            let point = try #require(reached.randomElement(using: &random))
            let count = counts[point] ?? 1
            // Files are placed in folders by random identifiers, so the number of folders varies.
            let most = point == .syncFolder ? max(1, count / 2) : count
            moments.append(.point(point, Int.random(in: 1...most, using: &random)))
        }
        var hasStoppedBetweenAlbums = false
        for moment in moments {
            let library = world.folder.file("Killed.photolibrary")
            try? FileManager.default.removeItem(at: library)
            try FileManager.default.copyItem(at: empty, to: library)
            let context = "\(seed), \(source), \(moment)"
            switch moment {
            case .point(let point, let number):
                // The names of points that are never reached would test nothing.
                #expect((counts[point] ?? 0) >= number, "\(point) is not reached")
                let killed = try command.run(into(library), killedAt: point, number)
                #expect(killed.status == 128 + SIGKILL, "\(context)")
            case .time(let time):
                // The import may end first on a computer that is less busy than before.
                let killed = try command.run(into(library), after: time)
                #expect([0, 128 + SIGKILL].contains(killed.status), "\(context)")
            }
            hasStoppedBetweenAlbums =
                try hasStoppedBetweenAlbums || isBetweenAlbums(library, whole)
            let rest = try world.run(into(library))
            #expect(rest.status == 0, "\(context): \(rest.errorText)")
            #expect(try content(of: library.path, source) == expected, "\(context)")
            let verify = try world.run("--library", library.path, "verify", "--full")
            #expect(verify.errorText == "No problems found.\n", "\(context): \(verify.text)")
        }
        // An Apple library's albums are committed one by one.
        #expect(hasStoppedBetweenAlbums || source != .apple)
        #expect(try state(of: paths) == before, "the source was written to")
    }

    /// Returns whether a library has all assets and some, but not all, albums of another.
    private func isBetweenAlbums(_ library: URL, _ whole: URL) throws -> Bool {
        func counts(_ library: URL) throws -> [Int] {
            let output = try ProcessRunner.run(
                "sqlite3",
                [
                    "-cmd", ".timeout 20000", library.path + "/database/library.sqlite",
                    "SELECT count(*) FROM asset; SELECT count(*) FROM collection;",
                ]
            )
            return output.lines.compactMap(Int.init)
        }
        let (some, all) = (try counts(library), try counts(whole))
        guard some.count == 2, all.count == 2 else { return false }
        return some[0] == all[0] && some[1] > 0 && some[1] < all[1]
    }

    // MARK: - Progress and reports

    @Test(arguments: Source.kinds) func terminalShowsTotalsRateAndTimeLeft(_ source: Source)
        throws
    {
        let path: String
        if source == .apple {
            var library = AppleLibrary()
            library.assets = 410
            library.liveEvery = 0
            path = world.folder.file("Mac").path
            try library.write(to: URL(fileURLWithPath: path))
        } else {
            path = try write(source).paths[0]
        }
        let process = try world.startOnTerminal("import", path)
        // The time left is shown after a second.
        process.read(atMost: .milliseconds(50))
        process.kill(SIGSTOP)
        process.read(atMost: .milliseconds(1100))
        process.kill(SIGCONT)
        process.read()
        #expect(process.wait().status == 0)
        let text = String(decoding: process.output, as: UTF8.self)
        let total = source == .apple ? /[1-9][0-9]* of 410 photos/ : /[1-9][0-9]* of 124 files/
        #expect(text.contains(total), "\(text.suffix(4000))")
        #expect(text.contains(/[0-9] (B|kB|MB|GB)\/s/), "\(text.suffix(4000))")
        // A small export may be a single step, after which no time is left.
        if source == .apple {
            #expect(text.contains(/[0-9]+:[0-9][0-9] left/), "\(text.suffix(4000))")
        }
    }

    @Test(arguments: Source.kinds) func stoppedRunLeavesAPartialReport(_ source: Source) throws {
        let path = try write(source).paths[0]
        let report = world.folder.file("report.jsonl").path
        let manager = FileManager.default
        #expect(try world.run("create").status == 0)
        for signal in [SIGINT, SIGKILL] {
            let process = try world.start("import", "--json", path, "--report", report)
            // The first thing that an import writes, long before its last photo.
            #expect(FileEvents.wait(forFile: report + ".partial"))
            process.kill(signal)
            process.read()
            let status = process.wait().status
            // The step in progress is finished first, which may be the last one.
            if status == 0, signal == SIGINT {
                try manager.removeItem(atPath: report)
                continue
            }
            #expect(status == 128 + signal)
            #expect(manager.fileExists(atPath: report + ".partial"))
            #expect(!manager.fileExists(atPath: report))
            try manager.removeItem(atPath: report + ".partial")
        }
        let output = try world.run("import", "--json", path, "--report", report)
        #expect(output.status == 0)
        #expect(!manager.fileExists(atPath: report + ".partial"))
        let lines = try String(contentsOfFile: report, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        #expect(Array(lines.dropFirst().dropLast()) == output.lines)
        #expect(lines.first?.hasPrefix("{\"sources\":[{\"kind\":") == true)
        #expect(lines.last?.contains("\"addsUp\":true") == true)
    }
}
