import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// The libraries that a daemon has open.
@Suite(.timeLimit(.minutes(2))) struct EngineTests {
    private let home: DaemonHome

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
    }

    private var log: String { home.library + "/database/library.sqlite-wal" }

    private func waits(_ condition: () -> Bool) -> Bool {
        home.waits(seconds: 20, condition)
    }

    @Test("A library is kept open for a while after its last client, and then closed")
    func idle() throws {
        try home.startDaemon("--keep-open", "0.2")
        let first = try home.client()
        let second = try home.client()
        try first.commit(album: "one")
        #expect(FileManager.default.fileExists(atPath: log))
        first.close()
        try second.commit(album: "two")
        second.close()
        #expect(waits { !FileManager.default.fileExists(atPath: log) })
        // It opens again.
        let third = try home.client()
        #expect(try third.status().version == 2)
        third.close()
        #expect(waits { !FileManager.default.fileExists(atPath: log) })
    }

    @Test("A library that was replaced is opened anew")
    func replaced() throws {
        try home.startDaemon()
        let before = try home.client()
        let identifier = try before.status().libraryUUID
        try before.commit(album: "old")
        try FileManager.default.removeItem(atPath: home.library)
        let missing = try #require(throws: ConnectionFailure.self) { try home.client() }
        guard case .refused(let error) = missing else {
            Issue.record("\(missing)")
            return
        }
        #expect([.libraryMissing, .volumeMissing].contains(error.code))
        try FileManager.default.removeItem(at: home.folder.file("state"))
        try home.succeed("create", daemon: "0")
        let after = try home.client()
        #expect(try after.status().libraryUUID != identifier)
        #expect(try after.status().version == 0)
        // The former client is told, and writes to neither.
        #expect(throws: LibraryError.self) { try before.commit(album: "lost") }
        #expect(try after.status().version == 0)
    }

    @Test("Clients choose their library, and only an absolute path")
    func path() throws {
        try home.startDaemon("--library", home.library)
        var configuration = RemoteConfiguration(socketPath: home.socket, softwareVersion: "test")
        configuration.role = .owner
        let standard = try RemoteLibrary(configuration)
        #expect(try standard.status().path == home.library)
        configuration.library = "Test.photolibrary"
        let failure = #expect(throws: ConnectionFailure.self) { try RemoteLibrary(configuration) }
        guard case .refused(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.code == .invalidRequest)
    }

    @Test("A program has the permission of its user, and cannot take the owner's role from inside")
    func permission() throws {
        try home.startDaemon()
        let program = try home.client(role: .program)
        #expect(try program.welcome().permission == "notDetermined")
        let fetch = AssetFetchRequest()
        #expect(try program.fetch(fetch).ids.isEmpty)
        #expect(throws: LibraryError.self) { try program.commit(album: "none") }
        #expect(throws: LibraryError.self) {
            try program.openSession(SessionRequest(author: "someone"))
        }
        #expect(throws: LibraryError.self) { try program.daemonStatus() }
        // The choice of the user takes effect at once.
        try home.succeed("access", "grant", try program.welcome().program)
        try program.commit(album: "one")
        let owner = try home.client()
        let author = try owner.openSession(SessionRequest(author: "someone"))
        try author.commit(album: "two")
        let history = try owner.history(HistoryRequest(since: 0, limit: 10))
        #expect(history.versions.map(\.author).last == "someone")
        let observer = try home.client(role: .observer)
        #expect(throws: LibraryError.self) { try observer.fetch(AssetFetchRequest()) }
    }
}

extension LibraryService {
    /// Creates an album.
    @discardableResult
    func commit(album title: String) throws(LibraryError) -> CommitReply {
        let creation = CollectionCreation(uuid: UUID().uuidString, kind: .album, title: title)
        let operation = ChangeOperation(request: title, action: .createCollection(creation))
        return try commit(
            CommitRequest(changes: ChangeSet(operations: [operation]))
        )
    }
}
