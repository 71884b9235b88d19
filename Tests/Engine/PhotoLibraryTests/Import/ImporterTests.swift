import Foundation
import LibraryService
import Logging
import PhotoLibrary
import PhotoModel
import Synchronization
import Testing
import TestSupport
import WorkerClient
import WorkerProtocol

@Suite(.timeLimit(.minutes(10))) struct ImporterTests {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    @Test("A file becomes an asset with its original, byte for byte, and staging is empty after")
    func importsFile() throws {
        let url = try world.write("IMG_0001.JPG", .still(offset: "+02:00"))
        let outcome = try #require(try world.importFiles("IMG_0001.JPG").first)
        #expect(outcome.kind == .imported)
        let asset = try #require(try world.asset(outcome))
        #expect(asset.originalFilename == "IMG_0001.JPG")
        #expect(asset.addedDate == ImportWorld.now)
        #expect(asset.modificationDate == ImportWorld.now)
        #expect(asset.captureTime?.offset == 7_200)
        #expect(asset.pixelSize == PixelSize(width: 40, height: 30))
        #expect(asset.contentVersion == 1)
        let stored = try #require(try ImportWorld.originals(of: world.store).first)
        #expect(stored.hasSuffix(".jpg"))
        let bytes = FileManager.default.contents(
            atPath: world.store.bundle.absolutePath(of: stored)
        )
        #expect(try bytes == Data(contentsOf: url))
        #expect(try world.inconsistencies() == [])
        try world.importer.endImport(ImportEndRequest(session: world.session))
        #expect(try world.stagingFolders() == [])
    }

    @Test("Each file of a batch has its own outcome, in the request's order")
    func answersEachFile() throws {
        try world.write("good.jpg", .still())
        try world.write("text.txt", text: "hello")
        try world.write("broken.jpg", text: "broken bytes")
        try world.write("empty.jpg", text: "")
        let folder = world.path("")
        let outcomes = try world.importFiles(
            paths: ["text.txt", "good.jpg", "empty.jpg", "broken.jpg"].map(world.path) + [folder]
        )
        #expect(
            outcomes.map(\.kind) == [.unsupported, .imported, .failed, .failed, .unsupported]
        )
        #expect(outcomes[0].reason == "It is text.")
        #expect(outcomes[1].reason == nil)
        #expect(outcomes[2].reason?.contains("empty") == true)
        #expect(outcomes[3].reason == "The worker says that it is damaged.")
        #expect(outcomes[4].reason?.contains("a folder") == true)
        #expect(try world.inconsistencies() == [])
    }

    @Test("The same bytes are stored once: later, in one batch, and under another name")
    func recognizesDuplicates() throws {
        try world.write("a.jpg", .still())
        try world.write("b.jpg", .still())
        let first = try world.importFiles("a.jpg", "b.jpg")
        #expect(first.map(\.kind) == [.imported, .duplicate])
        #expect(first[0].localIdentifier == first[1].localIdentifier)
        try world.write("c.jpg", .still())
        let second = try world.importFiles("c.jpg")
        #expect(second.map(\.kind) == [.duplicate])
        #expect(second[0].localIdentifier == first[0].localIdentifier)
        #expect(try world.assets().count == 1)
        #expect(world.prober.probed.count == 2, "a known file is not probed")
    }

    @Test("A duplicate in Recently Deleted stays there, and the answer says so")
    func recognizesTrashedDuplicates() throws {
        try world.write("a.jpg", .still())
        _ = try world.importFiles("a.jpg")
        try world.store.write(author: "tests") { transaction in
            var asset = try #require(try transaction.asset(id: 1))
            asset.trashedDate = transaction.now
            try transaction.updateAsset(asset, contentChanged: false)
        }
        let outcome = try #require(try world.importFiles("a.jpg").first)
        #expect(outcome.kind == .duplicate)
        #expect(outcome.reason?.contains("Recently Deleted") == true)
        #expect(try world.assets().first?.trashedDate != nil)
        let known = try world.importer.knownFiles(
            KnownFilesRequest(session: world.session, files: [try world.source("a.jpg")])
        )
        #expect(known.outcomes[0]?.reason?.contains("Recently Deleted") == true)
    }

    @Test("A file that changes while it is read is not imported")
    func noticesChanges() throws {
        let card = world.folder.file("card").path
        try world.write("a.jpg", .still())
        let handle = try #require(FileHandle(forUpdatingAtPath: card + "/a.jpg"))
        let descriptor = handle.fileDescriptor
        let hook = FileOperations { step in
            // The copy's first chunk, at which another process writes.
            if step == .createFile { _ = pwrite(descriptor, "x", 1, 0) }
            return 0
        }
        let world = try ImportWorld(files: hook)
        let outcome = try #require(try world.importFiles(paths: [card + "/a.jpg"]).first)
        #expect(outcome.kind == .failed)
        #expect(outcome.reason?.contains("changed") == true)
        #expect(try world.assets().isEmpty)
        #expect(try ImportWorld.originals(of: world.store) == [])
    }

    @Test("A source that only gets or loses a name while it is read is read again")
    func readsRetouchedAgain() throws {
        let card = world.folder.file("card").path
        try world.write("a.jpg", .still())
        let isFirst = Mutex(true)
        let hook = FileOperations { step in
            let isDue =
                step == .write
                && isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
            if isDue { _ = link(card + "/a.jpg", card + "/b.jpg") }
            return 0
        }
        let world = try ImportWorld(files: hook)
        let outcome = try #require(try world.importFiles(paths: [card + "/a.jpg"]).first)
        #expect(outcome.kind == .imported)
        #expect(try world.inconsistencies() == [])
        #expect(FileManager.default.fileExists(atPath: card + "/b.jpg"))
        let known = try world.importer.knownFiles(
            KnownFilesRequest(
                session: world.session,
                files: [try ImportWorld.source(path: card + "/a.jpg")]
            )
        )
        #expect(known.outcomes[0]?.kind == .duplicate)
    }

    @Test("Without a worker nothing is imported, and the error says what helps")
    func needsWorker() throws {
        let failure = WorkerError(message: "There is no worker.", recovery: "Install it.")
        let world = try ImportWorld(prober: TableProber(failure: failure))
        try world.write("a.jpg", .still())
        let error = try #require(throws: LibraryError.self) { try world.importFiles("a.jpg") }
        #expect(error.code == .workerUnavailable)
        #expect(error.recovery == "Install it.")
        #expect(try world.assets().isEmpty)
    }

    @Test("A session that is not open, and a request that does not fit, are errors")
    func checksRequests() throws {
        try world.write("a.jpg", .still())
        let request = ImportFilesRequest(
            session: world.session,
            files: [try world.source("a.jpg")]
        )
        #expect(throws: LibraryError.self) { try world.importer.importFiles(request, files: []) }
        try world.importer.endImport(ImportEndRequest(session: world.session))
        #expect(throws: LibraryError.self) { try world.importFiles("a.jpg") }
        #expect(throws: LibraryError.self) {
            try world.importer.endImport(ImportEndRequest(session: world.session))
        }
    }

    @Test("Batches of one session and of other importers run at once; nothing is stored twice")
    func runsConcurrently() throws {
        let names = try (0..<48).map { number in
            // Every file exists twice, under two names.
            let name = "IMG_\(number).JPG"
            try world.write(name, .still(salt: "\(number / 2)"))
            return name
        }
        let other = try ImportWorld(existingLibrary: world.libraryPath)
        let kinds = Mutex<[ImportOutcome.Kind]>([])
        let failures = Mutex<[String]>([])
        let paths = names.map(world.path)
        DispatchQueue.concurrentPerform(iterations: 12) { batch in
            let slice = Array(paths[(batch % 6 * 8)..<(batch % 6 * 8 + 8)])
            do {
                let outcomes = try (batch < 6 ? world : other).importFiles(paths: slice)
                kinds.withLock { $0 += outcomes.map(\.kind) }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock(\.self) == [])
        #expect(kinds.withLock { $0.filter { $0 == .imported }.count } == 24)
        #expect(kinds.withLock { $0.filter { $0 == .duplicate }.count } == 72)
        #expect(try world.assets().count == 24)
        #expect(try world.inconsistencies() == [])
    }
}
