import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import SamplePhotos
import TestSupport
import Testing

/// A daemon that is killed loses no change of a library and makes none twice.
///
/// `PHOTOS_DAEMON_KILLS` sets the number of kills.
@Suite(.timeLimit(.minutes(20))) struct EngineKillTests {
    private static let killCount =
        ProcessInfo.processInfo.environment["PHOTOS_DAEMON_KILLS"].flatMap { Int($0) } ?? 20
    private static let writerCount = 4

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
        var generator = seed.generator
        try home.succeed("create", daemon: "0")
        var daemon = try home.startDaemon()
        let observer = try home.client()
        let subscription = try observer.subscribe()
        let progress = Monitor(Progress())
        for writer in 0..<Self.writerCount {
            let library = try home.client()
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
        for _ in 0..<Self.killCount {
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
            daemon.kill()
            #expect(daemon.wait() == -SIGKILL, seed.comment)
            daemon = try home.startDaemon()
        }
        let last = progress.withLock(\.count)
        _ = progress.wait(before: .now + .seconds(60)) { $0.count >= last + 8 ? true : nil }
        progress.update { $0.isDone = true }
        let ended = progress.wait(before: .now + .seconds(60)) { progress in
            progress.endedCount == Self.writerCount ? progress : nil
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
