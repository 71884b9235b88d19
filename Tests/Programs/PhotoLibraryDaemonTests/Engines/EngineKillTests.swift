import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import SamplePhotos
import TestSupport
import Testing

/// A daemon that is killed or replaced loses no change of a library and makes none twice.
///
/// `PHOTOS_DAEMON_KILLS` sets the number of kills, and a fifth of it that of replacements.
@Suite(.timeLimit(.minutes(20))) struct EngineKillTests {
    private static let killCount =
        ProcessInfo.processInfo.environment["PHOTOS_DAEMON_KILLS"].flatMap { Int($0) } ?? 10
    private let seed = TestSeed()
    private let home: DaemonHome

    init() throws { home = try DaemonHome() }

    /// The changes that one writer made, with the versions of their replies.
    private typealias Record = [String: Int64]

    /// The progress of the writers.
    private struct Progress {
        var count = 0
        var isDone = false
        var records: [Record] = []
        var errors: [String] = []
        var endedCount = 0
    }

    @Test func changesAreMadeOnceAlthoughTheDaemonIsKilled() throws {
        try home.succeed("create", daemon: "0")
        var daemon = try home.startDaemon()
        try expectChangesOnce(by: (0..<4).map { _ in try home.client() }, Self.killCount) {
            daemon.kill()
            #expect(daemon.wait() == -SIGKILL, seed.comment)
            daemon = try home.startDaemon()
        }
    }

    /// A build with the next protocol takes over under running clients, and the former one again.
    @Test func changesAreMadeOnceAlthoughTheDaemonIsReplaced() throws {
        try home.succeed("create", daemon: "0")
        let program = home.folder.file("bin/photolibraryd")
        let file = try home.folder.write(Data("1".utf8), to: "protocol")
        var last = 1
        func install() throws {
            let new = program.path + ".new"
            try FileManager.default.createDirectory(
                at: program.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.copyItem(
                atPath: BuiltProducts.executable("photolibraryd").path,
                toPath: new
            )
            try Data("\(last)".utf8).write(to: file)
            #expect(rename(new, program.path) == 0)
        }
        try install()
        let daemon = try home.launch(
            ["--listen", home.socket, "--protocol-file", file.path, "--takeover-patience", "0.1"],
            program: program.path
        )
        #expect(home.isServed(by: daemon))
        // Half of the clients know the next protocol, too.
        let clients = try (0..<8).map { try home.client(protocols: 1...(1 + $0 % 2)) }
        try expectChangesOnce(by: clients, max(2, Self.killCount / 5)) {
            last = 3 - last
            try install()
            // The next client that connects finds the other build, sooner or later.
            let isReplaced = try home.waits {
                let client = try home.client(role: .observer)
                defer { client.close() }
                return try client.daemonStatus().protocol == last
            }
            #expect(isReplaced, seed.comment)
            #expect(Self.inode("/proc/\(daemon.number)/exe") == Self.inode(program.path))
        }
        #expect(!daemon.hasEnded)
        // A build that cannot be run does not take over.
        chmod(program.path, 0o600)
        rename(program.path, program.path + ".old")
        try Data("no program".utf8).write(to: program)
        chmod(program.path, 0o700)
        let client = try home.client(role: .observer)
        #expect(try client.daemonStatus().protocol == last)
        client.close()
    }

    private static func inode(_ path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Makes changes while `disrupt` is called at random moments, and expects each of them once.
    private func expectChangesOnce(
        by clients: [RemoteLibrary],
        _ disruptionCount: Int,
        disrupt: () throws -> Void
    ) throws {
        var generator = seed.generator
        let observer = try home.client()
        let subscription = try observer.subscribe()
        let progress = Monitor(Progress())
        for (writer, library) in clients.enumerated() {
            #expect(
                NamedThread.start("test-writer") {
                    let record = Self.write(writer, to: library, progress)
                    library.close()
                    progress.update { progress in
                        progress.records.append(record)
                        progress.endedCount += 1
                    }
                }
            )
        }
        for _ in 0..<disruptionCount {
            let before = progress.withLock(\.count)
            let target = before + Int.random(in: 1...12, using: &generator)
            let hasGrown = progress.wait(before: .now + .seconds(60)) { progress in
                progress.count >= target || progress.endedCount > 0 ? true : nil
            }
            try #require(hasGrown == true, "\(progress.withLock(\.errors)) \(seed)")
            // Any point of the changes that follow.
            let delay = Int.random(in: 0...20_000, using: &generator)
            let moment = SuspendingClock.now + .microseconds(delay)
            while .now < moment {}
            try disrupt()
        }
        let last = progress.withLock(\.count)
        _ = progress.wait(before: .now + .seconds(60)) { $0.count >= last + 8 ? true : nil }
        progress.update { $0.isDone = true }
        let ended = progress.wait(before: .now + .seconds(60)) { progress in
            progress.endedCount == clients.count ? progress : nil
        }
        let result = try #require(ended, seed.comment)
        #expect(result.errors == [], seed.comment)
        var acknowledged: Record = [:]
        for record in result.records {
            for (title, version) in record {
                #expect(acknowledged.updateValue(version, forKey: title) == nil, seed.comment)
            }
        }
        // Every change was made once, every call was answered with the version of its own change,
        // and nothing else was made.
        let history = try observer.history(HistoryRequest(since: 0, limit: 1_000_000))
        let versions = history.versions.map(\.version)
        #expect(versions == Array(1...Int64(acknowledged.count)), seed.comment)
        let made = try Self.versions(of: home.library)
        #expect(made == acknowledged, seed.comment)
        // The observer learns of changes through all of it.
        var entry = pollfd(fd: subscription.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 20_000) == 1 && subscription.drain())
        #expect(try observer.status().version == Int64(acknowledged.count))
        observer.close()
        #expect(try home.photos("verify", "--full", daemon: "0").status == 0)
    }

    /// Creates albums with the names of their numbers until the test ends.
    private static func write(
        _ writer: Int,
        to library: RemoteLibrary,
        _ progress: Monitor<Progress>
    ) -> Record {
        var record: Record = [:]
        do throws(LibraryError) {
            while !progress.withLock(\.isDone) {
                let title = "\(writer) \(record.count)"
                record[title] = try library.commit(album: title).version
                progress.update { $0.count += 1 }
            }
        } catch {
            progress.update { $0.errors.append("\(error)") }
        }
        return record
    }

    /// Returns the versions that created albums, as SQLite's own tool reads them.
    private static func versions(of library: String) throws -> Record {
        let sql = """
            SELECT title, version FROM collection JOIN journalEntry
            ON objectId = collection.id AND journalEntry.kind = 2 AND change = 1
            """
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-separator", "\t", library + "/database/library.sqlite", sql]
        )
        var record: Record = [:]
        for line in output.lines {
            let parts = line.split(separator: "\t")
            let former = record.updateValue(Int64(parts[1]) ?? 0, forKey: String(parts[0]))
            #expect(former == nil, "\(parts[0]) was made twice.")
        }
        return record
    }
}
