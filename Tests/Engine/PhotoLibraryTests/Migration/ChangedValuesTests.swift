import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Values that change between imports, that differ from those of a photo from elsewhere, or that
/// are too long.
@Suite(.timeLimit(.minutes(5))) struct ChangedValuesTests: AppleSourceTests {
    let setting: AppleSourceSetting

    init() throws { setting = try AppleSourceSetting() }

    // MARK: - Dates

    @Test func correctedDatesAreTaken() throws {
        // Both have an impossible date at first; that of 3 is also changed here.
        try library.execute(
            "UPDATE ZASSET SET ZDATECREATED = 123456789012345 WHERE Z_PK IN (1, 4);",
            in: source
        )
        let first = try world.migrate(source.path)
        #expect(first.leading[library.uuid(0)]?.notes.map(\.code).contains("dateRejected") == true)
        var edit = AssetEdit()
        edit.creationDate = .set(Date(timeIntervalSinceReferenceDate: 650_000_000))
        try change(.editAsset(uuid: library.uuid(3), edit))
        let mine = try asset(3)["creationDate"] as Double
        for index in [0, 3] {
            try changeSource(
                index,
                "UPDATE ZASSET SET ZDATECREATED = 600000000 WHERE Z_PK = \(index + 1);"
            )
        }
        let again = try world.migrate(source.path)
        #expect(try asset(0)["creationDate"] == 600_000_000.0)
        #expect(try asset(0)["captureOffset"] == 7200)
        #expect(try asset(3)["creationDate"] == mine)
        #expect(again.leading[library.uuid(3)]?.notes.map(\.code) == ["keptYours"])
        #expect(again.leading[library.uuid(0)]?.notes.isEmpty == true)
    }

    /// A source without an offset leaves that of the file; the date that changes then is not a
    /// person's.
    @Test func dateIsTakenWhereTheFileHadTheOffset() throws {
        let exif = try ProcessRunner.run(
            "exiftool",
            [
                "-overwrite_original", "-EXIF:DateTimeOriginal=2023:03:08 22:26:40",
                "-EXIF:OffsetTimeOriginal=+02:00", path(library.original(0)),
            ]
        )
        try #require(exif.status == 0, "\(exif.errorText)")
        try library.execute(
            """
            UPDATE ZASSET SET ZDATECREATED = 700000000 WHERE Z_PK = 1;
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTIMEZONEOFFSET = NULL WHERE ZASSET = 1;
            """,
            in: source
        )
        _ = try world.migrate(source.path)
        #expect(try asset(0)["captureOffset"] == 7200)
        try changeSource(0, "UPDATE ZASSET SET ZDATECREATED = 600000000 WHERE Z_PK = 1;")
        let again = try world.migrate(source.path)
        #expect(try asset(0)["creationDate"] == 600_000_000.0)
        #expect(again.leading[library.uuid(0)]?.notes.isEmpty == true)
    }

    // MARK: - Sidecars

    @Test func peopleThatAreNamedLaterCome() throws {
        _ = try world.migrate(source.path)
        #expect(try sidecar(of: 1) == nil)
        // Naming a face changes no date of the photo.
        try library.execute(
            """
            INSERT INTO ZPERSON VALUES (2, 'Zoë');
            INSERT INTO ZDETECTEDFACE VALUES (98, 2, 2, 0.5, 0.25, 0.125),
                (99, 1, 2, 0.5, 0.25, 0.125);
            """,
            in: source
        )
        let again = try world.migrate(source.path)
        #expect(try sidecar(of: 1)?.contains("Zoë") == true)
        let both = try #require(try sidecar(of: 0))
        #expect(both.contains("Zoë") && both.contains("Ana"))
        #expect(again.leading[library.uuid(1)]?.notes.map(\.code) == ["keptNotShown"])
        let last = try world.migrate(source.path)
        #expect(last.totals.files == 0)
        try library.execute("DELETE FROM ZDETECTEDFACE WHERE Z_PK >= 98;", in: source)
        _ = try world.migrate(source.path)
        #expect(try sidecar(of: 1) == nil)
        #expect(try sidecar(of: 0)?.contains("Zoë") == false)
        #expect(try world.findings() == [])
    }

    // MARK: - Photos from elsewhere

    @Test func valuesOfAPhotoFromElsewhereStayAndAreNamed() throws {
        try importPlainly([path(library.original(0)), path(library.original(2))])
        let rows = try world.rows("SELECT uuid FROM asset ORDER BY id")
        var edit = AssetEdit()
        edit.title = .set("Mine")
        try change(.editAsset(uuid: rows[0][0], edit))
        try library.execute(
            """
            UPDATE ZASSET SET ZHIDDEN = 1 WHERE Z_PK = 1;
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'Theirs' WHERE ZASSET = 1;
            """,
            in: source
        )
        let outcome = try world.migrate(source.path)
        let row = try #require(
            try world.rows("SELECT * FROM asset WHERE uuid = ?", [rows[0][0] as String]).first
        )
        #expect(row["title"] == "Mine" && row["isHidden"] == false)
        let notes = outcome.leading[library.uuid(0)]?.notes ?? []
        let text = try #require(notes.first { $0.code == "keptYours" }?.text)
        #expect(text.contains("title") && text.contains("hidden"), "\(text)")
        #expect(!text.contains("caption") && !text.contains("keywords"), "\(text)")
    }

    /// An equal photo of the same library stays one of its own, although the first of them is one
    /// with a photo from elsewhere.
    @Test func twinOfAJoinedPhotoStaysAPhoto() throws {
        try importPlainly([path(library.original(0))])
        let manager = FileManager.default
        try manager.removeItem(atPath: path(library.original(4)))
        try manager.copyItem(atPath: path(library.original(0)), toPath: path(library.original(4)))
        let outcome = try world.migrate(source.path)
        #expect(outcome.leading[library.uuid(0)]?.outcome == .duplicate)
        #expect(outcome.leading[library.uuid(4)]?.outcome == .imported)
        #expect(try asset(4)["title"] == "Title 4")
    }

    /// Libraries of Photos 4 are told apart by the identifier of their database, or by their date.
    @Test(arguments: [true, false]) func earlierLibrariesAreSourcesOfTheirOwn(_ hasName: Bool)
        throws
    {
        let volume = world.folder.file("Volume")
        let names = ["First", "Second"]
        for (number, name) in names.enumerated() {
            let folder = world.folder.file(name)
            try EarlierAppleLibrary().write(to: folder, volume: volume)
            let identity =
                hasName
                ? """
                CREATE TABLE RKAdminData (modelId INTEGER, propertyArea, propertyName, propertyValue);
                INSERT INTO RKAdminData VALUES (1, 'database', 'databaseUuid', 'x\(number)');
                """
                : """
                DELETE FROM RKFolder WHERE uuid = 'LibraryFolder';
                INSERT INTO RKFolder (uuid, folderType, createDate)
                VALUES ('LibraryFolder', 1, \(500_000_000 + number));
                """
            try ProcessRunner.sqlite(
                "UPDATE RKVersion SET uuid = '\(number)' || substr(uuid, 2);\n" + identity,
                in: folder.appendingPathComponent("database/photos.db")
            )
        }
        let volumes = [EarlierAppleLibrary.volume: volume.path]
        let first = try world.migrate(world.folder.file("First").path, volumes: volumes)
        #expect(first.totals.imported == EarlierAppleLibrary.Item.allCases.count)
        let second = try world.migrate(world.folder.file("Second").path, volumes: volumes)
        #expect(second.totals.imported == 0 && second.totals.addsUp)
        #expect(second.totals.alreadyThere == EarlierAppleLibrary.Item.allCases.count)
        #expect(try world.findings() == [])
    }

    // MARK: - Edits

    /// An edit that was made here stays when the source's is reverted there.
    @Test func revertAtTheSourceKeepsAnEditMadeHere() throws {
        _ = try world.migrate(source.path)
        let edited = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", world.libraryPath + "/database/library.sqlite",
                """
                UPDATE resource SET sha256 = zeroblob(32) WHERE type = 5 AND assetId =
                    (SELECT id FROM asset WHERE uuid = '\(library.uuid(1))')
                """,
            ]
        )
        try #require(edited.status == 0, "\(edited.errorText)")
        try revertInSource(1)
        try revertInSource(5)
        let again = try world.migrate(source.path)
        #expect(try asset(1)["hasAdjustments"] == true && types(library.uuid(1)) == [1, 5, 7])
        #expect(again.leading[library.uuid(1)]?.notes.map(\.code) == ["keptYours"])
        #expect(try asset(5)["hasAdjustments"] == false)
    }

    // MARK: - Length

    @Test func textThatIsCutIsReported() throws {
        try library.execute(
            """
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = printf('%.*c', 40000, 'x')
            WHERE ZASSET = 1;
            UPDATE ZPERSON SET ZFULLNAME = printf('%.*c', 300, 'y');
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = printf('%.*c', 32768, 'x')
            WHERE ZASSET = 2;
            """,
            in: source
        )
        let outcome = try world.migrate(source.path)
        func text(_ index: Int) -> String? {
            outcome.leading[library.uuid(index)]?.notes.first { $0.code == "textTooLong" }?.text
        }
        #expect(text(0)?.hasSuffix("title, people.") == true)
        #expect(text(8)?.hasSuffix(": people.") == true)
        #expect(text(1) == nil)
    }
}
