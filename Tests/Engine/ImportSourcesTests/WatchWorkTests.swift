import Foundation
import LibraryService
import Logging
import PhotoModel
import RemoteLibrary
import Synchronization
import TestSupport
import Testing

@testable import ImportSources

/// The scans of watch folders where events are incomplete, with the times of the program and a
/// clock of the test.
@Suite(.timeLimit(.minutes(1))) struct WatchWorkTests {
    private let folder: TemporaryFolder
    private let library = ImportingLibrary()
    private let clock = ManualClock()
    private let list: WatchFolderList

    init() throws {
        folder = try TemporaryFolder("photos-work")
        _ = try folder.folder("in")
        list = WatchFolderList(folder: folder.file("state").path)
        let watched = WatchFolder(path: folder.file("in").path, album: nil, isMountPoint: false)
        try list.change { $0["L"] = WatchedLibrary(path: "/l", folders: [watched]) }
    }

    private func work(events: FolderEvents?) throws -> WatchWork {
        var configuration = WatchRunner.Configuration()
        let clock = clock
        configuration.now = { clock.now }
        let runner = WatchRunner(
            library: "L",
            folders: try #require(try list.libraries()["L"]).folders,
            service: library,
            list: list,
            configuration: configuration,
            logger: LogRecords().logger("test"),
            mayWork: { true }
        )
        return WatchWork(runner, events: events)
    }

    /// Performs what is due at a time.
    private func step(_ work: WatchWork, at seconds: Double) throws {
        clock.set(seconds)
        try work.step()
    }

    @Test("Without events, new files are found after ten minutes and not before")
    func rescan() throws {
        let work = try work(events: nil)
        try folder.write(Data("a".utf8), to: "in/a.jpg")
        try step(work, at: 0)
        try step(work, at: 4.9)
        #expect(library.names == [])
        try step(work, at: 5)
        #expect(library.names == ["a.jpg"])
        #expect(work.runner.states.values.map(\.rawValue) == ["watching"])

        try folder.write(Data("b".utf8), to: "in/sub/b.jpg")
        for seconds in stride(from: 6.0, to: 600, by: 30) { try step(work, at: seconds) }
        try step(work, at: 599.9)
        #expect(work.candidates.count == 0)
        try step(work, at: 600)
        #expect(work.candidates.count == 1)
        try step(work, at: 605)
        #expect(library.names == ["a.jpg", "b.jpg"])

        // Each scan plans the next one, and a file that was imported is not seen again.
        try folder.write(Data("c".utf8), to: "in/c.jpg")
        try step(work, at: 1_199.9)
        #expect(work.candidates.count == 0)
        try step(work, at: 1_200)
        try step(work, at: 1_205)
        #expect(library.names == ["a.jpg", "b.jpg", "c.jpg"])
        work.end()
        #expect(try list.libraries()["L"]?.folders.map(\.imported) == [3])
    }

    @Test("With events, there are no scans")
    func events() throws {
        let work = try work(events: FolderEvents())
        try folder.write(Data("a".utf8), to: "in/sub/a.jpg")
        try step(work, at: 0)
        try step(work, at: 5)
        #expect(library.names == ["a.jpg"])
        #expect(work.roots.values.allSatisfy { $0.nextScan == nil })
        try folder.write(Data("b".utf8), to: "in/sub/b.jpg")
        try step(work, at: 6)
        try step(work, at: 11)
        #expect(library.names == ["a.jpg", "b.jpg"])
        work.end()
    }
}

/// A clock that a test sets.
private final class ManualClock: Sendable {
    private let start = SuspendingClock.now
    private let offset = Mutex(Duration.zero)

    var now: SuspendingClock.Instant { start + offset.withLock(\.self) }

    func set(_ seconds: Double) { offset.withLock { $0 = .seconds(seconds) } }
}

/// A library that imports each file, and keeps the names.
private final class ImportingLibrary: CallingLibrary {
    private let imported = Mutex<[String]>([])

    var names: [String] { imported.withLock(\.self) }

    func close() {}

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService { self }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        guard let reply = reply(to: request) as? Reply else {
            throw LibraryError(.internalError, "“\(call.name)” is not expected.")
        }
        return (reply, [])
    }

    private func reply(to request: any Sendable) -> any Sendable {
        switch request {
        case is ImportSessionRequest: ImportSessionReply(session: 1)
        case let request as KnownFilesRequest:
            KnownFilesReply(outcomes: request.files.map { _ in nil })
        case let request as ImportFilesRequest:
            imported.withLock { names in
                names += request.files.map(\.path.lastComponent.text)
                let outcomes = request.files.map { _ in ImportOutcome(.imported) }
                return ImportFilesReply(outcomes: outcomes)
            }
        default: NoValue()
        }
    }
}
