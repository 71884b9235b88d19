import Dispatch
import Foundation
import Glibc
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import WorkerClient

/// Conversions run in copies of a process that has opened the codecs, and in nothing else of it.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(3)))
struct ForkServerTests {
    private let world: MovieWorld
    private let records = LogRecords()

    private static let copying = MovieConversion(container: .mov)
    private static let encoding = MovieConversion(
        container: .mp4,
        video: .encode(codec: .h264, maximumWidth: 320, maximumHeight: 320),
        audio: .encodeAAC()
    )

    init() throws {
        world = try MovieWorld()
    }

    private func pool(
        timeLimit: Duration = .seconds(60),
        idleTime: Duration = .seconds(60)
    ) -> WorkerPool {
        WorkerPool(
            configuration: .init(
                executable: BuiltProducts.worker.path,
                timeLimit: timeLimit,
                forkServerIdleTime: idleTime
            ),
            logger: records.logger("photos.workers")
        )
    }

    /// The identifiers of the workers, in the order in which they were started.
    private var workers: [pid_t] {
        records.of("A worker was started.").compactMap {
            Int32($0.metadata["worker.process"] ?? "")
        }
    }

    /// Indicates whether a process exists, which includes one whose parent did not wait for it.
    private static func exists(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

    /// Waits until a child process has ended, whoever receives its status.
    ///
    /// A process that does not end exceeds the suite's time limit.
    private static func waitForEnd(of process: pid_t) {
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        #expect(!exists(process))
    }

    private func waitForWorkers() {
        for worker in workers { Self.waitForEnd(of: worker) }
    }

    private static func isParent(_ parent: pid_t, of process: pid_t) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return status.split(separator: "\n").contains("PPid:\t\(parent)")
    }

    // MARK: - Conversions

    @Test func conversionsInARowAreCopiesOfOneServer() throws {
        let pool = pool()
        let short = try world.make("short.mov", seconds: 0.5)
        let long = try world.make("long.mov", seconds: 3)
        var results: [Data] = []
        var servers: Set<pid_t> = []
        for (name, file) in [("a", short), ("b", long), ("c", short)] {
            let (result, report) = try world.convert(
                file,
                to: name + ".mov",
                Self.copying,
                pool: pool
            )
            let data = try Data(contentsOf: result)
            #expect(Int64(data.count) == report.bytes)
            results.append(data)
            servers.insert(try #require(pool.forkedWorkers.serverIdentifier))
        }
        #expect(servers.count == 1)
        // Each conversion has a process of its own, and none is left.
        #expect(Set(workers).count == 3)
        waitForWorkers()
        #expect(Set(workers).isDisjoint(with: servers))
        // An earlier conversion leaves no trace in a later one.
        #expect(results[0] == results[2])
    }

    @Test func conversionsAtTheSameTimeDoNotMix() throws {
        let pool = pool()
        let file = try world.make("movie.mov", seconds: 0.5)
        let results = Mutex<[Data]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for round in 0..<3 {
                let name = "\(index)-\(round).mov"
                guard
                    let (result, _) = try? world.convert(file, to: name, Self.copying, pool: pool),
                    let data = try? Data(contentsOf: result)
                else { continue }
                results.withLock { $0.append(data) }
            }
        }
        let all = results.withLock { $0 }
        #expect(all.count == 12)
        #expect(Set(all).count == 1)
        #expect(Set(workers).count == 12)
        waitForWorkers()
    }

