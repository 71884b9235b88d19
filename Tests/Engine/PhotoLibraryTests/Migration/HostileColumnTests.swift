import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Databases with wrong types, huge values and nulls, in every column that the readers read.
@Suite(.timeLimit(.minutes(5))) struct HostileColumnTests {
    /// The two generations of Photos, with their readers.
    enum Generation: String, CaseIterable, CustomTestStringConvertible {
        case photos5, photos3
        var testDescription: String { rawValue }

        var database: String { self == .photos5 ? "database/Photos.sqlite" : "database/photos.db" }
        /// The start of the names of the reader's files.
        var files: [String] { self == .photos5 ? ["Photos"] : ["Earlier"] }
    }

    private let world: MigrationWorld
    private let source: URL

    init() throws {
        world = try MigrationWorld()
        source = world.folder.file("Source.photoslibrary")
    }

    /// Values that a column does not have in a sound library, one per row in turn.
    private static let values = [
        "NULL", "X'00FF80'", "'no number'", "9223372036854775807", "-9223372036854775808",
        "1e300", "-1e300", "''", "hex(zeroblob(600000))", "'../../../etc/passwd' || char(0)",
        "char(0x202E, 0xFFFF, 0xFEFF)", "0.5",
    ]

    /// The number of values that each column begins with in turn, one column of a table at a time;
    /// for one, each begins with a random value, two at a time.
    private static let cases =
        ProcessInfo.processInfo.environment["PHOTOS_COLUMN_CASES"].flatMap(Int.init) ?? 1
    private static let width = cases > 1 ? 1 : 2

    private static let keys = ["9223372036854775807", "-9223372036854775808", "0", "-1"]

    /// A column of a table.
    private struct Column: Hashable, CustomStringConvertible {
        var table: String
        var name: String
        /// Indicates whether it is the row id, which only takes integers.
        var isKey: Bool
        var description: String { table + "." + name }

        /// Returns SQL that gives most rows a hostile value in turn, beginning with one of them.
        func attack(_ start: Int) -> String {
            let values = isKey ? HostileColumnTests.keys : HostileColumnTests.values
            let cases = values.enumerated()
                .map { "WHEN \($0.offset) THEN \($0.element)" }.joined(separator: " ")
            // Some rows stay as they are, so that the reader gets to the others.
            let row = "(rowid + \(start)) % \(values.count + 4)"
            // Unique columns keep the values of rows that would repeat one.
            return "UPDATE OR IGNORE \(table) SET \(name) = CASE \(row) \(cases) ELSE \(name) END;"
        }
    }

    private func write(_ generation: Generation) throws {
        if generation == .photos5 {
            var library = AppleLibrary()
            library.assets = 6
            library.isRich = true
            try library.write(to: source)
        } else {
            try EarlierAppleLibrary().write(to: source, volume: world.folder.file("volume"))
        }
    }

    private func columns(_ generation: Generation) throws -> [Column] {
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                "-separator", " ", source.path + "/" + generation.database,
                """
                SELECT m.name, c.name, c.pk = 1 AND c.type = 'INTEGER' AND NOT EXISTS (
                    SELECT 1 FROM pragma_table_info(m.name) o WHERE o.pk > 1)
                FROM sqlite_master m JOIN pragma_table_info(m.name) c
                WHERE m.type = 'table' ORDER BY m.name, c.cid
                """,
            ]
        )
        return output.lines.map { line in
            let parts = line.split(separator: " ").map(String.init)
            return Column(table: parts[0], name: parts[1], isKey: parts[2] == "1")
        }
    }

    /// Returns the names of columns and tables in the reader's code.
    private static func read(_ generation: Generation) throws -> Set<String> {
        let folder = SharedData.packageRoot
            .appendingPathComponent("Sources/Worker/PhotosWorker/Libraries")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where generation.files.contains(where: file.hasPrefix) {
            let text = try String(
                contentsOf: folder.appendingPathComponent(file),
                encoding: .utf8
            )
            let pattern = generation == .photos5 ? #"\bZ[A-Z0-9_]{3,}\b"# : #"\bRK[A-Za-z]+\b"#
            for match in text.matches(of: try Regex(pattern)) {
                names.insert(String(text[match.range]))
            }
        }
        return names
    }

    /// Names that only other releases have, or that are parts of names.
    private static let others: Set<String> = [
        "ZGENERICASSET", "ZMASTERFINGERPRINT", "ZHASADJUSTMENTS", "ZPERSONFORFACE",
        "ZASSETFORFACE", "ZPERSON", "ZASSET", "Z_FOK_",
    ]

    /// Migrates the source; the outcome adds up, or the library is refused with a reason.
    private func expectHarmless(_ options: MigrationOptions, _ comment: Comment) throws {
        do {
            let outcome = try world.migrate(source.path, options: options)
            #expect(
                outcome.totals.addsUp || outcome.totals.notes.map(\.code).contains("sumMismatch"),
                comment
            )
        } catch let error as LibraryError {
            #expect(error.code == .invalidResource, "\(comment): \(error)")
            #expect(error.reason?.isEmpty == false && error.recovery?.isEmpty == false, comment)
        }
    }

    @Test(arguments: Generation.allCases) func everyColumnMayHoldAnything(
        _ generation: Generation
    ) throws {
        try write(generation)
        let columns = try columns(generation)
        let known = Set(columns.flatMap { [$0.table, $0.name] })
        let unknown = try Self.read(generation).subtracting(known).subtracting(Self.others)
        #expect(unknown.isEmpty, "The generated library lacks what the reader reads.")
        #expect(columns.count > (generation == .photos5 ? 90 : 80))
        let seed = TestSeed()
        var random = seed.generator
        let database = source.appendingPathComponent(generation.database)
        let sound = try Data(contentsOf: database)
        var options = MigrationOptions()
        options.includesShared = true
        options.includesProxies = true
        // Each column in its turn, as a plan: one or two of each table at a time, and those alone
        // without which nothing is read.
        options.isDryRun = true
        let tables = Dictionary(grouping: columns, by: \.table)
        let required = ["Z_PRIMARYKEY", "Z_METADATA", "LiGlobals"]
        var rounds = required.flatMap { tables[$0] ?? [] }.map { [$0] }
        let others = tables.filter { !required.contains($0.key) }.sorted { $0.key < $1.key }
            .map { $0.value.shuffled(using: &random) }
        for place in stride(from: 0, to: others.map(\.count).max() ?? 0, by: Self.width) {
            rounds.append(others.flatMap { $0.dropFirst(place).prefix(Self.width) })
        }
        #expect(rounds.reduce(0) { $0 + $1.count } == columns.count)
        for (round, number) in rounds.flatMap({ round in (0..<Self.cases).map { (round, $0) } }) {
            let start =
                Self.cases > 1 ? number : Int.random(in: 0..<Self.values.count, using: &random)
            try sound.write(to: database)
            let sql = round.map { $0.attack(start) }.joined(separator: "\n")
            try ProcessRunner.sqlite(sql, in: database)
            try expectHarmless(options, "\(seed): \(round) from \(start)")
        }
        // The columns of each table but its keys together, with files.
        options.isDryRun = false
        let names = tables.keys.sorted()
        for place in stride(from: 0, to: names.count, by: Self.width) {
            let start = Int.random(in: 0..<Self.values.count, using: &random)
            try sound.write(to: database)
            let tables = names.dropFirst(place).prefix(Self.width)
            let attacked = columns.filter {
                tables.contains($0.table) && !$0.isKey && $0.name != "uuid"
            }
            let sql = attacked.enumerated().map { $0.element.attack(start + $0.offset) }
            try ProcessRunner.sqlite(sql.joined(separator: "\n"), in: database)
            try expectHarmless(options, "\(seed): \(tables) from \(start)")
        }
        #expect(try world.findings() == [], "\(seed)")
        // The world still works.
        try sound.write(to: database)
        let outcome = try world.migrate(source.path, options: options)
        #expect(outcome.totals.addsUp, "\(seed)")
    }

    @Test func damagedAdjustmentsLeaveTheRendering() throws {
        try write(.photos3)
        let database = source.appendingPathComponent(Generation.photos3.database)
        for name in try columns(.photos3).filter({ $0.table == "RKAdjustmentData" }).map(\.name)
        where name.localizedCaseInsensitiveContains("version") {
            try ProcessRunner.sqlite(
                "UPDATE RKAdjustmentData SET \(name) = '1.0' || char(1);",
                in: database
            )
        }
        let outcome = try world.migrate(source.path)
        #expect(outcome.totals.addsUp && outcome.totals.imported > 0)
        let notes = outcome.lines.flatMap(\.notes).filter { $0.code == "adjustmentsMissing" }
        #expect(notes.contains { $0.text.contains("format version is too long") }, "\(notes)")
        let edited = try world.rows(
            "SELECT adjustmentFormatIdentifier FROM asset WHERE hasAdjustments"
        )
        #expect(edited.map { $0[0] as String? }.contains("com.apple.photo"))
        #expect(try world.findings() == [])
    }
}
