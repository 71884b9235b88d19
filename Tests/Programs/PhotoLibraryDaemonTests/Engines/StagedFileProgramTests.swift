import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

/// Files of changes over the daemon: programs add and stage them, and are killed.
///
/// `PHOTOS_STAGING_KILLS` sets the number of kills.
@Suite(.timeLimit(.minutes(10))) struct StagedFileProgramTests {
    private static let killCount =
        ProcessInfo.processInfo.environment["PHOTOS_STAGING_KILLS"].flatMap { Int($0) } ?? 6
    private static let writerCount = 2

    private let seed = TestSeed()
    private let home: DaemonHome

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
    }

    /// The staged files of all sessions.
    private var parts: [String] {
        let staging = home.library + "/staging"
        let names = FileManager.default.enumerator(atPath: staging)?.compactMap { $0 as? String }
        return (names ?? []).filter { $0.hasSuffix(".part") }
    }

    private func photo(_ seed: UInt64) throws -> String {
        try home.folder.write(DaemonHome.photo(seed), to: "source/\(seed).jpg").path
    }

    private static func add(_ path: String, uuid: String, to library: any LibraryService) throws {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        try #require(number >= 0)
        let resource = ResourceCreation(type: .photo, file: FileToken(0), path: path)
        let creation = AssetCreation(uuid: uuid, resources: [resource])
        let operation = ChangeOperation(request: uuid, action: .createAsset(creation))
        try library.commit(
            ChangeSet(operations: [operation]),
            files: [Descriptor(owning: number)]
        )
    }

    /// Returns what SQLite's own tool prints about the library.
    private func query(_ sql: String) throws -> String {
        let database = home.library + "/database/library.sqlite"
        return try ProcessRunner.run("sqlite3", [database, sql]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func expectSoundLibrary() throws {
        #expect(try home.photos("verify", "--full", daemon: "0").status == 0, seed.comment)
    }

    // MARK: - Programs

    @Test("A program adds 200 photos in one change over the daemon")
    func manyFiles() throws {
        let program = BuiltProducts.executable("access-client").resolvingSymlinksInPath().path
        for number in 1...200 { _ = try photo(UInt64(number)) }
        try home.succeed("access", "grant", program, daemon: "0")
        try home.startDaemon()
        let source = home.folder.file("source").path
        let output = try home.run(program, ["add", source], daemon: "1")
        #expect(output.lines == ["files 200", "done"], "\(output.text) \(output.errorText)")
        #expect(try query("SELECT count(*) FROM asset") == "200")
        // Only changes of the daemon have a stored answer.
        #expect(try query("SELECT count(*), min(version), max(version) FROM answered") == "1|1|1")
        #expect(parts.isEmpty)
        // A file that is none leaves nothing of its change.
        _ = try photo(201)
        try home.folder.write(Data("text".utf8), to: "source/a.jpg")
        let failed = try home.run(program, ["add", source], daemon: "1")
        #expect(failed.lines.last?.hasPrefix("failed 3302") == true, "\(failed.text)")
        #expect(parts.isEmpty)
        #expect(try query("SELECT count(*) FROM asset") == "200")
        try expectSoundLibrary()
    }

    @Test("A program that is killed between staging and commit leaves nothing")
    func killedClient() throws {
        let daemon = try home.startDaemon()
        let other = try home.client()
        let path = try photo(1)
        let client = try ChildProcess(
            BuiltProducts.executable("permission-client").path,
            ["stage", home.socket, home.library, path, "20"],
            environment: home.environment
        )
        #expect(home.waits { parts.count == 20 })
        client.kill()
        #expect(client.wait() == -SIGKILL)
        #expect(home.waits { parts.isEmpty })
        #expect(!daemon.hasEnded)
        try Self.add(path, uuid: UUID().uuidString, to: other)
        #expect(try query("SELECT count(*) FROM asset") == "1")
        other.close()
        try expectSoundLibrary()
    }

    @Test("A daemon that is killed between staging and commit gets the files again")
    func killedDaemon() throws {
        var daemon = try home.startDaemon()
        let library = try home.client()
        let uuid = UUID().uuidString
        let path = try photo(1)
        let number = open(path, O_RDONLY | O_CLOEXEC)
        try #require(number >= 0)
        let file = Descriptor(owning: number)
        let token = try library.stage(StageRequest(type: .photo), file: file).token
        #expect(parts.count == 1)
        daemon.kill()
        daemon.wait()
        // Its name is not needed any more.
        try FileManager.default.removeItem(atPath: path)
        daemon = try home.startDaemon()
        let resource = ResourceCreation(type: .photo, file: token)
        let creation = AssetCreation(uuid: uuid, resources: [resource])
        let operation = ChangeOperation(request: "create", action: .createAsset(creation))
        let request = CommitRequest(changes: ChangeSet(operations: [operation]))
        #expect(try library.commit(request).version == 1)
        let error = #expect(throws: LibraryError.self) { try library.commit(request) }
        #expect(error?.code == .tokenUnknown)
        library.close()
        #expect(!daemon.hasEnded)
        #expect(try query("SELECT uuid FROM asset") == uuid)
        try expectSoundLibrary()
        // What the killed one had staged went with the next recovery.
        #expect(parts.isEmpty)
    }

    // MARK: - Exactly once

    /// The progress of the writers.
    private struct Progress {
        var added: Set<String> = []
        var errors: [String] = []
        var isDone = false
        var endedCount = 0
    }

    @Test("Photos are added once although the daemon is killed")
    func kills() throws {
        var generator = seed.generator
        var daemon = try home.startDaemon()
        let progress = Monitor(Progress())
        for writer in 0..<Self.writerCount {
            let library = try home.client()
            let path = try photo(UInt64(writer + 1))
            let isStarted = NamedThread.start("test-writer") {
                Self.write(path, to: library, progress)
                library.close()
                progress.update { $0.endedCount += 1 }
            }
            #expect(isStarted)
        }
        for _ in 0..<Self.killCount {
            let target =
                progress.withLock(\.added.count) + Int.random(in: 1...5, using: &generator)
            let hasGrown = progress.wait(before: .now + .seconds(60)) { progress in
                progress.added.count >= target || progress.endedCount > 0 ? true : nil
            }
            try #require(hasGrown == true, "\(progress.withLock(\.errors)) \(seed)")
            // Any point of the changes that follow.
            let delay = Int.random(in: 0...50_000, using: &generator)
            let moment = SuspendingClock.now + .microseconds(delay)
            while .now < moment {}
            daemon.kill()
            #expect(daemon.wait() == -SIGKILL, seed.comment)
            daemon = try home.startDaemon()
        }
        progress.update { $0.isDone = true }
        let result = progress.wait(before: .now + .seconds(60)) { progress in
            progress.endedCount == Self.writerCount ? progress : nil
        }
        let ended = try #require(result, seed.comment)
        #expect(ended.errors == [], seed.comment)
        let assets = try query("SELECT uuid FROM asset").split(separator: "\n").map(String.init)
        #expect(assets.count == ended.added.count, seed.comment)
        #expect(Set(assets) == ended.added, seed.comment)
        try expectSoundLibrary()
        #expect(parts.isEmpty, seed.comment)
    }

    /// Adds a photo again and again until the test ends.
    private static func write(
        _ path: String,
        to library: RemoteLibrary,
        _ progress: Monitor<Progress>
    ) {
        do {
            while !progress.withLock(\.isDone) {
                let uuid = UUID().uuidString
                try add(path, uuid: uuid, to: library)
                progress.update { _ = $0.added.insert(uuid) }
            }
        } catch {
            progress.update { $0.errors.append("\(error)") }
        }
    }
}
