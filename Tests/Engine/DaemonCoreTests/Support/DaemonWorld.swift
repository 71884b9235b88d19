import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PeerIdentity
import PhotoModel
import RemoteLibrary
import Testing

/// A folder with a socket, which is removed with its owner.
final class SocketFolder: Sendable {
    let path: String

    init() throws {
        // Addresses have at most 107 bytes.
        var template = Array("/tmp/photos-daemon-XXXXXX".utf8CString)
        let path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        self.path = try #require(path)
    }

    var socket: String { path + "/s/socket" }
    var journal: String { path + "/journal" }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A daemon in this process, with a fake engine.
final class DaemonWorld: Sendable {
    let folder: SocketFolder
    let engine: FakeEngine
    let server: DaemonServer
    private let ended = Monitor(false)

    init(
        folder: SocketFolder? = nil,
        engine: FakeEngine? = nil,
        adjust: (inout DaemonConfiguration) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? SocketFolder()
        let engine = try engine ?? FakeEngine(journal: ChangeJournal(path: nil))
        self.folder = folder
        self.engine = engine
        var configuration = DaemonConfiguration(opener: engine, softwareVersion: "1.0")
        configuration.idleTime = nil
        adjust(&configuration)
        let listener = try ListeningSocket(path: folder.socket)
        server = try #require(DaemonServer(configuration, listener: listener))
        let (server, ended) = (server, ended)
        #expect(
            NamedThread.start("test-daemon") {
                server.run()
                ended.update { $0 = true }
            }
        )
    }

    deinit {
        engine.release()
        server.stop(.shutdown)
        _ = waitForEnd()
    }

    /// Waits until `run` has returned.
    func waitForEnd() -> Bool {
        ended.wait(before: .now + .seconds(30)) { $0 ? true : nil } == true
    }

    /// Connects a client.
    func library(
        adjust: (inout RemoteConfiguration) -> Void = { _ in }
    ) throws -> RemoteLibrary {
        var configuration = RemoteConfiguration(
            socketPath: folder.socket,
            softwareVersion: "2.0"
        )
        adjust(&configuration)
        return try RemoteLibrary(configuration)
    }

    /// Waits until the daemon's counters satisfy a condition.
    func waits(until condition: (DaemonStatus) -> Bool) -> Bool {
        let end = SuspendingClock.now + .seconds(20)
        while .now < end {
            if condition(server.status) { return true }
            sched_yield()
        }
        return false
    }
}

extension CommitRequest {
    /// A change that records a text.
    init(mark: String) {
        let operation = ChangeOperation(request: mark, action: .deleteAssets([]))
        self.init(changes: ChangeSet(operations: [operation]))
    }
}

extension AssetFetchRequest {
    /// A fetch of a number of ids.
    init(count: Int) {
        self.init()
        limit = count
    }
}

extension AssetLoadRequest {
    /// A request that the fake engine holds, or answers at once.
    init(held: Bool) { self.init(ids: RowIDBuffer(held ? [Int64(1)] : [])) }
}

/// A call on a thread of its own.
final class BackgroundCall<Value: Sendable>: Sendable {
    private let result = Monitor<Result<Value, any Error>?>(nil)

    init(_ body: @escaping @Sendable () throws -> Value) {
        let result = result
        _ = NamedThread.start("test-call") {
            let outcome = Result { try body() }
            result.update { $0 = outcome }
        }
    }

    var hasEnded: Bool { result.withLock { $0 != nil } }

    /// Waits for the result.
    func value() throws -> Value {
        let outcome = result.wait(before: .now + .seconds(40)) { $0 }
        return try #require(outcome, "A call did not end.").get()
    }

    /// Waits for the error of the call.
    func error() throws -> LibraryError? {
        do {
            _ = try value()
            return nil
        } catch let error as LibraryError {
            return error
        }
    }
}
