import CLinuxShim
import CloudStoreClient
import Foundation
import ObjectStorage
import StoreFixture
import StoreProtocol
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Processes that are killed, or do not answer.
@Suite(.timeLimit(.minutes(5))) struct LostProcessTests {
    private let folder: TemporaryFolder
    private let store: ProcessStore

    init() throws {
        folder = try TemporaryFolder("photos-store")
        store = ProcessStore(
            .directory(path: folder.path, marker: nil),
            program: BuiltProducts.cloud.path
        )
    }

    /// Kills the process at random moments; `PHOTOS_KILLS` sets their number.
    @Test func killedProcessLosesOnlyTheRequestsUnderWay() async throws {
        let seed = TestSeed()
        var generator = seed.generator
        let kills = ProcessInfo.processInfo.environment["PHOTOS_KILLS"].flatMap { Int($0) } ?? 12
        var lost = 0
        var round = 0
        // On a busy machine, a process may be killed before its first request, again and again.
        while round < kills || lost == 0 && round < 20 * kills {
            defer { round += 1 }
            try await store.start(timeout: limit)
            let process = try #require(store.processIdentifier)
            let delay = Int.random(in: 0..<12_000, using: &generator)
            let killer = Task.detached {
                try await Task.sleep(for: .microseconds(delay))
                kill(process, SIGKILL)
            }
            var written: Set<String> = []
            var unknown: Set<String> = []
            var number = 0
            // Until the loss is noticed, however fast the store is.
            while store.processIdentifier == process {
                let key = "blob/\(round)/\(number)"
                do {
                    try await store.write(key, pattern(70_000, seed: UInt64(number)))
                    written.insert(key)
                } catch let error as ObjectStoreError {
                    #expect(error.code == .unreachable, "\(error) \(seed)")
                    // A request that was not sent has no effect.
                    if error.hasUnknownOutcome { unknown.insert(key) }
                    lost += 1
                    break
                }
                number += 1
            }
            try await killer.value
            // The next request starts another process, and what was confirmed is there.
            let keys = Set(try await store.keys("blob/\(round)/"))
            #expect(written.isSubset(of: keys), "\(seed)")
            #expect(keys.isSubset(of: written.union(unknown)), "\(seed)")
        }
        #expect(lost > 0, "No kill met a request. \(seed)")
        await store.close()
    }

    @Test func killedProcessLosesReadsWithoutAnOutcome() async throws {
        try await store.write("blob/1", pattern(4 << 20))
        let process = try #require(store.processIdentifier)
        let error = await #expect(throws: ObjectStoreError.self) {
            _ = try await store.get(
                ObjectKey("blob/1"),
                range: nil,
                limit: .max,
                timeout: limit
            ) { _ in
                kill(process, SIGKILL)
                try await Task.sleep(for: .seconds(3600))
            }
        }
        #expect(error?.code == .unreachable)
        #expect(error?.hasUnknownOutcome == false)
        #expect(try await store.read("blob/1") == pattern(4 << 20))
        #expect(store.processIdentifier != process)
        await store.close()
    }

    @Test func suspendedProcessKeepsNoCallBeyondItsTime() async throws {
        try await store.write("log/1", [1])
        let process = try #require(store.processIdentifier)
        kill(process, SIGSTOP)
        let error = await #expect(throws: ObjectStoreError.self) {
            _ = try await store.put(
                ObjectKey("log/2"),
                from: ObjectSource([2]),
                mode: .create,
                timeout: .milliseconds(100)
            )
        }
        #expect(error?.code == .timedOut)
        #expect(error?.hasUnknownOutcome == true)
        let other = await #expect(throws: ObjectStoreError.self) {
            _ = try await store.bytes(
                of: ObjectKey("log/1"),
                limit: 100,
                timeout: .milliseconds(100)
            )
        }
        #expect(other?.code == .timedOut)
        #expect(other?.hasUnknownOutcome == false)
        kill(process, SIGCONT)
        #expect(try await store.read("log/1") == [1])
        await store.close()
    }

    /// A host that crashes closes the socket and does nothing else.
    @Test func processEndsWithItsHost() throws {
        let bucket = S3Place(
            endpoint: "https://localhost",
            region: "none",
            bucket: "none",
            credentials: S3Credentials(accessKey: "none", secretKey: "none")
        )
        for place in [.directory(path: folder.path, marker: nil), .s3(bucket)] as [StorePlace] {
            var host: Int32 = -1
            var program: Int32 = -1
            try #require(cphotos_socket_pair(&host, &program) == 0)
            var process: Int32 = -1
            let code = CompanionProgram.start(
                BuiltProducts.cloud.path,
                "--serve",
                socket: program,
                process: &process
            )
            close(program)
            try #require(code == 0)
            let connection = MessageConnection(socket: host)
            try connection.send(StoreRequest.hello(version: StoreProtocolVersion.current))
            _ = try connection.receive(StoreReply.self)
            try connection.send(StoreRequest.configure(place, allowsUnconfined: false))
            let (reply, _) = try connection.receive(StoreReply.self)
            guard case .ready = reply else {
                Issue.record("\(reply)")
                return
            }
            close(host)
            var status: Int32 = -1
            #expect(waitpid(process, &status, 0) == process)
            #expect(status == 0)
        }
    }
}
