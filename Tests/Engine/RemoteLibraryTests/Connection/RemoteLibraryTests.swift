import Foundation
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import RemoteLibrary

/// A library over a real socket, with a daemon of the test.
@Suite(.timeLimit(.minutes(2))) struct RemoteLibraryTests {
    private let seed = TestSeed()

    @Test func callsAreAnsweredOverASocket() throws {
        let recorder = RecordingLibrary(seed: seed.value)
        let library = try RemoteLibrary(FakeDaemon(recorder).configuration)
        #expect(try library.welcome().status.version == 7)
        for _ in 0..<3 {
            let status = try library.status()
            #expect(status == recorder.lastReply as? LibraryStatus, seed.comment)
        }
        #expect(recorder.names == ["status", "status", "status"])
        let error = LibraryError(.readOnly, "The volume is read-only.", recovery: "Mount it.")
        recorder.fail(with: error)
        #expect(throws: error) { try library.status() }
        library.close()
        #expect(throws: LibraryError.self) { try library.status() }
    }

    @Test func aSubscriptionIsReadableAtOnceAndEndsWithTheLibrary() throws {
        let recorder = RecordingLibrary(seed: seed.value)
        let library = try RemoteLibrary(FakeDaemon(recorder).configuration)
        let descriptor = try library.subscribe()
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 20_000) == 1 && entry.revents == Int16(POLLIN))
        #expect(library.manager.relay.routes.count == 1)
        library.close()
        entry.events = 0
        #expect(poll(&entry, 1, 20_000) == 1 && entry.revents & Int16(POLLHUP) != 0)
    }

    /// Otherwise, the library would connect again and again for a subscriber that does not exist.
    @Test func aSubscriptionThatFailedDoesNotRemain() throws {
        let recorder = RecordingLibrary(seed: seed.value)
        let daemon = try FakeDaemon(recorder, dyingIn: ["subscribe"])
        var configuration = daemon.configuration
        configuration.patience = .milliseconds(20)
        let library = try RemoteLibrary(configuration)
        let error = #expect(throws: LibraryError.self) { try library.subscribe() }
        #expect(error?.code == .connectionLost)
        #expect(library.manager.relay.routes.isEmpty)
    }

    @Test func nobodyListensAtTheSocket() throws {
        let folder = try TemporaryFolder("photos-none")
        let path = folder.file("socket").path
        let configuration = RemoteConfiguration(socketPath: path, softwareVersion: "1.0")
        let failure = #expect(throws: ConnectionFailure.self) {
            _ = try RemoteLibrary(configuration)
        }
        guard case .unreachable(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error.number == ENOENT && error.path == path)
    }
}
