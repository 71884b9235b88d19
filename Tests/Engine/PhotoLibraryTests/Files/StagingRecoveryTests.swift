import Foundation
import GRDB
import LibraryService
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

@Suite(.timeLimit(.minutes(10))) struct StagingRecoveryTests {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private func clear() throws -> StagingRecovery.Summary {
        try world.store.clearStaging()
    }

    /// The session that died after placing files but before committing.
    private static let dead = "DEAD0000-0000-0000-0000-000000000000"
    private var deadFolder: String { world.store.bundle.staging + "/" + Self.dead }

    private func leaveDeadSession(naming targets: [String], version: Int64? = nil) throws {
        let staging = deadFolder
        let manager = FileManager.default
        try manager.createDirectory(atPath: staging, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(fileURLWithPath: staging + "/0.part"))
        let version = try version ?? world.store.currentVersion()
        try Data((["version \(version)"] + targets).map { $0 + "\n" }.joined().utf8)
            .write(to: URL(fileURLWithPath: staging + "/intentions"))
    }

    private func place(_ target: String) throws {
        let url = URL(fileURLWithPath: world.store.bundle.absolutePath(of: target))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data("bytes".utf8).write(to: url)
    }

    @Test("A living session is left alone")
    func sparesTheLiving() throws {
        #expect(try clear().sessions == 0)
        #expect(try world.stagingFolders().count == 1)
        try world.write("a.jpg", .still())
        #expect(try world.importFiles("a.jpg").map(\.kind) == [.imported])
    }

    @Test("A dead session goes, with what it placed and did not commit; committed files stay")
    func clearsTheDead() throws {
        try world.write("a.jpg", .still())
        _ = try world.importFiles("a.jpg")
        let committed = try #require(try ImportWorld.originals(of: world.store).first)
        let orphan = "originals/ab/AB000000-0000-0000-0000-000000000000.jpg"
        try place(orphan)
        try leaveDeadSession(naming: [committed, orphan])
        let summary = try clear()
        #expect(summary.sessions == 1)
        #expect(summary.removedFiles == [orphan])
        #expect(try world.inconsistencies() == [])
        #expect(try world.stagingFolders().count == 1)
    }

    @Test("A database that was put back from a backup takes no file with it")
    func sparesFilesOfLaterVersions() throws {
        let orphan = "originals/ab/AB000000-0000-0000-0000-000000000000.jpg"
        try place(orphan)
        try leaveDeadSession(naming: [orphan], version: try world.store.currentVersion() + 1)
        let summary = try clear()
        #expect(summary.sessions == 1)
        #expect(summary.removedFiles == [])
        #expect(try ImportWorld.originals(of: world.store) == [orphan])
    }

    @Test("What was committed is in no intentions any more")
    func emptiesIntentions() throws {
        try world.write("a.jpg", .still())
        _ = try world.importFiles("a.jpg")
        let sessions = try world.stagingFolders()
        #expect(sessions.count == 1)
        for session in sessions {
            let path = world.store.bundle.staging + "/" + session + "/intentions"
            #expect(FileManager.default.contents(atPath: path) == Data())
        }
    }

    @Test("Files that no intention names are never removed")
    func sparesStrangers() throws {
        let stranger = "originals/ab/AB111111-0000-0000-0000-000000000000.jpg"
        try place(stranger)
        try leaveDeadSession(naming: [])
        #expect(try clear().removedFiles == [])
        #expect(try ImportWorld.originals(of: world.store) == [stranger])
    }

    @Test(
        "Intentions that import never writes have no effect",
        arguments: [
            "database/library.sqlite", "originals/../database/lock", "/etc/passwd",
            "originals/ab/../../version", "originals/ab/x.jpg", "version", "",
            "originals/ab/AB000000-0000-0000-0000-000000000000",
        ]
    )
    func readsIntentionsAsHostile(target: String) throws {
        try leaveDeadSession(naming: [target])
        #expect(try clear().removedFiles == [])
        let bundle = world.store.bundle
        #expect(FileManager.default.fileExists(atPath: bundle.database))
        #expect(FileManager.default.fileExists(atPath: bundle.version))
        #expect(FileManager.default.fileExists(atPath: bundle.lock))
    }

    @Test("A link in the staging folder is not followed", arguments: [true, false])
    func sparesLinkedFolders(looksLikeSession: Bool) throws {
        let elsewhere = world.folder.file("elsewhere")
        let names = ["photo.jpg", "0.part", "intentions", "lock"]
        for name in names { try world.folder.write(Data("x".utf8), to: "elsewhere/" + name) }
        let name = looksLikeSession ? Self.dead : "x"
        try FileManager.default.createSymbolicLink(
            atPath: world.store.bundle.staging + "/" + name,
            withDestinationPath: elsewhere.path
        )
        #expect(try clear().sessions == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: elsewhere.path)
        #expect(left.sorted() == names.sorted())
    }

    @Test("Folders with other names than sessions have are left alone")
    func sparesOtherFolders() throws {
        let folder = world.store.bundle.staging + "/mine"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false
        )
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/0.part"))
        #expect(try clear().sessions == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["0.part"])
    }

    @Test("A file that no session writes stays, and its folder with it")
    func sparesForeignFiles() throws {
        try leaveDeadSession(naming: [])
        try Data("x".utf8).write(to: URL(fileURLWithPath: deadFolder + "/photo.jpg"))
        #expect(try clear().sessions == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: deadFolder) == ["photo.jpg"])
    }

    @Test("Targets in a linked folder of originals are not removed")
    func sparesLinkedOriginals() throws {
        let elsewhere = world.folder.file("elsewhere")
        let name = "AB000000-0000-0000-0000-000000000000.jpg"
        try world.folder.write(Data("x".utf8), to: "elsewhere/" + name)
        try FileManager.default.createSymbolicLink(
            atPath: world.store.bundle.originals + "/ab",
            withDestinationPath: elsewhere.path
        )
        try leaveDeadSession(naming: ["originals/ab/" + name])
        #expect(try clear().removedFiles == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) == [name])
    }

    @Test("Looking for dead sessions makes no files")
    func looksWithoutTraces() throws {
        try leaveDeadSession(naming: [])
        let verifier = Verifier(store: world.store)
        var cursor: VerifyCursor?
        repeat {
            let request = VerifyRequest(isFull: false, repairs: false, cursor: cursor)
            cursor = try verifier.verify(request).next
        } while cursor != nil
        let names = try FileManager.default.contentsOfDirectory(atPath: deadFolder)
        #expect(names.sorted() == ["0.part", "intentions"])
    }

    @Test("The first write of a process clears, without being asked")
    func clearsAtFirstWrite() throws {
        let orphan = "originals/ab/AB000000-0000-0000-0000-000000000000.jpg"
        try place(orphan)
        try leaveDeadSession(naming: [orphan])
        let store = try LibraryStore.open(at: world.libraryPath)
        try store.write(author: "tests") { _ in }
        #expect(try ImportWorld.originals(of: store) == [])
        #expect(try world.stagingFolders().count == 1)
    }
}
