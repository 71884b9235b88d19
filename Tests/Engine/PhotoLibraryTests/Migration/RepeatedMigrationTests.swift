import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Libraries of Photos that are imported again: with files that arrived since, with changes on both
/// sides, and into a library that has some of the files from elsewhere.
@Suite(.timeLimit(.minutes(5))) struct RepeatedMigrationTests: AppleSourceTests {
    let setting: AppleSourceSetting

    init() throws { setting = try AppleSourceSetting() }

    // MARK: - Missing files

    @Test func absentFilesAreReportedUntilTheyAreThere() throws {
        let putRenderBack = try takeAway(render(1))
        let putMovieBack = try takeAway(movie(2))
        for run in 1...2 {
            let outcome = try world.migrate(source.path)
            #expect(isIncomplete(outcome), "run \(run)")
            let missing = outcome.lines.filter { $0.outcome == .missing }
            #expect(Set(missing.compactMap(\.item)) == [library.uuid(1), library.uuid(2)])
            #expect(missing.allSatisfy { !$0.isLeading && $0.localIdentifier != nil })
            #expect(outcome.totals.addsUp && outcome.totals.missing == 0)
            #expect(outcome.totals.files == 0 || run == 1)
        }
        try putRenderBack()
        try putMovieBack()
        let whole = try world.migrate(source.path)
        #expect(!isIncomplete(whole) && whole.totals.addsUp)
        #expect(whole.lines.filter { $0.outcome == .paired }.count == 3)
        #expect(try types(library.uuid(1)) == [1, 5, 7])
        #expect(try types(library.uuid(2)) == [1, 9])
        #expect(try asset(1)["hasAdjustments"] == true)
        #expect((try asset(2)["mediaSubtypes"] as Int) & 8 != 0)
        let last = try world.migrate(source.path)
        #expect(!isIncomplete(last) && last.totals.files == 0)
        #expect(last.lines.allSatisfy { $0.outcome == .duplicate })
        try expectClean()
    }

    @Test func filesThatLeftTheSourceAreNotMissed() throws {
        _ = try world.migrate(source.path)
        try FileManager.default.removeItem(atPath: render(1))
        try FileManager.default.removeItem(atPath: movie(2))
        for index in [1, 2] {
            try changeSource(
                index,
                "UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'T' WHERE ZASSET = \(index + 1);"
            )
        }
        let again = try world.migrate(source.path)
        #expect(!isIncomplete(again) && again.totals.addsUp)
        #expect(try asset(1)["title"] == "T" && asset(2)["title"] == "T")
        #expect(try types(library.uuid(1)) == [1, 5, 7])
    }

    @Test func changesComeWithTheFilesThatWereMissing() throws {
        let putBack = try takeAway(render(1))
        _ = try world.migrate(source.path)
        try putBack()
        try changeSource(
            1,
            """
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'Theirs' WHERE ZASSET = 2;
            UPDATE ZASSET SET ZFAVORITE = 1, ZDATECREATED = 600000000 WHERE Z_PK = 2;
            """
        )
        let again = try world.migrate(source.path)
        #expect(again.totals.addsUp && !isIncomplete(again))
        let row = try asset(1)
        #expect(row["title"] == "Theirs" && row["isFavorite"] == true)
        #expect(row["creationDate"] == 600_000_000.0 && row["hasAdjustments"] == true)
        try expectClean()
    }

    /// The values are taken even if no file arrives, and the gap stays visible.
    @Test func changesComeWithoutTheFilesThatAreMissing() throws {
        _ = try takeAway(movie(2))
        _ = try world.migrate(source.path)
        try changeSource(
            2,
            "UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'Theirs' WHERE ZASSET = 3;"
        )
        let again = try world.migrate(source.path)
        #expect(isIncomplete(again))
        #expect(try asset(2)["title"] == "Theirs")
    }

    @Test func whatArrivedCompletesAnAssetThatStaysIncomplete() throws {
        // A Live Photo whose original and movie are only in iCloud, with a smaller version.
        let putOriginalBack = try takeAway(path(library.original(2)))
        let putMovieBack = try takeAway(movie(2))
        let derivatives = source.appendingPathComponent("resources/derivatives/A")
        try FileManager.default.createDirectory(
            at: derivatives,
            withIntermediateDirectories: true
        )
        let small = derivatives.appendingPathComponent(library.uuid(2) + "_1_105_c.jpeg")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path(library.original(3))))
        bytes.append(7)
        try bytes.write(to: small)
        var options = MigrationOptions()
        options.includesProxies = true
        let first = try world.migrate(source.path, options: options)
        #expect(first.totals.missing == 1 && first.totals.addsUp)
        #expect(try types(library.uuid(2)) == [19])
        try putOriginalBack()
        let second = try world.migrate(source.path)
        #expect(second.totals.imported == 1 && second.totals.addsUp && isIncomplete(second))
        #expect(try types(library.uuid(2)) == [1])
        #expect(second.leading[library.uuid(2)]?.reason?.contains("smaller version") == true)
        try putMovieBack()
        let third = try world.migrate(source.path)
        #expect(third.totals.imported == 0 && third.totals.addsUp && !isIncomplete(third))
        #expect(try types(library.uuid(2)) == [1, 9])
        try expectClean()
    }

    @Test func revertedEditDoesNotReturnWithOtherFiles() throws {
        // An edited Live Photo: the asset with the index 2 gets an edit.
        try editAgain(2)
        let putBack = try takeAway(movie(2))
        _ = try world.migrate(source.path)
        #expect(try asset(2)["hasAdjustments"] == true)
        try change(.revertContent(uuid: library.uuid(2), choice: nil))
        #expect(try asset(2)["hasAdjustments"] == false)
        try putBack()
        let again = try world.migrate(source.path)
        #expect(again.totals.addsUp && !isIncomplete(again))
        #expect(try asset(2)["hasAdjustments"] == false)
        #expect(try types(library.uuid(2)) == [1, 9])
        try expectClean()
    }

    // MARK: - Edits

    @Test func editsOfTheSourceAreTakenUnlessTheyWereChangedHere() throws {
        _ = try world.migrate(source.path)
        // 0 is edited for the first time, 1 again, 5 is reverted, 9 is reverted here and changed.
        for index in [0, 1, 9] { try editAgain(index) }
        try FileManager.default.removeItem(atPath: render(5))
        try changeSource(
            5,
            """
            UPDATE ZASSET SET ZADJUSTMENTSSTATE = 0 WHERE Z_PK = 6;
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZUNMANAGEDADJUSTMENT = NULL WHERE ZASSET = 6;
            """
        )
        try change(.revertContent(uuid: library.uuid(9), choice: nil))
        let again = try world.migrate(source.path)
        #expect(again.totals.addsUp && !isIncomplete(again) && again.totals.imported == 0)
        for index in [0, 1] {
            let wanted = try MigrationWorld.sha256(render(index))
            #expect(try digest(library.uuid(index), 5) == wanted, "\(index)")
            #expect(try asset(index)["hasAdjustments"] == true)
        }
        #expect(try types(library.uuid(1)) == [1, 5, 7])
        #expect(try types(library.uuid(5)) == [1])
        #expect(try asset(5)["hasAdjustments"] == false)
        #expect(try asset(9)["hasAdjustments"] == false)
        #expect(again.leading[library.uuid(9)]?.notes.map(\.code) == ["keptYours"])
        let declined = again.lines.filter { $0.item == library.uuid(9) && !$0.isLeading }
        #expect(declined.count == 2 && declined.contains { $0.outcome == .skipped })
        let last = try world.migrate(source.path)
        #expect(last.totals.files == 0 && last.lines.allSatisfy { $0.outcome == .duplicate })
        #expect(last.lines.allSatisfy { !$0.notes.map(\.code).contains("keptYours") })
        try expectClean()
    }

    // MARK: - Values

    @Test func placeKeepsItsAltitudeAndOnlyTakenValuesAreAPersons() throws {
        _ = try world.migrate(source.path)
        let before = try asset(3)["personFacts"] as Int
        // Latitude, longitude, altitude, accuracies, course, speed and time.
        let numbers = [47.5, 9.5, 431.5, 5, 5, 0, 0, 0]
        let blob = numbers.map { number in
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes in
                bytes.map { String(format: "%02X", $0) }.joined()
            }
        }.joined()
        try changeSource(
            3,
            """
            UPDATE ZASSET SET ZLATITUDE = 47.5, ZLONGITUDE = 9.5, ZLOCATIONDATA = X'\(blob)'
            WHERE Z_PK = 4;
            """
        )
        try changeSource(
            1,
            "UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'Theirs' WHERE ZASSET = 2;"
        )
        _ = try world.migrate(source.path)
        let moved = try asset(3)
        #expect(moved["latitude"] == 47.5 && moved["altitude"] == 431.5)
        let location = SettableFacts.location.rawValue
        #expect(moved["personFacts"] as Int == before | Int(location))
        let titled = try asset(1)["personFacts"] as Int
        #expect(titled & Int(SettableFacts.title.rawValue) != 0)
        #expect(titled & Int(SettableFacts.rating.rawValue) == 0)
    }

    // MARK: - Assets from elsewhere

    @Test func originalFromElsewhereGetsWhatTheLibraryHasBesides() throws {
        // 2 is a Live Photo, 1 is edited, 8 has a person.
        try importPlainly([1, 2, 8].map { path(library.original($0)) })
        let before = try world.rows("SELECT count(*) FROM asset")
        #expect(before.first?[0] == 3)
        let outcome = try world.migrate(source.path)
        #expect(outcome.totals.addsUp && !isIncomplete(outcome))
        #expect(outcome.totals.alreadyThere == 3)
        #expect(outcome.totals.imported == library.assets - 3)
        func identifier(_ index: Int) throws -> String {
            let line = try #require(outcome.leading[library.uuid(index)])
            #expect(line.outcome == .duplicate && line.path == library.original(index))
            return try #require(LocalIdentifier(line.localIdentifier ?? "")?.uuid)
        }
        let (edited, live, named) = try (identifier(1), identifier(2), identifier(8))
        #expect(try types(live) == [1, 9])
        #expect(try types(edited) == [1, 5, 7])
        #expect(try types(named) == [1, 1001])
        #expect(
            outcome.leading[library.uuid(8)]?.notes.map(\.code).contains("keptNotShown") == true
        )
        let paired = outcome.lines.filter { $0.item == library.uuid(2) && !$0.isLeading }
        #expect(paired.map(\.outcome) == [.paired])
        let again = try world.migrate(source.path)
        #expect(again.totals.files == 0 && !isIncomplete(again))
        try expectClean()
    }

    @Test func missingMovieOfAnOriginalFromElsewhereComesLater() throws {
        try importPlainly([path(library.original(2))])
        let putBack = try takeAway(movie(2))
        let first = try world.migrate(source.path)
        #expect(isIncomplete(first) && first.totals.addsUp)
        try putBack()
        let second = try world.migrate(source.path)
        #expect(!isIncomplete(second) && second.totals.addsUp)
        let line = try #require(second.leading[library.uuid(2)])
        #expect(try types(LocalIdentifier(line.localIdentifier ?? "")?.uuid ?? "") == [1, 9])
        try expectClean()
    }

    @Test func damagedFileOfTheLibraryIsRestored() throws {
        try importPlainly([path(library.original(2)), path(library.original(3))])
        let stored = try world.rows("SELECT path FROM resource ORDER BY id").map { row in
            world.libraryPath + "/" + (row[0] as String)
        }
        let damaged = try #require(stored.first)
        try FileManager.default.removeItem(atPath: damaged)
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: damaged))
        try FileManager.default.removeItem(atPath: try #require(stored.last))
        let outcome = try world.migrate(source.path)
        let reasons = [2, 3].compactMap { outcome.leading[library.uuid($0)]?.reason }
        #expect(reasons.contains { $0.contains("was damaged and has been restored") })
        #expect(reasons.contains { $0.contains("was missing and has been restored") })
        #expect(outcome.totals.addsUp)
        try expectClean()
    }

    @Test func editThatWasRevertedHereIsNotTakenWithAnOriginalFromElsewhere() throws {
        try importPlainly([path(library.original(1))])
        _ = try world.migrate(source.path)
        let uuid = try #require(
            try world.rows("SELECT uuid FROM asset ORDER BY id").first?[0] as String?
        )
        #expect(try types(uuid) == [1, 5, 7])
        try change(.revertContent(uuid: uuid, choice: nil))
        // As if the library had never been imported.
        let store = try LibraryStore.open(at: world.libraryPath)
        try store.write(author: "tests") { transaction in
            try transaction.database.execute(sql: "DELETE FROM migratedItem")
        }
        try store.close()
        let again = try world.migrate(source.path)
        #expect(try types(uuid) == [1])
        let line = try #require(again.leading[library.uuid(1)])
        #expect(line.notes.map(\.code).contains("editNotTaken"))
        let render = again.lines.first { $0.path?.hasSuffix("_1_201_a.jpeg") == true }
        #expect(render?.item == library.uuid(1) && render?.outcome == .skipped)
        try expectClean()
    }
}
