import Foundation
import TestSupport
import Testing

/// Backups of libraries that were imported from other programs, and their restoration.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: MigrationSources.isPresent, "There are no migration fixtures.")
)
struct MigratedBackupTests {
    let made: BackupWorld
    var world: CommandWorld { made.world }

    init() throws { made = try BackupWorld() }

    @Test(arguments: MigrationSources.chosen) func librariesOfOtherProgramsAreRestored(
        _ name: String
    ) throws {
        let library = world.folder.file("Moved.photolibrary")
        try MigrationSources.load(name, into: library)
        let arguments = ["--json", "--library", library.path]
        let backedUp = try world.run(["backup", made.backup.path] + arguments)
        #expect(backedUp.status == 0, "\(backedUp.errorText)")
        let former = world.folder.file("Former.photolibrary")
        try FileManager.default.moveItem(at: library, to: former)
        let restored = try world.run(["restore-backup", made.backup.path] + arguments)
        #expect(restored.status == 0, "\(restored.errorText)")
        let tables = try made.tables(of: former)
        #expect(tables.contains("INSERT INTO migratedItem"))
        try made.expectSame(former, library)
        let verify = try world.run("verify", "--full", "--library", library.path)
        #expect(verify.errorText == "No problems found.\n", "\(verify.text)")
        // The restored library knows its source.
        let again = try world.run(
            ["import", "--json", MigrationSources.source(name).path, "--library", library.path]
                + MigrationSources.options(for: name)
        )
        let outcomes = try again.lines.map(JSONLine.init).map { $0["outcome"] }
        #expect(outcomes.contains("duplicate") && !outcomes.contains("imported"), "\(again.text)")
    }
}