    /// The kernel reports the confinement of the process that converts.
    @Test func aCopyIsConfinedAndAChildOfItsHost() throws {
        let pool = pool()
        let file = try world.make("long.mov", seconds: 4, size: "640x360")
        let status = Mutex<[String]>([])
        let limits = Mutex<[String]>([])
        let group = Mutex<pid_t>(-1)
        _ = try world.convert(file, to: "a.mp4", Self.encoding, pool: pool) { _ in
            guard let worker = workers.last, status.withLock({ $0.isEmpty }),
                let text = try? String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8),
                let others = try? String(contentsOfFile: "/proc/\(worker)/limits", encoding: .utf8)
            else { return }
            status.withLock { $0 = text.split(separator: "\n").map(String.init) }
            limits.withLock { $0 = others.split(separator: "\n").map(String.init) }
            group.withLock { $0 = getpgid(worker) }
        }
        #expect(group.withLock { $0 } == workers.last)
        for name in ["Max file size", "Max core file size", "Max open files", "Max address space"] {
            let line = try #require(limits.withLock { $0.first { $0.hasPrefix(name) } })
            #expect(!line.contains("unlimited"), "\(line)")
        }
        let lines = status.withLock { $0 }
        for line in [
            "Name:\tphotos-worker", "PPid:\t\(getpid())", "NoNewPrivs:\t1", "Seccomp:\t2",
            "CapEff:\t0000000000000000",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func aCanceledConversionLeavesNoProcess() throws {
        let pool = pool()
        let file = try world.make("long.mov", seconds: 20, size: "640x360")
        let cancellation = WorkCancellation()
        do {
            _ = try world.convert(
                file,
                to: "never.mp4",
                Self.encoding,
                pool: pool,
                cancellation: cancellation
            ) { if $0 > 0 { cancellation.cancel() } }
            Issue.record("The conversion ended although it was canceled.")
        } catch let error as WorkerError {
            #expect(error.kind == .cancelled)
        }
        let server = try #require(pool.forkedWorkers.serverIdentifier)
        #expect(workers.count == 1)
        waitForWorkers()
        let short = try world.make("short.mov", seconds: 0.5)
        _ = try world.convert(short, to: "a.mov", Self.copying, pool: pool)
        #expect(pool.forkedWorkers.serverIdentifier == server)
    }

    // MARK: - Losses

    @Test func aKilledServerIsReplaced() throws {
        let pool = pool()
        let file = try world.make("movie.mov", seconds: 0.5)
        _ = try world.convert(file, to: "a.mov", Self.copying, pool: pool)
        let first = try #require(pool.forkedWorkers.serverIdentifier)
        kill(first, SIGKILL)
        _ = try world.convert(file, to: "b.mov", Self.copying, pool: pool)
        let second = try #require(pool.forkedWorkers.serverIdentifier)
        #expect(second != first)
        #expect(!Self.exists(first))
        #expect(Self.exists(second))
    }

    @Test func aConversionOutlivesItsServer() throws {
        let pool = pool()
        let file = try world.make("long.mov", seconds: 4, size: "640x360")
        let killed = Mutex<pid_t?>(nil)
        _ = try world.convert(file, to: "a.mp4", Self.encoding, pool: pool) { _ in
            guard killed.withLock({ $0 == nil }), let server = pool.forkedWorkers.serverIdentifier
            else { return }
            killed.withLock { $0 = server }
            kill(server, SIGKILL)
        }
        #expect(killed.withLock { $0 } != nil)
        #expect(workers.count == 1)
    }

    @Test func aServerThatDoesNotAnswerIsReplaced() throws {
        let pool = pool(timeLimit: .seconds(5))
        let file = try world.make("movie.mov", seconds: 0.5)
        _ = try world.convert(file, to: "a.mov", Self.copying, pool: pool)
        let first = try #require(pool.forkedWorkers.serverIdentifier)
        kill(first, SIGSTOP)
        _ = try world.convert(file, to: "b.mov", Self.copying, pool: pool)
        #expect(!Self.exists(first))
        #expect(pool.forkedWorkers.serverIdentifier != first)
    }

    /// A crash ends the server, so that the next worker has another layout of its memory.
    @Test func aLostWorkerHarmsNoOtherConversion() throws {
        let pool = pool()
        // So long that no machine has encoded it before the signal.
        let file = try world.make("long.mov", seconds: 30, size: "640x360")
        let other = Mutex<WorkerError?>(nil)
        let servers = Mutex<[pid_t?]>([])
        _ = try world.convert(file, to: "a.mp4", Self.encoding, pool: pool) { _ in
            guard servers.withLock({ $0.isEmpty }) else { return }
            servers.withLock { $0.append(pool.forkedWorkers.serverIdentifier) }
            let failure = world.failure(file, Self.encoding, pool: pool) { _ in
                if let worker = workers.last { kill(worker, SIGSEGV) }
            }
            other.withLock { $0 = failure }
            servers.withLock { $0.append(pool.forkedWorkers.serverIdentifier) }
        }
        #expect(other.withLock { $0 }?.kind == .file)
        let found = servers.withLock { $0 }
        #expect(found.count == 2)
        #expect(found.first.flatMap(\.self) != nil)
        #expect(found.last == .some(nil))
        #expect(workers.count == 2)
        waitForWorkers()
        _ = try world.convert(file, to: "b.mov", Self.copying, pool: pool)
    }

    /// A server that answers with something else, cannot copy itself, or names a process that is no
    /// child of the host.
    @Test(
        .needsProgram("perl"),
        arguments: [
            ("{\"unsupported\":{}}", "It did not answer."),
            ("{\"failed\":{\"_0\":\(ENOSYS)}}", "It could not copy itself: "),
            ("{\"forked\":{\"_0\":1}}", "It did not answer."),
        ]
    ) func withoutAServerWorkersAreStarted(_ reply: String, _ reason: String) throws {
        let worker = try FakeWorker(
            in: world.folder,
            behaviour: .unsupported,
            forkReply: reply
        )
        let pool = worker.pool(logger: records.logger("photos.workers"))
        let file = try world.folder.write(Data("a movie".utf8), to: "movie.mov")
        for _ in 0..<2 {
            #expect(world.failure(file, Self.copying, pool: pool)?.kind == .unsupported)
            #expect(pool.forkedWorkers.serverIdentifier == nil)
        }
        #expect(pool.startCount == 2)
        // The second conversion does not try it again.
        #expect(failures.count == 1)
        #expect(failures.allSatisfy { $0.hasPrefix(reason) }, "\(failures)")
    }

    /// The reasons of failures of fork servers.
    private var failures: [String] {
        records.of("The fork server failed; workers of conversions are started without it.")
            .compactMap { $0.metadata["worker.reason"] }
    }

    @Test func aCopyThatIsNotReadyEndsItsServer() throws {
        var limits = WorkerLimits.standard
        limits.maximumMemoryInBytes = 0
        let pool = WorkerPool(
            configuration: .init(executable: BuiltProducts.worker.path, limits: limits),
            logger: records.logger("photos.workers")
        )
        let file = try world.make("movie.mov", seconds: 0.5)
        #expect(world.failure(file, Self.copying, pool: pool)?.kind == .unavailable)
        #expect(failures == ["A copy did not become ready."])
        #expect(pool.forkedWorkers.serverIdentifier == nil)
    }

    @Test func aServerIsReplacedAfterSomeWorkers() throws {
        let workers = ForkedWorkers(
            idleTime: .seconds(60),
            workerLimit: 2,
            log: WorkerLog(logger: records.logger("photos.workers"))
        )
        let servers = try (0..<5).map { _ in
            let worker = try #require(
                workers.start(
                    BuiltProducts.worker.path,
                    limits: .standard,
                    timeLimit: .seconds(60)
                )
            )
            #expect(worker.isAlive)
            return try #require(worker.forkServer)
        }
        #expect(servers[0] == servers[1] && servers[2] == servers[3])
        #expect(Set(servers).count == 3)
        #expect(servers.dropLast().allSatisfy { !Self.exists($0) })
    }

