import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Copies of a library from before its last import, such as those of Time Machine.
@Suite(.timeLimit(.minutes(5))) struct OlderSourceTests: AppleSourceTests {
    let setting: AppleSourceSetting

    init() throws { setting = try AppleSourceSetting() }

    /// Numbers the library's transactions, as Core Data does.
    private func setVersion(_ number: Int) throws {
        try library.execute(
            "INSERT OR REPLACE INTO Z_PRIMARYKEY VALUES (16002, 'TRANSACTION', 0, \(number));",
            in: source
        )
    }

    /// The state of the library is told by its number of transactions, or by its dates.
    @Test(arguments: [true, false]) func olderCopyChangesNothing(_ hasVersion: Bool) throws {
        if hasVersion { try setVersion(100) }
        // It has a photo that was deleted since, and a movie that was moved to iCloud.
        let older = try copySource(to: "Older")
        try library.execute("DELETE FROM ZASSET WHERE Z_PK = 9;", in: source)
        try FileManager.default.removeItem(atPath: path(library.original(8)))
        _ = try takeAway(movie(2))
        if hasVersion { try setVersion(200) }
        _ = try world.migrate(source.path)
        try editAgain(0)
        try editAgain(1)
        try revertInSource(5)
        try setTitle(3, "Newer")
        try changeSource(
            4,
            """
            UPDATE ZASSET SET ZTRASHEDSTATE = 1, ZTRASHEDDATE = 710000000,
                ZMODIFICATIONDATE = 710000000 WHERE Z_PK = 5;
            UPDATE ZGENERICALBUM SET ZTITLE = 'Newer' WHERE Z_PK = 10;
            DELETE FROM Z_30ASSETS WHERE Z_30ALBUMS = 11 AND Z_3ASSETS = 1;
            """
        )
        if hasVersion {
            // Naming a person changes no date of the photo.
            try library.execute(
                "INSERT INTO ZDETECTEDFACE VALUES (99, 8, 1, 0.5, 0.25, 0.125);",
                in: source
            )
            try setVersion(300)
        }
        _ = try world.migrate(source.path)
        #expect(try asset(1)["hasAdjustments"] == true && asset(5)["hasAdjustments"] == false)
        #expect(try (sidecar(of: 7) != nil) == hasVersion)
        let before = try content()
        let outcome = try world.migrate(older.path)
        #expect(outcome.totals.imported == 1 && outcome.totals.addsUp)
        #expect(outcome.leading[library.uuid(8)]?.outcome == .imported)
        #expect(outcome.leading[library.uuid(3)]?.reason?.contains("older") == true)
        // The photo that was deleted since is there, in its albums, and so is the movie.
        #expect(try types(library.uuid(2)) == [1, 9])
        let after = try content().filter { line in
            !line.contains(library.uuid(8)) && !line.contains(library.uuid(2))
        }
        #expect(
            after
                == before.filter { line in
                    !line.contains(library.uuid(8)) && !line.contains(library.uuid(2))
                }
        )
        let albums = try world.rows(
            """
            SELECT c.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId WHERE a.uuid = ? ORDER BY 1
            """,
            [library.uuid(8)]
        ).map { $0[0] as String }
        #expect(albums == (0..<3).filter { library.members($0).contains(8) }.map(library.album))
        // The newer one is taken again, without a difference.
        let last = try world.migrate(source.path)
        #expect(last.totals.imported == 0 && last.totals.files == 0)
        let newest = try content()
        _ = try world.migrate(older.path)
        #expect(try content() == newest)
        #expect(try world.findings() == [])
    }

    /// An edit that was made since is not on the older copy, and stays.
    @Test func olderCopyCompletesTheEditThatIsHere() throws {
        let envelope = render(1).replacingOccurrences(of: "_1_201_a.jpeg", with: ".plist")
        let older = try copySource(to: "Older")
        let putBack = try takeAway(envelope)
        _ = try world.migrate(source.path)
        try setTitle(1, "Newer")
        _ = try world.migrate(source.path)
        let made = try digest(library.uuid(1), 7)
        let outcome = try world.migrate(older.path)
        #expect(outcome.totals.imported == 0 && outcome.totals.addsUp)
        #expect(try asset(1)["title"] == "Newer")
        try putBack()
        #expect(try digest(library.uuid(1), 7) == MigrationWorld.sha256(envelope))
        #expect(try digest(library.uuid(1), 7) != made)
        #expect(try types(library.uuid(1)) == [1, 5, 7])
        #expect(try world.findings() == [])
    }
}
