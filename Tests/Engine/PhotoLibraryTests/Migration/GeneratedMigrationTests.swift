import CloudSync
import Foundation
import GRDB
import Glibc
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary

/// Libraries in the shape of Photos that a generator writes, sound and hostile.
@Suite(.timeLimit(.minutes(5))) struct GeneratedMigrationTests {
    private let world: MigrationWorld
    private let library: AppleLibrary
    private let source: URL

    init() throws {
        world = try MigrationWorld()
        library = AppleLibrary()
        source = world.folder.file("Source.photoslibrary")
        try library.write(to: source)
    }

    @Test func everythingComesOver() throws {
        let before = try MigrationWorld.tree(source.path)
        let outcome = try world.migrate(source.path)
        #expect(try MigrationWorld.tree(source.path) == before)
        #expect(outcome.totals.imported == library.assets && outcome.totals.addsUp)
        #expect(outcome.totals.albums == 3 && outcome.totals.folders == 2)
        #expect(outcome.begun.model == 18_500)
        #expect(try world.findings() == [])
        for index in 0..<library.assets {
            let row = try #require(
                try world.rows("SELECT * FROM asset WHERE uuid = ?", [library.uuid(index)]).first
            )
            #expect(row["originalFilename"] == String(format: "IMG_%04d.JPG", index))
            #expect(row["creationDate"] == 700_000_000.25 + Double(index) * 3600)
            #expect(row["captureOffset"] == 7200)
            #expect(row["hasAdjustments"] == library.isEdited(index))
            #expect(((row["mediaSubtypes"] as Int) & 8 != 0) == library.isLive(index))
            let latitude: Double? = row["latitude"]
            #expect(latitude == (index % 3 == 0 ? 46.5 + Double(index) / 1e4 : nil))
            let sha = try MigrationWorld.sha256(source.path + "/" + library.original(index))
            let found = try world.rows(
                "SELECT count(*) FROM resource WHERE assetId = ? AND type = 1 AND hex(sha256) = ?",
                [row["id"] as Int64, sha.uppercased()]
            )
            #expect(found.first?[0] == 1)
        }
        for album in 0..<library.albums {
            let members = try world.rows(
                """
                SELECT a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
                JOIN collection c ON c.id = j.albumId WHERE c.uuid = ? ORDER BY j.position, a.id
                """,
                [library.album(album)]
            ).map { $0[0] as String }
            #expect(members == library.members(album).map(library.uuid))
        }
        // What the schema cannot hold is kept, with its text escaped.
        let sidecars = try world.rows(
            "SELECT path FROM resource WHERE type = 1001 AND originalFilename = ?",
            [MigrationSidecar.name]
        )
        #expect(sidecars.count == 2)
        let text = try String(
            contentsOfFile: world.libraryPath + "/" + (sidecars[0][0] as String),
            encoding: .utf8
        )
        #expect(text.contains("<rdf:li>Ana &lt;b&gt;&quot;M&quot;&lt;/b&gt; &amp; Co</rdf:li>"))
        #expect(text.contains("stArea:y=\"0.75\""))
        #expect(outcome.lines.contains { $0.notes.contains { $0.code == "keptNotShown" } })
    }

    @Test func secondRunAddsWhatIsNewAndKeepsWhatIsYours() throws {
        _ = try world.migrate(source.path)
        // Changed here: a title. Changed there: that title, and the caption of another asset.
        let uuid = library.uuid(0)
        var edit = AssetEdit()
        edit.title = .set("Mine")
        _ = try world.service.commit(
            CommitRequest(
                changes: ChangeSet(operations: [
                    ChangeOperation(request: "t", action: .editAsset(uuid: uuid, edit)),
                    ChangeOperation(
                        request: "t",
                        action: .deleteAssets([library.uuid(3)])
                    ),
                    ChangeOperation(
                        request: "t",
                        action: .purgeAssets([library.uuid(3)])
                    ),
                ])
            )
        )
        try library.execute(
            """
            UPDATE ZASSET SET ZMODIFICATIONDATE = ZMODIFICATIONDATE + 1;
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'Theirs' WHERE ZASSET IN (1, 3);
            UPDATE ZASSET SET ZFAVORITE = 1 WHERE Z_PK = 2;
            """,
            in: source
        )
        let again = try world.migrate(source.path)
        #expect(again.totals.imported == 0 && again.totals.alreadyThere == library.assets)
        #expect(again.totals.files == 0 && again.totals.addsUp)
        func title(_ index: Int) throws -> String? {
            try world.rows("SELECT title FROM asset WHERE uuid = ?", [library.uuid(index)])
                .first?[0]
        }
        #expect(try title(0) == "Mine")
        #expect(try title(2) == "Theirs")
        let favorite = try world.rows(
            "SELECT isFavorite FROM asset WHERE uuid = ?",
            [library.uuid(1)]
        )
        #expect(favorite.first?[0] == 1)
        #expect(again.leading[uuid]?.notes.map(\.code) == ["keptYours"])
        #expect(
            again.leading[library.uuid(3)]?.reason == "Deleted permanently from this library."
        )
        #expect(try world.findings() == [])
    }

    /// Another computer of the cloud library deleted the photo before this one joined.
    @Test func whatTheCloudLibraryDroppedIsNotImported() throws {
        let uuid = library.uuid(3)
        let store = try LibraryStore.open(at: world.libraryPath)
        defer { try? store.close() }
        try store.joinCloud(library: "A", device: CloudID(1, 1))
        let purge = CloudTransaction(
            time: HybridTime(rawValue: 1),
            author: CloudID(2, 2),
            operations: [.final(try CloudID.of(uuid))]
        )
        try store.importChanges([purge])
        for kind in [MigrationSourceKind.applePhotos, .photosExport] {
            let isPurged = try store.read { database in
                try MigratedItems(database: database, kind: kind).isPurged(uuid, .asset)
            }
            #expect(isPurged)
        }
        let outcome = try world.migrate(source.path)
        #expect(outcome.totals.imported == library.assets - 1 && outcome.totals.addsUp)
        #expect(outcome.leading[uuid]?.reason == "Deleted permanently from this library.")
        #expect(try world.rows("SELECT 1 FROM asset WHERE uuid = ?", [uuid]).isEmpty)
    }

    @Test func databaseIsReadWithItsLog() throws {
        // Another connection keeps the log from being moved into the database.
        let database = source.appendingPathComponent("database/Photos.sqlite").path
        let queue = try DatabaseQueue(path: database)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(
                sql: "UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'In the log'"
            )
        }
        let outcome = try world.migrate(source.path)
        #expect(outcome.begun.logSize > 0)
        let titles = try world.rows("SELECT DISTINCT title FROM asset").map { $0[0] as String? }
        #expect(titles == ["In the log"])
    }

    @Test(arguments: [1, 2, 3, 4])
    func databaseThatIsBeingWrittenIsCopiedAgainOrRefused(_ writes: Int) throws {
        let database = source.appendingPathComponent("database/Photos.sqlite").path
        let count = Mutex(0)
        // Another program writes during each of the first copies.
        let files = FileOperations { step in
            guard step == .createFile else { return 0 }
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The first file is the session's own.
            guard number > 1, number <= writes + 1 else { return 0 }
            let time = timespec(tv_sec: 1_700_000_000 + number, tv_nsec: 0)
            let result = [time, time].withUnsafeBufferPointer {
                utimensat(AT_FDCWD, database, $0.baseAddress, 0)
            }
            return result == 0 ? 0 : EIO
        }
        let session = try StagingSession(
            staging: world.libraryPath + "/staging",
            files: files
        )
        defer { session.end() }
        let number = open(source.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let folder = SourceFolder(Descriptor(owning: number), path: source.path)
        func copy() throws(LibraryError) -> ForeignDatabaseCopy {
            try ForeignDatabaseCopy(
                of: "database/Photos.sqlite",
                in: folder,
                to: session,
                name: "the library"
            )
        }
        if writes < 3 {
            let copy = try copy()
            let sha = try MigrationWorld.sha256(database)
            #expect(copy.database.digest.hexadecimal == sha && copy.log == nil)
            return
        }
        #expect("Photos is writing") {
            _ = try copy()
        } throws: { error in
            let error = error as? LibraryError
            return error?.code == .busy && error?.recovery == "Quit Photos and try again."
        }
    }

    @Test func logThatWasLeftOutIsReported() throws {
        let shm = source.appendingPathComponent("database/Photos.sqlite-shm")
        try Data([1]).write(to: shm)
        let outcome = try world.migrate(source.path)
        #expect(outcome.begun.notes.map(\.code) == ["logMissing"])
    }

    @Test func absentAndUnnamedFilesAreReported() throws {
        let manager = FileManager.default
        try manager.removeItem(atPath: source.path + "/" + library.original(4))
        try manager.removeItem(
            atPath: source.path + "/resources/renders/A/\(library.uuid(1))_1_201_a.jpeg"
        )
        try Data("stray".utf8).write(to: source.appendingPathComponent("originals/A/stray.jpg"))
        let outcome = try world.migrate(source.path)
        #expect(outcome.totals.missing == 1 && outcome.totals.orphanFiles == 1)
        #expect(outcome.totals.addsUp)
        #expect(outcome.leading[library.uuid(4)]?.outcome == .missing)
        #expect(outcome.lines.contains { $0.path == "originals/A/stray.jpg" })
        // The edit whose rendering is absent: the original, with the adjustments kept.
        let row = try #require(
            try world.rows("SELECT * FROM asset WHERE uuid = ?", [library.uuid(1)]).first
        )
        #expect(row["hasAdjustments"] == 0)
        let types = try world.rows(
            "SELECT type FROM resource WHERE assetId = ? ORDER BY type",
            [row["id"] as Int64]
        ).map { $0[0] as Int }
        #expect(types == [1, 7])
        #expect(
            outcome.lines.contains {
                $0.item == library.uuid(1) && $0.outcome == .missing && !$0.isLeading
            }
        )
        #expect(try world.findings() == [])
    }

    /// Photos may move originals to iCloud after they were imported.
    @Test func originalThatLeftTheSourceIsNotMissedHere() throws {
        _ = try world.migrate(source.path)
        try FileManager.default.removeItem(atPath: source.path + "/" + library.original(4))
        try library.execute(
            """
            UPDATE ZASSET SET ZMODIFICATIONDATE = ZMODIFICATIONDATE + 1 WHERE Z_PK = 5;
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = 'Theirs' WHERE ZASSET = 5;
            """,
            in: source
        )
        let again = try world.migrate(source.path)
        #expect(again.totals.missing == 0 && again.totals.alreadyThere == library.assets)
        #expect(again.totals.files == 0 && again.totals.addsUp)
        let title = try world.rows("SELECT title FROM asset WHERE uuid = ?", [library.uuid(4)])
        #expect(title.first?[0] == "Theirs")
    }

    @Test func editThatComesLaterDoesNotReplaceOneMadeHere() throws {
        let render = source.path + "/resources/renders/A/\(library.uuid(1))_1_201_a.jpeg"
        let kept = try Data(contentsOf: URL(fileURLWithPath: render))
        try FileManager.default.removeItem(atPath: render)
        _ = try world.migrate(source.path)
        // As an edit leaves the row.
        let edited = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", world.libraryPath + "/database/library.sqlite",
                """
                UPDATE asset SET hasAdjustments = 1, adjustmentFormatIdentifier = 'mine'
                WHERE uuid = '\(library.uuid(1))'
                """,
            ]
        )
        try #require(edited.status == 0, "\(edited.errorText)")
        try kept.write(to: URL(fileURLWithPath: render))
        let again = try world.migrate(source.path)
        #expect(again.totals.addsUp && again.totals.imported == 0)
        let leading = again.leading[library.uuid(1)]
        #expect(leading?.outcome == .duplicate)
        #expect(leading?.notes.map(\.code).contains("keptYours") == true)
        let row = try #require(
            try world.rows("SELECT * FROM asset WHERE uuid = ?", [library.uuid(1)]).first
        )
        #expect(row["adjustmentFormatIdentifier"] == "mine" && row["hasAdjustments"] == true)
        let types = try world.rows(
            "SELECT type FROM resource WHERE assetId = ? ORDER BY type",
            [row["id"] as Int64]
        ).map { $0[0] as Int }
        #expect(types == [1, 7])
    }

    @Test func proxyStandsUntilTheOriginalComes() throws {
        let original = source.path + "/" + library.original(4)
        let derivatives = source.appendingPathComponent("resources/derivatives/A")
        try FileManager.default.createDirectory(
            at: derivatives,
            withIntermediateDirectories: true
        )
        let small = derivatives.appendingPathComponent(library.uuid(4) + "_1_105_c.jpeg")
        try FileManager.default.copyItem(
            atPath: source.path + "/" + library.original(5),
            toPath: small.path
        )
        var bytes = try Data(contentsOf: small)
        bytes.append(7)
        try bytes.write(to: small)
        let kept = try Data(contentsOf: URL(fileURLWithPath: original))
        try FileManager.default.removeItem(atPath: original)
        var options = MigrationOptions()
        options.includesProxies = true
        let first = try world.migrate(source.path, options: options)
        let identifier = library.uuid(4) + "/L0/001"
        #expect(first.totals.missing == 1 && first.totals.addsUp)
        #expect(first.leading[library.uuid(4)]?.localIdentifier == identifier)
        let again = try world.migrate(source.path, options: options)
        #expect(again.totals.missing == 1 && again.totals.files == 0 && again.totals.addsUp)
        try kept.write(to: URL(fileURLWithPath: original))
        let second = try world.migrate(source.path)
        #expect(second.totals.imported == 1 && second.totals.missing == 0)
        #expect(second.leading[library.uuid(4)]?.localIdentifier == identifier)
        let types = try world.rows(
            """
            SELECT r.type FROM resource r JOIN asset a ON a.id = r.assetId WHERE a.uuid = ?
            ORDER BY 1
            """,
            [library.uuid(4)]
        ).map { $0[0] as Int }
        #expect(types == [1])
        #expect(try world.findings() == [])
    }

    @Test func damagedOriginalIsImportedAndReported() throws {
        let path = source.path + "/" + library.original(0)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        try library.execute(
            """
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZORIGINALFILESIZE = \(size),
                ZORIGINALSTABLEHASH = 'ARa9lDSd7xt40VFCM32sxtN78t3s' WHERE ZASSET = 1;
            """,
            in: source
        )
        let outcome = try world.migrate(source.path)
        #expect(outcome.totals.damaged == 1 && outcome.totals.addsUp)
        #expect(outcome.leading[library.uuid(0)]?.notes.map(\.code).contains("damaged") == true)
    }

    @Test func recentlyDeletedStaysAfterTheImport() throws {
        _ = try world.migrate(source.path)
        let store = try LibraryStore.open(at: world.libraryPath)
        defer { try? store.close() }
        let trashed = try store.read { database in
            try ExpiredAssets(
                database,
                before: Date.now.addingTimeInterval(-86_400 * 30),
                now: .now
            ).next(after: nil, limit: 10).ids
        }
        #expect(trashed == [])
        let later = try store.read { database in
            try ExpiredAssets(database, before: Date.now.addingTimeInterval(60), now: .now)
                .next(after: nil, limit: 10).ids
        }
        #expect(later.count == 1)
    }

    // MARK: - Hostile

    /// Changes of a database that cost one error, or one item, and nothing else.
    private static let attacks: [String: String] = [
        "a view in place of a table":
            "ALTER TABLE ZASSET RENAME TO X; CREATE VIEW ZASSET AS SELECT * FROM X;",
        "no assets' table": "DROP TABLE ZASSET;",
        "no numbers": "DELETE FROM Z_PRIMARYKEY;",
        "other numbers": "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT;",
        "an endless view as a detail": """
        DROP TABLE ZPERSON; CREATE VIEW ZPERSON AS WITH RECURSIVE c(Z_PK) AS (SELECT 1 UNION ALL
        SELECT Z_PK + 1 FROM c) SELECT Z_PK, 'x' AS ZFULLNAME FROM c;
        """,
        "folders in a circle": "UPDATE ZGENERICALBUM SET ZPARENTFOLDER = 3 WHERE Z_PK IN (2, 3);",
        "an album in itself": "UPDATE ZGENERICALBUM SET ZPARENTFOLDER = Z_PK;",
        "wrong types everywhere": """
        UPDATE ZASSET SET ZKIND = X'00', ZDATECREATED = 'now', ZFAVORITE = 'x', ZLATITUDE = X'11',
            ZTRASHEDSTATE = 9e99, ZADJUSTMENTSSTATE = 'x', ZKINDSUBTYPE = -1e300;
        UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = X'FF00FF', ZTIMEZONEOFFSET = 1e308,
            ZORIGINALFILESIZE = -5, ZORIGINALFILENAME = 12;
        """,
        "huge values": """
        UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = hex(randomblob(3000000));
        UPDATE ZKEYWORD SET ZTITLE = hex(randomblob(1000000));
        """,
        "paths that leave the library": """
        UPDATE ZASSET SET ZDIRECTORY = '../../../../../../etc', ZFILENAME = 'passwd';
        """,
        "names with null bytes and slashes": """
        UPDATE ZADDITIONALASSETATTRIBUTES SET ZORIGINALFILENAME = '../../' || char(0) || 'x/y.jpg';
        """,
        "equal identifiers": "UPDATE ZASSET SET ZUUID = '\(AppleLibrary().uuid(0))';",
        "no identifiers": "UPDATE ZASSET SET ZUUID = NULL;",
    ]

    @Test(arguments: attacks.keys.sorted()) func hostileDatabaseHarmsNothing(_ name: String) throws
    {
        try library.execute(Self.attacks[name] ?? "", in: source)
        do {
            let outcome = try world.migrate(source.path)
            // Either every asset has one outcome, or the report says that the sum is wrong.
            #expect(
                outcome.totals.addsUp || outcome.totals.notes.map(\.code).contains("sumMismatch")
            )
        } catch let error as LibraryError {
            #expect(error.code == .invalidResource, "\(error)")
            #expect(error.reason?.isEmpty == false && error.recovery?.isEmpty == false)
        }
        #expect(try world.findings() == [])
    }

    @Test(arguments: 0..<12) func alteredPagesHarmNothing(_ round: Int) throws {
        let database = source.appendingPathComponent("database/Photos.sqlite")
        var bytes = try Data(contentsOf: database)
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
        var state = seed
        for _ in 0..<(1 << (round % 8)) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes[Int((state >> 20) % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: state >> 56)
        }
        try bytes.write(to: database)
        do {
            let outcome = try world.migrate(source.path)
            #expect(
                outcome.totals.addsUp || outcome.totals.notes.map(\.code).contains("sumMismatch"),
                "seed \(seed)"
            )
        } catch let error as LibraryError {
            #expect(error.code == .invalidResource, "seed \(seed): \(error)")
        }
        #expect(try world.findings() == [], "seed \(seed)")
    }

    @Test func folderWithoutADatabaseIsRefused() throws {
        #expect("no database") {
            try world.migrate(world.folder.url.path)
        } throws: { error in
            (error as? LibraryError)?.code == .invalidResource
        }
    }
}
