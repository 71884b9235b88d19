import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// Files of edits and of cameras that come after the first import, and files that cannot be read.
@Suite(.timeLimit(.minutes(5))) struct LaterFilesTests: AppleSourceTests {
    let setting: AppleSourceSetting

    init() throws { setting = try AppleSourceSetting() }

    private func beside(_ index: Int, _ end: String) -> String {
        path("resources/renders/A/" + library.uuid(index) + end)
    }

    /// Gives the Live Photo 2 an edit with all files that an edit can have.
    private func editLivePhoto() throws {
        try editAgain(2)
        let manager = FileManager.default
        var film = try Data(contentsOf: URL(fileURLWithPath: movie(7)))
        film.append(contentsOf: [0, 0, 0, 8] + Array("free".utf8))
        try film.write(to: URL(fileURLWithPath: beside(2, "_2_100_a.mov")))
        try manager.copyItem(atPath: beside(1, ".plist"), toPath: beside(2, ".plist"))
        try manager.copyItem(atPath: path(library.original(6)), toPath: beside(2, "_p.jpeg"))
        try stateFile(of: 2, type: 3, version: 2, subtype: 19)
        try stateFile(of: 2, type: 0, version: 1, subtype: 15)
    }

    @Test func filesOfAnEditThatComeLaterAreTaken() throws {
        try editLivePhoto()
        let movieBack = try takeAway(beside(2, "_2_100_a.mov"))
        let envelopeBack = try takeAway(beside(2, ".plist"))
        let baseBack = try takeAway(beside(2, "_p.jpeg"))
        for run in 1...2 {
            let outcome = try world.migrate(source.path)
            #expect(isIncomplete(outcome), "run \(run)")
            let missing = outcome.lines.filter { $0.outcome == .missing }
            #expect(missing.count == 2 && missing.allSatisfy { $0.item == library.uuid(2) })
            #expect(missing.contains { $0.path?.hasSuffix("_2_100_a.mov") == true })
            #expect(outcome.totals.files == 0 || run == 1)
            #expect(try types(library.uuid(2)) == [1, 5, 7, 9])
            #expect((try asset(2)["mediaSubtypes"] as Int) & 8 == 0)
        }
        // One comes although another is missing.
        try movieBack()
        #expect(isIncomplete(try world.migrate(source.path)))
        #expect(try types(library.uuid(2)) == [1, 5, 7, 9, 10])
        #expect((try asset(2)["mediaSubtypes"] as Int) & 8 != 0)
        try envelopeBack()
        try baseBack()
        #expect(!isIncomplete(try world.migrate(source.path)))
        #expect(try types(library.uuid(2)) == [1, 5, 7, 8, 9, 10])
        let last = try world.migrate(source.path)
        #expect(last.totals.files == 0 && last.lines.allSatisfy { $0.outcome == .duplicate })
        let other = try MigrationWorld()
        _ = try other.migrate(source.path)
        #expect(try content() == content(of: other))
        #expect(try world.findings() == [])
    }

    /// Photos may move them to iCloud.
    @Test func filesOfAnEditThatLeftAreNotMissed() throws {
        try editLivePhoto()
        _ = try world.migrate(source.path)
        for end in ["_2_100_a.mov", ".plist", "_p.jpeg"] { _ = try takeAway(beside(2, end)) }
        try setTitle(2, "Theirs")
        let again = try world.migrate(source.path)
        #expect(!isIncomplete(again) && again.totals.files == 0)
        #expect(try types(library.uuid(2)) == [1, 5, 7, 8, 9, 10])
    }

    /// A row of a file that is neither on the Mac nor in iCloud is none.
    @Test func filesThatAreNowhereAreNotMissed() throws {
        try library.execute(
            """
            INSERT INTO ZINTERNALRESOURCE (ZASSET, ZRESOURCETYPE, ZVERSION, ZDATASTORESUBTYPE,
                ZLOCALAVAILABILITY, ZREMOTEAVAILABILITY)
            VALUES (1, 5, 0, 9, -1, 0), (4, 5, 0, 9, -1, 1), (5, 5, 0, 9, 1, 0);
            """,
            in: source
        )
        let outcome = try world.migrate(source.path)
        let missing = outcome.lines.filter { $0.outcome == .missing }
        #expect(Set(missing.compactMap(\.item)) == [library.uuid(3), library.uuid(4)])
    }

    @Test func filesOfTheCameraThatComeLaterAreTaken() throws {
        // 0 has no edit, 1 has one.
        for index in [0, 1] {
            try stateFile(of: index, type: 5, version: 0, subtype: 22)
            try stateFile(of: index, type: 5, version: 0, subtype: 9)
        }
        let first = try world.migrate(source.path)
        #expect(isIncomplete(first) && first.lines.count { $0.outcome == .missing } == 4)
        for index in [0, 1] {
            let stem = path("originals/A/" + library.uuid(index))
            try SampleFile.aae(formatIdentifier: "com.apple.camera")
                .write(to: URL(fileURLWithPath: stem + "_5.aae"))
            let packet = "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>\n<!-- \(index) -->"
            try packet.write(toFile: stem + "_5.xmp", atomically: true, encoding: .utf8)
        }
        let second = try world.migrate(source.path)
        #expect(!isIncomplete(second))
        #expect(try types(library.uuid(0)) == [1, 7, 1001, 1001])
        #expect(try types(library.uuid(1)) == [1, 5, 7, 1001, 1001])
        #expect(try sidecar(of: 1)?.contains("migration:CameraAdjustments") == true)
        // A change of what the sidecar holds keeps the camera's adjustments.
        try library.execute(
            "INSERT INTO ZDETECTEDFACE VALUES (99, 2, 1, 0.5, 0.25, 0.125);",
            in: source
        )
        for isGone in [false, true] {
            if isGone {
                _ = try takeAway(path("originals/A/" + library.uuid(1) + "_5.aae"))
                try library.execute("DELETE FROM ZDETECTEDFACE WHERE Z_PK = 99;", in: source)
            }
            _ = try world.migrate(source.path)
            let text = try #require(try sidecar(of: 1))
            #expect(text.contains("migration:CameraAdjustments") && text.contains("Ana"))
        }
        #expect(try world.findings() == [])
    }

    /// What only the first document has stays beside the last one, and no other document does.
    @Test func adjustmentsOfTheCameraThatVanishStayBesideOneDocument() throws {
        try stateFile(of: 1, type: 5, version: 0, subtype: 22)
        let file = path("originals/A/" + library.uuid(1) + "_5.aae")
        try SampleFile.aae(formatIdentifier: "com.apple.camera")
            .write(to: URL(fileURLWithPath: file))
        _ = try world.migrate(source.path)
        let first = try #require(try sidecar(of: 1))
        #expect(first.contains("migration:CameraAdjustments"))
        let putBack = try takeAway(file)
        let names = ["Zoë", "Bo", "Ida"]
        for name in names {
            try library.execute(
                """
                DELETE FROM ZDETECTEDFACE WHERE ZASSETFORFACE = 2;
                INSERT OR REPLACE INTO ZPERSON VALUES (9, '\(name)');
                INSERT INTO ZDETECTEDFACE VALUES (99, 2, 9, 0.5, 0.25, 0.125);
                """,
                in: source
            )
            _ = try world.migrate(source.path)
            let texts = try sidecars(of: 1)
            #expect(texts.count == 2 && texts.first == first, "\(name)")
            #expect(texts.last?.contains("CameraAdjustments") == false, "\(name)")
            for other in names {
                #expect(texts.last?.contains(other) == (other == name), "\(name)")
            }
        }
        // Nothing is left to keep but the adjustments.
        try library.execute("DELETE FROM ZDETECTEDFACE WHERE Z_PK = 99;", in: source)
        _ = try world.migrate(source.path)
        #expect(try sidecars(of: 1) == [first])
        // They are there again.
        try putBack()
        try library.execute("INSERT INTO ZDETECTEDFACE VALUES (99, 2, 9, 0.5, 0, 0);", in: source)
        _ = try world.migrate(source.path)
        let last = try #require(try sidecar(of: 1))
        #expect(last.contains("migration:CameraAdjustments") && last.contains("Ida"))
        #expect(try world.findings() == [])
    }

    /// A file that could not be read is tried again until it can.
    @Test func unreadableFilesAreTriedAgain() throws {
        let files = [render(1), movie(2)]
        let putBack = try files.map(takeAway)
        for file in files { try Data().write(to: URL(fileURLWithPath: file)) }
        for run in 1...2 {
            let outcome = try world.migrate(source.path)
            #expect(isIncomplete(outcome), "run \(run)")
            let failed = outcome.lines.filter { $0.outcome == .failed }.compactMap(\.path)
            #expect(Set(failed.map(path)) == Set(files), "run \(run)")
            #expect(try types(library.uuid(2)) == [1] && types(library.uuid(1)) == [1, 7])
        }
        for (file, putBack) in zip(files, putBack) {
            try FileManager.default.removeItem(atPath: file)
            try putBack()
            // The other one is still reported.
            #expect(isIncomplete(try world.migrate(source.path)) == (file == files[0]))
        }
        #expect(try types(library.uuid(2)) == [1, 9] && types(library.uuid(1)) == [1, 5, 7])
        #expect(try world.findings() == [])
    }

    /// Rows without the roles of edits, sidecars, times and states are read, and completed.
    @Test func rowsOfAnEarlierVersionAreCompleted() throws {
        _ = try world.migrate(source.path)
        let before = try content()
        let stripped = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", world.libraryPath + "/database/library.sqlite",
                """
                UPDATE migratedItem SET facts = json_remove(facts, '$.state', '$.time',
                    '$.sidecar', '$.edit.roles')
                """,
            ]
        )
        try #require(stripped.status == 0, "\(stripped.errorText)")
        for index in 0..<library.assets {
            try Data().write(to: URL(fileURLWithPath: path(library.original(index))))
        }
        for _ in 0..<2 {
            let again = try world.migrate(source.path)
            #expect(!isIncomplete(again) && again.totals.files == 0)
            #expect(try content() == before)
        }
        let facts = try world.rows("SELECT facts FROM migratedItem WHERE objectKind = 1").map {
            $0[0] as String
        }
        #expect(facts.count == library.assets)
        #expect(facts.allSatisfy { $0.contains("\"sidecar\"") })
        #expect(facts.allSatisfy { !$0.contains("\"edit\"") || $0.contains("\"render\"") })
    }

    /// A second run reads no file of an asset that it has whole, whether or not its values changed.
    @Test func secondRunReadsNoOriginal() throws {
        _ = try world.migrate(source.path)
        for index in 0..<library.assets {
            try Data().write(to: URL(fileURLWithPath: path(library.original(index))))
        }
        try Data().write(to: URL(fileURLWithPath: render(5)))
        try Data().write(to: URL(fileURLWithPath: movie(7)))
        try setTitle(0, "Theirs")
        let again = try world.migrate(source.path)
        #expect(!isIncomplete(again) && again.totals.files == 0)
        #expect(again.lines.allSatisfy { $0.outcome == .duplicate })
        #expect(try asset(0)["title"] == "Theirs")
        #expect(try world.findings() == [])
    }
}
