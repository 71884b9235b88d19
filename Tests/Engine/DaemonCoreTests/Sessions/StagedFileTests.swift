import BinaryCoding
import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PhotoModel
@testable import RemoteLibrary
import Testing

/// Files that a client stages with a daemon, their limits, and lost connections.
@Suite(.timeLimit(.minutes(2))) struct StagedFileTests {
    private let folder: SocketFolder

    init() throws { folder = try SocketFolder() }

    private func library() throws -> RemoteLibrary {
        try RemoteLibrary(
            RemoteConfiguration(socketPath: folder.socket, softwareVersion: "2.0")
        )
    }

    private static func stage(_ library: RemoteLibrary, bytes: Int = 1) throws -> FileToken {
        let file = try TestMemory.descriptor(7)
        ftruncate(file.number, off_t(bytes))
        return try library.stage(StageRequest(type: .photo), file: file).token
    }

    private static func change(_ tokens: [FileToken], mark: String = "files") -> CommitRequest {
        let resources = tokens.map { ResourceCreation(type: .photo, file: $0) }
        let creation = AssetCreation(uuid: "8D7B", resources: resources)
        let operation = ChangeOperation(request: mark, action: .createAsset(creation))
        return CommitRequest(changes: ChangeSet(operations: [operation]))
    }

    /// Replaces a daemon, so that its sessions end.
    private func replace(_ world: inout DaemonWorld?, _ journal: ChangeJournal) throws {
        world?.server.stop(.reconnect)
        #expect(world?.waitForEnd() == true)
        world = nil
        world = try DaemonWorld(folder: folder, engine: FakeEngine(journal: journal))
    }

    // MARK: - Lost connections

    @Test func filesOfALostConnectionAreStagedAgain() throws {
        let journal = try ChangeJournal(path: nil)
        var world: DaemonWorld? = try DaemonWorld(
            folder: folder,
            engine: FakeEngine(journal: journal)
        )
        let library = try library()
        let first = try [Self.stage(library), Self.stage(library)]
        try replace(&world, journal)
        // One more over the new connection.
        let tokens = try first + [Self.stage(library)]
        #expect(try library.commit(Self.change(tokens)).version == 1)
        #expect(try journal.entries.count == 1)
        #expect(world?.engine.performedCount("stage") == 4)
        #expect(world?.engine.performedCount("commit") == 2)
        // They were used.
        let error = #expect(throws: LibraryError.self) { try library.commit(Self.change(first)) }
        #expect(error?.code == .tokenUnknown)
        #expect(world?.engine.performedCount("stage") == 4)
        library.close()
    }

    @Test func storedAnswerNeedsNoFiles() throws {
        let journal = try ChangeJournal(path: nil)
        var world: DaemonWorld? = try DaemonWorld(
            folder: folder,
            engine: FakeEngine(journal: journal)
        )
        let library = try library()
        let context = CallContext(change: UUID())
        let token = try Self.stage(library)
        // The change is made, and its reply is lost.
        let made = try context.perform { () throws(LibraryError) in
            try self.commitOver(library, CommitRequest(mark: "files"))
        }
        try replace(&world, journal)
        let reply = try context.perform { () throws(LibraryError) in
            try library.commit(Self.change([token]))
        }
        #expect(reply == made)
        #expect(world?.engine.performedCount("stage") == 0)
        #expect(world?.engine.performedCount("commit") == 0)
        #expect(try journal.entries.count == 1)
        library.close()
    }

    /// Makes a change with the present identifier.
    private func commitOver(
        _ library: RemoteLibrary,
        _ request: CommitRequest
    ) throws(LibraryError) -> CommitReply {
        try library.commit(request)
    }

    @Test func unknownTokenOfALivingConnectionIsTheErrorOfItsClient() throws {
        let world = try DaemonWorld(folder: folder)
        let (first, second) = (try library(), try library())
        let token = try Self.stage(first)
        let error = #expect(throws: LibraryError.self) { try second.commit(Self.change([token])) }
        #expect(error?.code == .tokenUnknown)
        #expect(error?.recovery != nil)
        #expect(try first.commit(Self.change([token])).version == 1)
        #expect(try second.commit(Self.change([Self.stage(second)])).version == 2)
        #expect(world.engine.performedCount("stage") == 2)
        #expect(world.server.status.counters.violations == 0)
    }

    // MARK: - Limits

    @Test func numberOfFilesIsLimited() throws {
        let world = try DaemonWorld(folder: folder) { $0.limits.fileTokens = 2 }
        let (library, other) = (try library(), try library())
        let tokens = try [Self.stage(library), Self.stage(library)]
        let error = #expect(throws: LibraryError.self) { try Self.stage(library) }
        #expect(error?.code == .busy)
        #expect(error?.reason?.contains("fileTokens") == true)
        #expect(error?.reason?.contains("2 files") == true)
        // Those of another session count apart.
        _ = try Self.stage(other)
        try library.releaseTokens(ReleaseTokensRequest(tokens: [tokens[0]]))
        let third = try Self.stage(library)
        #expect(throws: LibraryError.self) { try Self.stage(library) }
        // A commit frees its files, also if it fails.
        world.engine.failNextCommit(LibraryError(.noSpace, "Full."))
        #expect(throws: LibraryError.self) { try library.commit(Self.change([tokens[1]])) }
        _ = try library.commit(Self.change([third]))
        _ = try Self.stage(library)
        _ = try Self.stage(library)
        #expect(throws: LibraryError.self) { try Self.stage(library) }
    }

    @Test func bytesOfFilesAreLimited() throws {
        let world = try DaemonWorld(folder: folder) { $0.limits.stagedBytes = 1_000 }
        let library = try library()
        let error = #expect(throws: LibraryError.self) { try Self.stage(library, bytes: 1_001) }
        #expect(error?.reason?.contains("stagedBytes") == true)
        #expect(world.engine.performedCount("stage") == 0)
        // The fake engine states that it copied one byte.
        for _ in 0..<4 { _ = try Self.stage(library, bytes: 900) }
    }

    // MARK: - Long requests

    @Test func requestsMayBeLongerThanAFrame() throws {
        let world = try DaemonWorld(folder: folder)
        let library = try library()
        let marks = (0..<3).map { String(repeating: "\($0)", count: (17 + $0) << 20) }
        let calls = marks.map { mark in
            BackgroundCall { try library.commit(CommitRequest(mark: mark)).version }
        }
        #expect(try Set(calls.map { try $0.value() }) == [1, 2, 3])
        #expect(try Set(world.engine.journal.entries.flatMap(\.marks)) == Set(marks))
        #expect(world.server.status.counters.violations == 0)
    }

    @Test func requestsHaveALimit() throws {
        let world = try DaemonWorld(folder: folder)
        let library = try library()
        let mark = String(repeating: "m", count: FrameLimits.maximumRequestLength)
        let error = #expect(throws: LibraryError.self) {
            try library.commit(CommitRequest(mark: mark))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.recovery != nil)
        #expect(try library.commit(CommitRequest(mark: "short")).version == 1)
        #expect(world.server.status.counters.violations == 0)
    }
}
