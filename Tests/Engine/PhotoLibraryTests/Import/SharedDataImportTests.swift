import Foundation
import GRDB
import LibraryService
import Logging
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerClient

/// Imports all real camera files with the real worker, and compares the result with independent
/// tools.
@Suite(.needsSharedData, .timeLimit(.minutes(10))) struct SharedDataImportTests {
    /// A library of all camera files, with the outcome of each.
    struct Imported: Sendable {
        let folder: TemporaryFolder
        let store: LibraryStore
        let outcomes: [String: ImportOutcome]
        let again: [String: ImportOutcome]
        let assets: [String: AssetRecord]
    }

    /// Imported once for all tests of the suite.
    static let imported = Result { try importAll() }

    private static func importAll() throws -> Imported {
        let folder = try TemporaryFolder("photos-shared")
        let path = folder.file("All.photolibrary").path
        try LibraryStore.create(at: path)
        let store = try LibraryStore.open(at: path)
        let pool = WorkerPool(
            configuration: WorkerPool.Configuration(executable: BuiltProducts.worker.path)
        )
        var configuration = ImportConfiguration()
        configuration.timeZone = try ImportWorld.zone("America/Chicago")
        let importer = Importer(
            store: store,
            prober: pool,
            renditions: nil,
            logger: Logger(label: "test"),
            configuration: configuration
        )
        let names = try FileManager.default.subpathsOfDirectory(atPath: SharedData.folder.path)
            .filter { $0.contains("/") && isFile($0) }
            .sorted()
        let first = try outcomes(of: names, by: importer)
        let second = try outcomes(of: names, by: importer)
        let ids = try store.read { try Int64.fetchAll($0, sql: "SELECT id FROM asset") }
        let assets = try store.write(author: "tests") { transaction in
            try ids.compactMap(transaction.asset(id:))
        }
        return Imported(
            folder: folder,
            store: store,
            outcomes: first,
            again: second,
            assets: Dictionary(uniqueKeysWithValues: assets.map { ($0.localIdentifier, $0) })
        )
    }

    private static func isFile(_ name: String) -> Bool {
        var isFolder: ObjCBool = false
        let path = SharedData.file(name).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && !isFolder.boolValue
    }

    private static func outcomes(of names: [String], by importer: Importer) throws
        -> [String: ImportOutcome]
    {
        let session = try importer.beginImport(ImportSessionRequest(), author: "tests").session
        var outcomes: [String: ImportOutcome] = [:]
        for start in stride(from: 0, to: names.count, by: 64) {
            let batch = Array(names[start..<min(start + 64, names.count)])
            let files = try batch.map { try ImportWorld.source(path: SharedData.file($0).path) }
            let known = try importer.knownFiles(
                KnownFilesRequest(session: session, files: files)
            ).outcomes
            let fresh = batch.indices.filter { known[$0] == nil }
            let reply = try importer.importFiles(
                ImportFilesRequest(session: session, files: fresh.map { files[$0] }),
                files: fresh.map { index in
                    Descriptor(
                        owning: open(SharedData.file(batch[index]).path, O_RDONLY | O_CLOEXEC)
                    )
                }
            )
            for (index, outcome) in zip(fresh, reply.outcomes) { outcomes[batch[index]] = outcome }
            for index in batch.indices {
                outcomes[batch[index]] = known[index] ?? outcomes[batch[index]]
            }
        }
        try importer.endImport(ImportEndRequest(session: session))
        return outcomes
    }

    private func asset(_ name: String, in imported: Imported) throws -> AssetRecord {
        let identifier = try #require(imported.outcomes[name]?.localIdentifier, "\(name)")
        return try #require(imported.assets[identifier], "\(name)")
    }

    // MARK: - Tests

    @Test("Every file has an outcome, and a reason where it did not get in")
    func answersEveryFile() throws {
        let imported = try Self.imported.get()
        #expect(imported.outcomes.count > 480)
        for (name, outcome) in imported.outcomes {
            switch outcome.kind {
            case .imported, .duplicate, .paired: #expect(outcome.localIdentifier != nil, "\(name)")
            case .unsupported, .failed: #expect(outcome.reason?.isEmpty == false, "\(name)")
            }
        }
        #expect(try ImportWorld.inconsistencies(of: imported.store) == [])
    }

    @Test("A second import answers what got in as duplicates, with the same assets")
    func knowsThemAgain() throws {
        let imported = try Self.imported.get()
        for (name, outcome) in imported.outcomes where outcome.localIdentifier != nil {
            #expect(imported.again[name]?.kind == .duplicate, "\(name)")
            #expect(imported.again[name]?.localIdentifier == outcome.localIdentifier, "\(name)")
        }
    }

    @Test("At least 98 % of the facts agree with what independent tools say")
    func agreesWithOtherTools() throws {
        let imported = try Self.imported.get()
        var compared = 0
        var differences: [String] = []
        for row in try SharedData.rows(of: "expected.tsv") {
            let facts = ExpectedFacts(row: row)
            guard let name = row["file"], let outcome = imported.outcomes[name],
                outcome.kind == .imported, let identifier = outcome.localIdentifier,
                let asset = imported.assets[identifier]
            else { continue }
            let (count, wrong) = facts.compare(with: asset)
            compared += count
            differences += wrong.map { "\(name): \($0)" }
        }
        #expect(compared > 1_000)
        let agreeing = Double(compared - differences.count) / Double(max(compared, 1))
        #expect(
            agreeing >= 0.98,
            "\(differences.count) of \(compared):\n\(differences.joined(separator: "\n"))"
        )
    }

    @Test("Pairs that belong together are joined, and those that only look so are not")
    func joinsPairs() throws {
        let imported = try Self.imported.get()
        func same(_ first: String, _ second: String) -> Bool {
            imported.outcomes[first]?.localIdentifier != nil
                && imported.outcomes[first]?.localIdentifier
                    == imported.outcomes[second]?.localIdentifier
        }
        #expect(same("live-photo/IMG_3582.HEIC", "live-photo/IMG_3582.mov"))
        #expect(same("live-photo/IMG_7943.HEIC", "live-photo/IMG_7943_HEVC.MOV"))
        #expect(same("live-photo/IMG_D001.JPG", "live-photo/IMG_D001.MOV"))
        #expect(!same("live-photo/IMG_D002.JPG", "live-photo/IMG_D002.MOV"))
        #expect(imported.outcomes["live-photo/IMG_D003.MOV"]?.kind == .imported)
        for name in ["canon-d30.CRW", "pixel7.dng", "kodak-dc50.KDC"] {
            let stem = name.prefix { $0 != "." }
            #expect(same("raw/\(name)", "raw/\(stem).JPG"), "\(name)")
            #expect(imported.outcomes["raw/\(name)"]?.kind == .paired, "\(name)")
        }
        #expect(same("adjusted/IMG_1853.AAE", "adjusted/IMG_1853.HEIC"))
        #expect(same("portrait/IMG_O5747.aae", "portrait/IMG_5747.HEIC"))
        #expect(imported.outcomes["adjusted/wedding.AAE"]?.kind == .paired)
    }

    @Test("The burst has one key frame, also among the files made from its frames")
    func joinsBurst() throws {
        let imported = try Self.imported.get()
        let burst = "D4E4B3D1-0E45-4987-BE12-76D604E25D2C"
        let names = ["IMG_0658", "IMG_0664", "IMG_0667"]
        for name in names {
            #expect(try asset("burst/\(name).JPG", in: imported).burstIdentifier == burst)
        }
        let frames = imported.assets.values.filter { $0.burstIdentifier == burst }
        #expect(frames.count >= names.count)
        #expect(frames.count { $0.representsBurst } == 1)
        #expect(frames.count { $0.burstSelectionTypes == .autoPick } == 1)
    }

    @Test("Media subtypes are those that Apple's own import found")
    func agreesWithApple() throws {
        let imported = try Self.imported.get()
        let live = try asset("live-photo/IMG_3582.HEIC", in: imported)
        #expect(live.mediaSubtypes.isSuperset(of: [.photoLive, .photoHDR, .photoDepthEffect]))
        #expect(live.playbackStyle == .livePhoto)
        for row in try SharedData.rows(of: "expected-apple.tsv") {
            guard let name = row["file"] else { continue }
            let asset = try asset(name, in: imported)
            #expect(String(asset.pixelSize.width) == row["width"], "\(name)")
            #expect(String(asset.pixelSize.height) == row["height"], "\(name)")
            let seconds = try #require(row["date_created_unix"].flatMap(Double.init))
            let instant = try #require(asset.creationDate?.timeIntervalSince1970)
            #expect(abs(instant - seconds) < 0.002, "\(name)")
            let kind = row["kind_subtype"]
            #expect(asset.mediaSubtypes.contains(.photoLive) == (kind == "2"), "\(name)")
            #expect(asset.mediaSubtypes.contains(.photoScreenshot) == (kind == "10"), "\(name)")
            #expect(asset.mediaSubtypes.contains(.videoTimelapse) == (kind == "102"), "\(name)")
        }
    }
}
