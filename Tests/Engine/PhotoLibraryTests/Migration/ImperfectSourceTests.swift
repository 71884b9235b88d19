import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Originals that are damaged or not there at first, and identifiers that occur twice.
@Suite(.timeLimit(.minutes(5))) struct ImperfectSourceTests: AppleSourceTests {
    let setting: AppleSourceSetting

    init() throws { setting = try AppleSourceSetting() }

    /// States size and fingerprint of an original.
    private func stateFingerprint(_ index: Int) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path(library.original(index))))
        let fingerprint = SourceFingerprint()
        fingerprint.start()
        data.withUnsafeBytes(fingerprint.update)
        let text = try #require(fingerprint.finish())
        try library.execute(
            """
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZORIGINALFILESIZE = \(data.count),
                ZORIGINALSTABLEHASH = '\(text)' WHERE ZASSET = \(index + 1);
            """,
            in: source
        )
    }

    /// Originals with another byte (0 and the Live Photo 2), and a truncated one with an edit (1).
    @Test func damagedOriginalsAreReportedUntilTheyAreIntact() throws {
        var intact: [Int: Data] = [:]
        for index in 0..<3 {
            try stateFingerprint(index)
            let file = URL(fileURLWithPath: path(library.original(index)))
            let data = try Data(contentsOf: file)
            intact[index] = data
            var damaged = data
            if index == 1 { damaged.removeLast(9) } else { damaged[8] ^= 1 }
            try damaged.write(to: file)
        }
        for run in 1...2 {
            let outcome = try world.migrate(source.path)
            #expect(outcome.totals.damaged == 3 && outcome.totals.addsUp, "run \(run)")
            #expect(run == 1 || outcome.totals.files == 0)
            for index in 0..<3 {
                let notes = outcome.leading[library.uuid(index)]?.notes ?? []
                #expect(notes.contains { $0.code == "damaged" && $0.level == .error })
            }
        }
        var edit = AssetEdit()
        edit.title = .set("Mine")
        try change(.editAsset(uuid: library.uuid(0), edit))
        let albums = try content().filter { $0.contains(library.album(0)) }
        // Another damaged one does not count.
        try Data(#require(intact[0]).dropLast(1))
            .write(to: URL(fileURLWithPath: path(library.original(0))))
        #expect(try world.migrate(source.path).totals.damaged == 3)
        for (index, data) in intact {
            try data.write(to: URL(fileURLWithPath: path(library.original(index))))
        }
        let whole = try world.migrate(source.path)
        #expect(whole.totals.imported == 3 && whole.totals.damaged == 0 && whole.totals.addsUp)
        for index in 0..<3 {
            let wanted = try MigrationWorld.sha256(path(library.original(index)))
            #expect(try digest(library.uuid(index), 1) == wanted, "\(index)")
        }
        #expect(try asset(0)["title"] == "Mine")
        #expect(try asset(1)["hasAdjustments"] == true)
        #expect(try types(library.uuid(1)) == [1, 5, 7] && types(library.uuid(2)) == [1, 9])
        #expect((try asset(2)["mediaSubtypes"] as Int) & 8 != 0)
        #expect(try content().filter { $0.contains(library.album(0)) } == albums)
        let last = try world.migrate(source.path)
        #expect(last.totals.damaged == 0 && last.totals.files == 0)
        #expect(try world.findings() == [])
        let other = try MigrationWorld()
        _ = try other.migrate(source.path)
        let name = library.uuid(0)
        #expect(
            try content().filter { !$0.contains(name) }
                == content(of: other).filter { !$0.contains(name) }
        )
    }

    /// With proxies, a second run takes no more, and one with the originals makes what a direct
    /// import makes.
    @Test func proxiesAreCompletedLikeADirectImport() throws {
        try editAgain(2)
        let derivatives = source.appendingPathComponent("resources/derivatives/A")
        try FileManager.default.createDirectory(
            at: derivatives,
            withIntermediateDirectories: true
        )
        // 2 is an edited Live Photo, 3 has a place and 7 a movie.
        let indices = [2, 3, 7]
        var originals: [() throws -> Void] = []
        for index in indices {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path(library.original(5))))
            bytes.append(UInt8(index))
            try bytes.write(
                to: derivatives.appendingPathComponent(library.uuid(index) + "_1_105_c.jpeg")
            )
            originals.append(try takeAway(path(library.original(index))))
        }
        var options = MigrationOptions()
        options.includesProxies = true
        _ = try world.migrate(source.path, options: options)
        let before = try content()
        let again = try world.migrate(source.path, options: options)
        #expect(again.totals.files == 0 && again.totals.missing == 3 && again.totals.addsUp)
        #expect(try content() == before)
        for index in indices { #expect(try types(library.uuid(index)) == [19]) }
        for putBack in originals { try putBack() }
        let whole = try world.migrate(source.path)
        #expect(whole.totals.imported == 3 && !isIncomplete(whole))
        let other = try MigrationWorld()
        _ = try other.migrate(source.path)
        #expect(try content() == content(of: other))
        #expect(try world.migrate(source.path).totals.files == 0)
        #expect(try world.findings() == [])
    }

    /// Different photos with one identifier are both imported; an album has the right one.
    @Test func photosWithOneIdentifierAreBothTaken() throws {
        try library.execute(
            """
            UPDATE ZASSET SET ZUUID = lower('\(library.uuid(0))') WHERE Z_PK IN (5, 7);
            DELETE FROM Z_30ASSETS WHERE Z_30ALBUMS = 12;
            INSERT INTO Z_30ASSETS VALUES (12, 5, 1), (12, 2, 2);
            """,
            in: source
        )
        let outcome = try world.migrate(source.path)
        #expect(outcome.totals.imported == library.assets && outcome.totals.addsUp)
        #expect(outcome.lines.count { $0.notes.contains { $0.code == "identifierTaken" } } == 2)
        for index in [0, 4, 6] {
            let wanted = try MigrationWorld.sha256(path(library.original(index)))
            let found = try world.rows(
                "SELECT assetId FROM resource WHERE lower(hex(sha256)) = ?",
                [wanted]
            )
            #expect(found.count == 1, "\(index)")
            guard index == 4 else { continue }
            let albums = try world.rows(
                """
                SELECT c.uuid FROM albumAsset j JOIN collection c ON c.id = j.albumId
                WHERE j.assetId = ?
                """,
                [found[0][0] as Int64]
            )
            #expect(albums.contains { $0[0] == library.album(2) })
        }
        let again = try world.migrate(source.path)
        #expect(again.totals.alreadyThere == library.assets && again.totals.files == 0)
        #expect(try world.findings() == [])
    }

    /// Albums are written in steps, so that an import can be stopped between them.
    @Test func albumsAreWrittenInSteps() throws {
        var many = AppleLibrary()
        (many.assets, many.albums, many.liveEvery, many.editedEvery) = (4, 130, 0, 0)
        let folder = world.folder.file("Many")
        try many.write(to: folder)
        var steps: [Int] = []
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            _ = try world.migrate(folder.path) { reply in
                guard !reply.isOver, reply.totals.albums > 0 else { return }
                throw Stop()
            }
        }
        let some =
            try world.rows("SELECT count(*) FROM collection WHERE kind = 2").first?[0] as Int?
        #expect(some.map { $0 > 0 && $0 < 130 } == true)
        let rest = try world.migrate(folder.path) { steps.append($0.totals.albums) }
        #expect(steps.count > 2)
        #expect(rest.totals.albums == 130 - (some ?? 0))
        #expect(try world.rows("SELECT count(*) FROM collection WHERE kind = 2").first?[0] == 130)
    }
}
