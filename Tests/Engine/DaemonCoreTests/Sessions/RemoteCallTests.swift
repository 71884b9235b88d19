import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization
import TestSupport
import Testing

/// Calls between a client and a daemon over a real socket.
@Suite(.timeLimit(.minutes(2))) struct RemoteCallTests {
    @Test(arguments: WireForm.allCases) func callsAreAnswered(_ form: WireForm) throws {
        let world = try DaemonWorld()
        let library = try world.library { $0.form = form }
        #expect(try library.status().version == 0)
        #expect(try library.findContent(FindContentRequest(digests: ["a"])).matches.count == 1)
        #expect(try library.commit(CommitRequest(mark: "one")).version == 1)
        #expect(try world.engine.journal.entries.map(\.marks) == [["one"]])
        #expect(try library.welcome().peerKind == "host")
        library.close()
        #expect(world.engine.waitUntil(openSessions: 0))
        let error = #expect(throws: LibraryError.self) { try library.status() }
        #expect(error?.code == .invalidRequest)
    }

    @Test func errorsArriveAsTheyWereThrown() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let error = LibraryError(
            .noSpace,
            "m",
            reason: "r",
            recovery: "v",
            path: "/p",
            identifiers: ["a", "b"]
        )
        world.engine.failNextCommit(error)
        let received = #expect(throws: LibraryError.self) {
            try library.commit(CommitRequest(mark: "x"))
        }
        #expect(received == error)
        // The failed change was not recorded, and the next one is made.
        #expect(try library.commit(CommitRequest(mark: "y")).version == 1)
    }

    @Test func filesArePassed() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let files = try (0..<64).map { try TestMemory.descriptor(UInt8($0)) }
        for _ in 0..<3 {
            let reply = try library.fileDigests(of: files)
            #expect(reply.digests == (0..<64).map { "\($0)" })
        }
        let error = #expect(throws: LibraryError.self) {
            try library.fileDigests(of: files + files)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func longRepliesDoNotDelayShortOnes() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let count = 1 << 20
        let long = (0..<2).map { _ in
            BackgroundCall { try library.fetch(AssetFetchRequest(count: count)).ids }
        }
        for index in 0..<50 {
            let digest = "\(index)"
            let reply = try library.findContent(FindContentRequest(digests: [digest]))
            #expect(reply.matches.first?.first?.localIdentifier == digest)
        }
        for call in long {
            let ids = try call.value()
            #expect(ids.count == count && ids.last == Int64(count - 1) &* 7)
        }
    }

    @Test func progressIsReportedOnTheCallersThread() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let received = Mutex<[CallProgress]>([])
        let cancellation = CallCancellation()
        let call = BackgroundCall {
            let caller = pthread_self()
            let context = CallContext(
                cancellation: cancellation,
                progress: { progress in
                    #expect(pthread_equal(caller, pthread_self()) != 0)
                    received.withLock { $0.append(progress) }
                    if progress.completed == 3 { cancellation.cancel() }
                }
            )
            return try context.perform { try library.duplicates(DuplicatesRequest(patience: 1)) }
        }
        #expect(try call.error()?.code == .cancelled)
        let progress = received.withLock(\.self)
        #expect(progress.last == CallProgress(completed: 3, total: 3))
        #expect(progress.map(\.completed) == progress.map(\.completed).sorted())
    }

    @Test func statisticsAreForTheOwnerOnly() throws {
        let world = try DaemonWorld()
        let library = try world.library()
        let status = try library.daemonStatus()
        #expect(status.running && status.pid == getpid() && status.clients.count == 1)
        #expect(status.socket == world.folder.socket && status.version == "1.0")
        let journal = try ChangeJournal(path: nil)
        let foreign = try DaemonWorld(engine: FakeEngine(journal: journal, isOwner: false))
        let other = try foreign.library()
        let error = #expect(throws: LibraryError.self) { try other.daemonStatus() }
        #expect(error?.code == .accessDenied)
    }
}
