import CLinuxShim
import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import SamplePhotos
import Synchronization
import TestSupport
import Testing

/// Many clients with many threads, random cancellations and lost connections.
///
/// `PHOTOS_DAEMON_SECONDS` sets the duration; from 60 on, there are 64 clients,
/// and 10,000 short connections instead of 3,000.
@Suite(.timeLimit(.minutes(10)), .serialized) struct LoadTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["PHOTOS_DAEMON_SECONDS"].flatMap { Double($0) } ?? 2

    private static var clientCount: Int { seconds >= 60 ? 64 : 8 }

    /// The memory that may stay, in bytes.
    private static let tolerance = 10 << 20

    private let seed = TestSeed()

    /// The ends of calls.
    private struct Ends: Sendable {
        var replies = 0
        var cancelled = 0
        var others: [LibraryError] = []
        /// The marks of acknowledged changes.
        var marks: [String] = []
        /// The number of clients that were lost on purpose.
        var killed = 0

        mutating func add(_ other: Ends) {
            replies += other.replies
            cancelled += other.cancelled
            others += other.others
            marks += other.marks
            killed += other.killed
        }
    }

    /// The load runs twice, so that the second time shows what is retained for good.
    @Test func everyCallEndsOnce() throws {
        let daemon = try DaemonProcess()
        let idle = try daemon.warmUp()
        var resources = [idle]
        var ends = Ends()
        for round in 1...2 {
            let seconds = Self.seconds / 2
            ends.add(try load(daemon, "\(round)", until: .now + .seconds(seconds)))
            resources.append(try daemon.resourcesOfIdle(idle))
        }
        #expect(ends.others.isEmpty, seed.comment)
        #expect(ends.replies > 0 && ends.killed > 0)
        let marks = try ChangeJournal.entries(path: daemon.folder.journal).flatMap(\.marks)
        // A canceled change may have been made, but none twice, and each acknowledged one was.
        #expect(Set(marks).count == marks.count, seed.comment)
        #expect(Set(ends.marks).isSubset(of: marks), seed.comment)
        #expect(resources[2].descriptorCount <= idle.descriptorCount, seed.comment)
        #expect(
            resources[2].residentSize < idle.residentSize + Self.tolerance,
            "\(resources) \(seed)"
        )
        print(
            "\(seed): \(Self.clientCount) clients × 8 threads, \(Self.seconds) s:",
            "\(ends.replies) replies, \(ends.cancelled) canceled, \(ends.killed) clients killed,",
            "\(marks.count) changes, \(resources)"
        )
    }

    /// Makes calls with many threads until a time, while other clients are lost.
    private func load(
        _ daemon: DaemonProcess,
        _ name: String,
        until end: SuspendingClock.Instant
    ) throws -> Ends {
        let calls = try (0..<Self.clientCount).flatMap { client in
            let library = try daemon.library(client.isMultiple(of: 4) ? .json : .binary)
            return (0..<8).map { thread in
                let seed = self.seed.value &+ UInt64(client * 8 + thread)
                return BackgroundCall {
                    try Self.work(
                        library,
                        SeededGenerator(seed: seed),
                        "\(name) \(client) \(thread)",
                        end
                    )
                }
            }
        }
        var ends = Ends()
        var generator = seed.generator
        while .now < end {
            // A client that ends with calls in progress.
            let client = try RawClient.greeted(daemon.folder.socket)
            for number in 1...UInt64.random(in: 1...60, using: &generator) {
                try client.send(
                    number,
                    CallTable.shared.findContent,
                    FindContentRequest(digests: ["\(number)"])
                )
            }
            ends.killed += 1
        }
        for call in calls { ends.add(try call.value()) }
        return ends
    }

    /// Makes calls until a time.
    private static func work(
        _ library: RemoteLibrary,
        _ generator: SeededGenerator,
        _ name: String,
        _ end: SuspendingClock.Instant
    ) throws -> Ends {
        var generator = generator
        var ends = Ends()
        var count = 0
        while .now < end {
            count += 1
            let cancellation = CallCancellation()
            let isCancelled = Int.random(in: 0..<4, using: &generator) == 0
            let kind = Int.random(in: 0..<6, using: &generator)
            let size = Int.random(in: 0...20_000, using: &generator)
            let canceller = isCancelled ? BackgroundCall { cancellation.cancel() } : nil
            do {
                let mark = "\(name) \(count)"
                try CallContext(cancellation: cancellation).perform {
                    switch kind {
                    case 0:
                        let ids = try library.fetch(AssetFetchRequest(count: size)).ids
                        #expect(ids.count == size)
                    case 1:
                        _ = try library.commit(CommitRequest(mark: mark))
                        ends.marks.append(mark)
                    case 2:
                        let files = try (0..<3).map {
                            try TestMemory.descriptor(UInt8($0))
                        }
                        #expect(try library.fileDigests(of: files).digests == ["0", "1", "2"])
                    case 3: _ = try library.duplicates(DuplicatesRequest(patience: 0))
                    case 4: _ = try library.subscribe()
                    default:
                        let reply = try library.findContent(FindContentRequest(digests: [mark]))
                        #expect(reply.matches.first?.first?.localIdentifier == mark)
                    }
                }
                ends.replies += 1
            } catch let error as LibraryError where error.code == .cancelled {
                ends.cancelled += 1
            } catch let error as LibraryError {
                ends.others.append(error)
            }
            try canceller?.value()
        }
        return ends
    }

    /// Short connections, of which some make a call.
    @Test func manyConnectionsLeaveNothingBehind() throws {
        let daemon = try DaemonProcess()
        let before = try daemon.warmUp()
        let isLong = Self.seconds >= 60
        let count = isLong ? 10_000 : 3_000
        // Little more than a kilobyte for each connection.
        let tolerance = isLong ? Self.tolerance : 4 << 20
        for index in 1...count {
            if index.isMultiple(of: 20) {
                let library = try daemon.library()
                #expect(try library.status().version == 0)
                library.close()
            } else {
                _ = try RawSocket(daemon.folder.socket)
            }
        }
        let after = try daemon.resourcesOfIdle(before)
        #expect(after.descriptorCount <= before.descriptorCount)
        #expect(after.residentSize < before.residentSize + tolerance, "\(before) \(after)")
        print("\(count) connections: \(before) → \(after)")
    }
}

