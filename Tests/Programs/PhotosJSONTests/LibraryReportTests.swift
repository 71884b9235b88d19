import Foundation
import Photos
import PhotosJSON
import PhotosManagement
import TestSupport
import Testing

/// The report of a library of another program, beside what its import says.
@Suite(.needsProgram("sqlite3"), .timeLimit(.minutes(2))) struct LibraryReportTests {
    private let folder: TemporaryFolder
    private let library: PhotoLibraryBundle

    init() throws {
        folder = try TemporaryFolder("photos-library-report")
        setenv("XDG_STATE_HOME", folder.file("state").path, 1)
        library = try PhotoLibraryBundle.openOrCreate(at: folder.file("A.photolibrary"))
    }

    private func read(_ object: JSONObject) throws -> [String: Any] {
        let found = try JSONSerialization.jsonObject(with: Data(object.line.utf8))
        return try #require(found as? [String: Any])
    }

    @Test func everyItemHasItsLine() throws {
        var source = AppleLibrary()
        source.assets = 4
        let url = folder.file("Source.photoslibrary")
        try source.write(to: url)
        try FileManager.default.removeItem(at: url.appendingPathComponent(source.original(3)))
        let migration = LibraryMigration(library: library, source: SourcePath(url.path))
        var start: MigrationStart?
        var items: [MigratedItem] = []
        let summary = try migration.run(start: { start = $0 }, handler: { items.append($0) })
        let header = try read(ReportLines.header([], isDryRun: false, start: start))
        #expect(header["model"] as? Int == source.model && header["logSize"] is Int)
        #expect(header["generation"] as? String == start?.generation)
        #expect((header["sources"] as? [Any])?.isEmpty == true)
        for item in items {
            let line = try read(ReportItem(item, of: migration).object)
            #expect(line["outcome"] as? String == item.outcome.rawValue)
            #expect(line["path"] as? String == migration.path(of: item))
            #expect(line["localIdentifier"] as? String == item.localIdentifier)
            let place = try #require(line["source"] as? [String: Any])
            #expect(place["kind"] as? String == "applePhotos")
            #expect(place["item"] as? String == item.item && place["volume"] == nil)
            #expect((line["notes"] as? [Any])?.count == item.notes.count)
        }
        let paths = items.compactMap { migration.path(of: $0) }
        #expect(paths.contains(url.appendingPathComponent(source.original(0)).path))
        let line = try read(ReportLines.totals(summary, unlisted: 1))
        let totals = try #require(line["totals"] as? [String: Any])
        #expect(totals["assets"] as? Int == 4 && totals["addsUp"] as? Bool == true)
        #expect(totals["imported"] as? Int == 3 && totals["missing"] as? Int == 1)
        #expect(totals["albums"] as? Int == summary.albums && summary.albums > 0)
        #expect(totals["folders"] as? Int == summary.folders)
        #expect(totals["files"] as? Int == summary.files)
        #expect(totals["bytes"] as? Int64 == summary.bytes && totals["unlisted"] as? Int == 1)
        let skipped = try #require(totals["collectionsSkipped"] as? [String: Int])
        #expect(skipped == summary.collectionsSkipped)
    }
}
