import Foundation
import LibraryService
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

@Suite(.timeLimit(.minutes(10))) struct KnownFilesTests {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func known(_ files: SourceFile...) throws -> [ImportOutcome?] {
        try world.importer.knownFiles(
            KnownFilesRequest(session: world.session, files: files)
        ).outcomes
    }

    @Test("What was imported, paired or found a duplicate is known; the rest is not")
    func knowsFiles() throws {
        try world.write("a.jpg", .still(content: "A"))
        try world.write("a.mov", .movie(content: "A"))
        try world.write("b.jpg", .still(content: "A"))
        try world.write("a.aae", .sidecar(.aae))
        try world.write("text.txt", text: "hello")
        let names = ["a.jpg", "a.mov", "b.jpg", "a.aae", "text.txt"]
        let outcomes = try world.importFiles(names)
        #expect(outcomes.map(\.kind) == [.imported, .paired, .duplicate, .paired, .unsupported])
        let sources = try names.map(world.source)
        let known = try world.importer.knownFiles(
            KnownFilesRequest(session: world.session, files: sources)
        ).outcomes
        #expect(
            known.map { $0?.kind } == [.duplicate, .duplicate, .duplicate, .duplicate, nil]
        )
        #expect(known[1]?.localIdentifier == outcomes[0].localIdentifier)
    }

    @Test("A difference in any of path, size, times, inode or device makes it unknown")
    func trustsNothingLess() throws {
        try world.write("a.jpg", .still())
        _ = try world.importFiles("a.jpg")
        let source = try world.source("a.jpg")
        var variants: [SourceFile] = []
        func vary(_ change: (inout SourceFile) -> Void) {
            var other = source
            change(&other)
            variants.append(other)
        }
        vary { $0.path.append(0x20) }
        vary { $0.size += 1 }
        vary { $0.modificationTime += 1 }
        vary { $0.statusChangeTime -= 1 }
        vary { $0.inode += 1 }
        // File systems that generate inodes give the same ones to other files of another volume.
        vary { $0.device += 1 }
        for variant in variants { #expect(try known(variant) == [nil]) }
        #expect(try known(source)[0]?.kind == .duplicate)
    }

    @Test("A file that the library lost, or has in another size, is unknown")
    func looksAtLibrary() throws {
        try world.write("a.jpg", .still())
        _ = try world.importFiles("a.jpg")
        let source = try world.source("a.jpg")
        let stored = world.store.bundle.absolutePath(
            of: try #require(try ImportWorld.originals(of: world.store).first)
        )
        try Data("short".utf8).write(to: URL(fileURLWithPath: stored))
        #expect(try known(source) == [nil])
        try FileManager.default.removeItem(atPath: stored)
        #expect(try known(source) == [nil])
        _ = try world.importFiles("a.jpg")
        #expect(try known(source)[0]?.kind == .duplicate)
    }

    @Test("A file whose bytes were replaced in place is read again")
    func noticesReplacement() throws {
        try world.write("a.jpg", .still(salt: "1"))
        _ = try world.importFiles("a.jpg")
        try world.write("a.jpg", .still(salt: "2"))
        #expect(try known(world.source("a.jpg")) == [nil])
        #expect(try world.importFiles("a.jpg").first?.kind == .imported)
        #expect(try known(world.source("a.jpg"))[0]?.kind == .duplicate)
        #expect(try world.assets().count == 2)
    }

    @Test("A file whose resource is gone is unknown")
    func forgetsPurged() throws {
        try world.write("a.jpg", .still())
        _ = try world.importFiles("a.jpg")
        try world.store.write(author: "tests") { transaction in
            try transaction.deleteResource(id: 1)
            try transaction.deleteAsset(id: 1)
        }
        #expect(try known(world.source("a.jpg")) == [nil])
    }

    @Test("Thousands of files are answered in a fraction of a second", .timeLimit(.minutes(10)))
    func isFast() throws {
        try world.write("a.jpg", .still())
        _ = try world.importFiles("a.jpg")
        let source = try world.source("a.jpg")
        let files = (0..<20_000).map { number in
            var file = source
            if number % 2 == 0 { file.path += Array("\(number)".utf8) }
            return file
        }
        let clock = ContinuousClock()
        var outcomes: [ImportOutcome?] = []
        let time = try clock.measure {
            outcomes = try world.importer.knownFiles(
                KnownFilesRequest(session: world.session, files: files)
            ).outcomes
        }
        #expect(outcomes.count { $0 != nil } == 10_000)
        // The goal is 20,000 per second in an optimized build; debug builds are slower.
        #expect(time < .seconds(10))
    }
}