/// A daemon in a process of its own, which is killed with its owner.
private final class DaemonProcess: Sendable {
    let folder: SocketFolder
    private let process: StandIn

    init() throws {
        folder = try SocketFolder()
        process = try StandIn("serve", folder.socket, folder.journal)
        let end = SuspendingClock.now + .seconds(20)
        while !ListeningSockets.contains(folder.socket), .now < end { sched_yield() }
    }

    deinit {
        process.kill()
        process.wait()
    }

    func library(_ form: WireForm = .binary) throws -> RemoteLibrary {
        var configuration = RemoteConfiguration(
            socketPath: folder.socket,
            softwareVersion: "2.0"
        )
        configuration.form = form
        return try RemoteLibrary(configuration)
    }

    /// Starts the threads of the pools, and fills the heap.
    ///
    /// - Returns: The memory and the open files without connections.
    /// - Throws: The error of a call.
    func warmUp() throws -> Resources {
        // No client has connected yet.
        let idle = try resources()
        let libraries = try (0..<8).map { _ in try library() }
        let calls = libraries.flatMap { library in
            (0..<8).map { _ in
                BackgroundCall {
                    for _ in 0..<10 { _ = try library.fetch(AssetFetchRequest(count: 20_000)) }
                }
            }
        }
        for call in calls { try call.value() }
        for library in libraries { library.close() }
        // The runtime opens few files of its own.
        let limit = Resources(
            residentSize: idle.residentSize,
            descriptorCount: idle.descriptorCount + 2
        )
        let after = try resourcesOfIdle(limit)
        #expect(after.descriptorCount <= limit.descriptorCount)
        return after
    }

    /// The memory and the open files now.
    func resources() throws -> Resources {
        let folder = "/proc/\(process.process)"
        let text = try String(contentsOfFile: folder + "/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return Resources(
            residentSize: pages * Int(sysconf(Int32(_SC_PAGESIZE))),
            descriptorCount: try FileManager.default
                .contentsOfDirectory(atPath: folder + "/fd").count
        )
    }

    /// The memory and the open files once there are no more files than before and no memory was
    /// returned for a second; after 20 seconds, what they are then.
    ///
    /// The daemon returns memory some time after its last work.
    func resourcesOfIdle(_ before: Resources) throws -> Resources {
        let end = SuspendingClock.now + .seconds(20)
        var last = try resources()
        var change = SuspendingClock.now
        while .now < end {
            let now = try resources()
            if now.descriptorCount > before.descriptorCount
                || now.residentSize < last.residentSize
            {
                change = .now
                last = now
            } else if .now > change + .seconds(1) {
                return now
            }
            sched_yield()
        }
        return try resources()
    }
}

/// The memory and the open files of a daemon.
private struct Resources: CustomStringConvertible {
    let residentSize: Int
    let descriptorCount: Int

    var description: String { "\(residentSize >> 20) MB, \(descriptorCount) files" }
}