    // MARK: - The server's end

    @Test func anUnusedServerEnds() throws {
        let pool = pool(idleTime: .seconds(1))
        let file = try world.make("movie.mov", seconds: 0.5)
        let watched = Mutex<pid_t?>(nil)
        _ = try world.convert(file, to: "a.mov", Self.copying, pool: pool) { _ in
            watched.withLock { $0 = $0 ?? pool.forkedWorkers.serverIdentifier }
        }
        Self.waitForEnd(of: try #require(watched.withLock { $0 }))
        #expect(pool.forkedWorkers.serverIdentifier == nil)
        _ = try world.convert(file, to: "b.mov", Self.copying, pool: pool)
    }

    @Test func theServerEndsWithItsPool() throws {
        let file = try world.make("movie.mov", seconds: 0.5)
        var pool: WorkerPool? = pool()
        _ = try world.convert(file, to: "a.mov", Self.copying, pool: pool)
        let server = try #require(pool?.forkedWorkers.serverIdentifier)
        #expect(try Self.isParent(getpid(), of: server))
        pool = nil
        #expect(!Self.exists(server))
    }

    /// A worker that was created when the host no longer waited for it ends with its server.
    @Test func aLateCopyEndsWithItsServer() throws {
        var server = ForkServerProcess(path: BuiltProducts.worker.path)
        let group = try #require(server?.processIdentifier)
        let (host, other) = try Self.sockets()
        defer { close(host) }
        let outcome = server?.fork(serving: other, before: .now - .seconds(1))
        guard case .lost = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        close(other)
        // The copy answers, so it exists.
        let connection = MessageConnection(socket: host)
        let hello = WorkerRequest.hello(version: WorkerProtocolVersion.current, limits: .standard)
        try connection.send(hello)
        let reply = try connection.receive(WorkerReply.self, before: .now + .seconds(60))
        guard case .hello = reply.message else {
            Issue.record("\(reply.message)")
            return
        }
        #expect(server != nil)
        server = nil
        #expect(kill(-group, 0) != 0)
        #expect(waitpid(-group, nil, WNOHANG) == -1)
    }

    /// A worker could otherwise request others.
    @Test func aCopyHasNoConnectionOfItsServer() throws {
        let server = try Self.start()
        let copy = try Self.fork(server)
        kill(server.process, SIGKILL)
        #expect(try Self.end(of: server.process) == SIGKILL)
        var entry = pollfd(fd: server.connection.socket, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1)
        #expect(entry.revents & Int16(POLLHUP) != 0)
        #expect(kill(copy.process, 0) == 0)
        close(server.connection.socket)
        close(copy.socket)
        #expect(try Self.end(of: copy.process) == 0)
    }

    /// The processes of a host that was killed end by themselves.
    @Test func theServerAndItsWorkersEndWithTheirHost() throws {
        let connection = try Self.start()
        let first = try Self.fork(connection)
        let second = try Self.fork(connection)
        #expect(try Self.isParent(getpid(), of: first.process))
        // Only the worker has its end of its socket: neither the server nor another worker has.
        kill(first.process, SIGKILL)
        #expect(try Self.end(of: first.process) == SIGKILL)
        var entry = pollfd(fd: first.socket, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1)
        #expect(entry.revents & Int16(POLLHUP) != 0)
        close(first.socket)
        // The server ends while a worker remains, and a worker ends without the server.
        close(connection.connection.socket)
        #expect(try Self.end(of: connection.process) == 0)
        #expect(kill(second.process, 0) == 0)
        close(second.socket)
        #expect(try Self.end(of: second.process) == 0)
    }

    @Test func aServerEndsAfterAnotherMessage() throws {
        let server = try Self.start()
        try server.connection.send(WorkerRequest.movieFacts)
        #expect(try Self.end(of: server.process) == 1 << 8)
        close(server.connection.socket)
    }

    /// Starts a fork server as a host does.
    private static func start() throws -> (process: pid_t, connection: MessageConnection) {
        let (host, other) = try sockets()
        var process: pid_t = -1
        let path = BuiltProducts.worker.path
        let code = CompanionProgram.start(path, "--fork-server", socket: other, process: &process)
        close(other)
        try #require(code == 0)
        return (process, MessageConnection(socket: host))
    }

    private static func fork(
        _ server: (process: pid_t, connection: MessageConnection)
    ) throws -> (process: pid_t, socket: Int32) {
        let (host, other) = try sockets()
        try server.connection.send(ForkRequest.fork, descriptor: other)
        close(other)
        let reply = try server.connection.receive(
            ForkReply.self,
            before: .now + .seconds(60)
        )
        guard case .forked(let process) = reply.message else {
            throw CocoaError(.executableLoad)
        }
        return (process, host)
    }

    private static func sockets() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        return (ends[0], ends[1])
    }

    /// Waits for the end of a child process and returns its status.
    private static func end(of process: pid_t) throws -> Int32 {
        var status: Int32 = -1
        try #require(waitpid(process, &status, 0) == process)
        return status
    }
}
