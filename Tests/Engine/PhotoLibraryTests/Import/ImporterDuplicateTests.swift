import Foundation
import GRDB
import LibraryService
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

/// Duplicates of files that are in the library's rows, but possibly no longer on its disk.
@Suite(.timeLimit(.minutes(10))) struct ImporterDuplicateTests {
    let world: ImportWorld
    let original: URL

    init() throws {
        world = try ImportWorld()
        try world.write("a.jpg", .still())
        #expect(try world.importFiles("a.jpg").map(\.isSafeToRemove) == [true])
        original = URL(
            fileURLWithPath: world.store.bundle.absolutePath(
                of: try #require(try ImportWorld.originals(of: world.store).first)
            )
        )
    }

    private func importAgain(verifies: Bool = false) throws -> ImportOutcome {
        try #require(try world.importFiles(["a.jpg"], verifiesDuplicates: verifies).first)
    }

    /// Changes a byte and keeps the size.
    private func flip() throws {
        var data = try Data(contentsOf: original)
        data[data.startIndex] ^= 1
        try data.write(to: original)
    }

    @Test("A file that the library lost is put back, and its row stays", arguments: [false, true])
    func restoresMissing(verifies: Bool) throws {
        try FileManager.default.removeItem(at: original)
        let outcome = try importAgain(verifies: verifies)
        #expect(outcome.kind == .duplicate)
        #expect(outcome.reason?.contains("was missing and has been restored") == true)
        #expect(outcome.isSafeToRemove)
        #expect(try world.inconsistencies() == [])
        #expect(try world.assets().count == 1)
        #expect(try importAgain().reason == nil)
    }

    @Test("A file that the library has cut short is put back")
    func restoresTruncated() throws {
        try Data("short".utf8).write(to: original)
        let outcome = try importAgain()
        #expect(outcome.reason?.contains("was damaged and has been restored") == true)
        #expect(outcome.isSafeToRemove)
        #expect(try world.inconsistencies() == [])
    }

    @Test("Other bytes of the same size are found when duplicates are verified, and put right")
    func restoresFlipped() throws {
        try flip()
        let unread = try importAgain()
        #expect(unread.kind == .duplicate)
        #expect(!unread.isSafeToRemove)
        #expect(try world.inconsistencies().count == 1)
        let read = try importAgain(verifies: true)
        #expect(read.reason?.contains("was damaged and has been restored") == true)
        #expect(read.isSafeToRemove)
        #expect(try world.inconsistencies() == [])
    }

    @Test("The source of a duplicate is safe to remove only when the library's file was read")
    func saysWhatIsSafe() throws {
        #expect(try importAgain().isSafeToRemove == false)
        #expect(try importAgain(verifies: true).isSafeToRemove)
    }

    @Test("A duplicate in Recently Deleted keeps its source")
    func sparesSourceOfTrashed() throws {
        try world.store.write(author: "tests") { transaction in
            var asset = try #require(try transaction.asset(id: 1))
            asset.trashedDate = transaction.now
            try transaction.updateAsset(asset, contentChanged: false)
        }
        #expect(try !importAgain(verifies: true).isSafeToRemove)
        try FileManager.default.removeItem(at: original)
        #expect(try !importAgain(verifies: true).isSafeToRemove)
        #expect(try world.inconsistencies() == [])
    }

    @Test("The library's own file is no source to remove")
    func sparesItself() throws {
        let link = world.folder.file("link.jpg")
        try FileManager.default.linkItem(at: original, to: link)
        let outcome = try world.importFiles(paths: [link.path], verifiesDuplicates: true).first
        #expect(outcome?.kind == .duplicate)
        #expect(outcome?.isSafeToRemove == false)
    }

    @Test("A file that is put back stays when its batch fails", arguments: [EIO])
    func keepsRestored(number: Int32) throws {
        try FileManager.default.removeItem(at: original)
        try world.write("b.jpg", .still(salt: "b"))
        try world.failCommits()
        #expect(throws: LibraryError.self) { try world.importFiles("a.jpg", "b.jpg") }
        #expect(FileManager.default.fileExists(atPath: original.path))
    }

    @Test("A sidecar that the library lost is put back")
    func restoresSidecar() throws {
        try world.write("a.xmp", .sidecar(.xmp, title: "T"))
        #expect(try world.importFiles("a.xmp").map(\.kind) == [.paired])
        for path in try ImportWorld.originals(of: world.store) {
            try FileManager.default.removeItem(atPath: world.store.bundle.absolutePath(of: path))
        }
        #expect(try world.importFiles("a.jpg", "a.xmp").map(\.isSafeToRemove) == [true, true])
        #expect(try world.inconsistencies() == [])
    }

    @Test("Equal files of one batch restore once and are all safe")
    func restoresOnce() throws {
        try FileManager.default.removeItem(at: original)
        try world.write("again.jpg", .still())
        let outcomes = try world.importFiles("a.jpg", "again.jpg")
        #expect(outcomes.map(\.isSafeToRemove) == [true, true])
        #expect(try world.inconsistencies() == [])
    }
}
