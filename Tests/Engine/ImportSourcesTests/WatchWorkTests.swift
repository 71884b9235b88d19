import Foundation
import Logging
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

    private func watched() throws -> WatchFolder {
        try #require(try list.libraries()["L"]?.folders.first)
    }

    @Test("A file that failed is counted once, and not tried again until it changes")
    func failures() throws {
        let work = try work(events: nil)
        try folder.write(Data("a".utf8), to: "in/bad.jpg")
        try step(work, at: 0)
        for seconds in [5.0, 6, 40, 600, 605, 610] { try step(work, at: seconds) }
        #expect(library.names == ["bad.jpg"])
        #expect(work.candidates.count == 0)
        work.end()
        #expect(try watched().failed == 1)
        #expect(try watched().imported == 0)

        try folder.write(Data("longer".utf8), to: "in/bad.jpg")
        try step(work, at: 1_200)
        try step(work, at: 1_205)
        #expect(library.names == ["bad.jpg", "bad.jpg"])
    }

    @Test("A full volume is tried again after ten minutes, and no session stays open")
    func fullVolume() throws {
        let work = try work(events: FolderEvents())
        try folder.write(Data("a".utf8), to: "in/full.jpg")
        for seconds in [0.0, 5, 35, 65, 604.9] { try step(work, at: seconds) }
        #expect(library.names == ["full.jpg"])
        #expect(library.openSessions == 0)
        #expect(work.runner.states.values.map(\.rawValue) == ["paused"])
        try step(work, at: 605)
        #expect(library.names == ["full.jpg", "full.jpg"])
        #expect(library.openSessions == 0)
        work.end()
        #expect(try watched().failed == 0)
    }

    @Test("A sidecar that comes before its photo waits for it", arguments: [false, true])
    func earlySidecar(isRestarted: Bool) throws {
        var work = try work(events: FolderEvents())
        try folder.write(Data("a".utf8), to: "in/a.xmp")
        try folder.write(Data("b".utf8), to: "in/b.jpg")
        for seconds in [0.0, 5, 6, 40, 600, 610] { try step(work, at: seconds) }
        #expect(library.names == ["a.xmp", "b.jpg"])
        #expect(work.candidates.count == 0)
        #expect(work.runner.states.values.map(\.rawValue) == ["watching"])
        if isRestarted {
            work.end()
            work = try self.work(events: FolderEvents())
        }
        try folder.write(Data("c".utf8), to: "in/a.jpg")
        for seconds in [700.0, 705, 706, 710] { try step(work, at: seconds) }
        #expect(library.names == ["a.xmp", "b.jpg", "a.jpg", "a.xmp"])
        work.end()
        #expect(try watched().imported == 3)
        #expect(try watched().failed == 0)
    }

    @Test("A failure of the moment is tried again after thirty seconds")
    func passingFailure() throws {
        let work = try work(events: FolderEvents())
        try folder.write(Data("a".utf8), to: "in/busy.jpg")
        for seconds in [0.0, 5, 34.9] { try step(work, at: seconds) }
        #expect(library.names == ["busy.jpg"])
        try step(work, at: 35)
        #expect(library.names == ["busy.jpg", "busy.jpg"])
        work.end()
        #expect(try watched().imported == 1)
        #expect(try watched().failed == 0)
    }

    /// A change of the library between two runs, after which a file is imported again or not.
    enum Change: CaseIterable {
        case unchanged, olderVersion, otherHistory, laterVersion, noRecord
    }

    @Test("Files are imported again if the library lost their import", arguments: Change.allCases)
    func restoredLibrary(_ change: Change) throws {
        let first = try work(events: nil)
        try folder.write(Data("a".utf8), to: "in/a.jpg")
        try folder.write(Data("b".utf8), to: "in/bad.jpg")
        for seconds in [0.0, 5] { try step(first, at: seconds) }
        first.end()
        #expect(library.names == ["a.jpg", "bad.jpg"])
        switch change {
        case .unchanged: break
        case .olderVersion: library.version -= 1
        case .otherHistory: library.start += 100
        case .laterVersion: library.version += 1
        case .noRecord:
            let ledger = try list.ledgers + "/" + watched().identifier.uuidString
            try FileManager.default.removeItem(atPath: ledger + ".version")
            library.version -= 1
        }
        let isLost = [.olderVersion, .otherHistory].contains(change)
        // After a third start, nothing is imported once more.
        for start in [10.0, 20] {
            let next = try work(events: nil)
            for seconds in [start, start + 5] { try step(next, at: seconds) }
            next.end()
            #expect(library.names == ["a.jpg", "bad.jpg"] + (isLost ? ["a.jpg"] : []))
            #expect(try watched().failed == 1)
        }
    }

    @Test("The time of the last import is that of the last new photo")
    func lastImport() throws {
        let work = try work(events: nil)
        try folder.write(Data("a".utf8), to: "in/copy.jpg")
        try folder.write(Data("b".utf8), to: "in/bad.jpg")
        try step(work, at: 0)
        try step(work, at: 5)
        work.end()
        #expect(library.names == ["bad.jpg", "copy.jpg"])
        #expect(try watched().failed == 1)
        #expect(try watched().lastImport == nil)

        let start = Date().timeIntervalSince1970
        try folder.write(Data("c".utf8), to: "in/new.jpg")
        try step(work, at: 600)
        try step(work, at: 605)
        work.end()
        #expect(try watched().imported == 1)
        #expect(try #require(try watched().lastImport) >= start)
    }

    @Test("The files of a folder that was moved away are forgotten")
    func movedFolder() throws {
        let work = try work(events: FolderEvents())
        try folder.write(Data("a".utf8), to: "in/sub/a.jpg")
        try folder.write(Data("b".utf8), to: "in/b.jpg")
        try step(work, at: 0)
        #expect(work.candidates.count == 2)
        try FileManager.default.moveItem(at: folder.file("in/sub"), to: folder.file("sub"))
        try step(work, at: 1)
        #expect(work.candidates.count == 1)
        try step(work, at: 5)
        #expect(library.names == ["b.jpg"])
        work.end()
    }

    @Test("A folder that replaces an empty one is watched")
    func replacedFolder() throws {
        let work = try work(events: FolderEvents())
        _ = try folder.folder("in/sub")
        try folder.write(Data("a".utf8), to: "new/a.jpg")
        try step(work, at: 0)
        #expect(rename(folder.file("new").path, folder.file("in/sub").path) == 0)
        try step(work, at: 1)
        #expect(work.candidates.count == 1)
        try step(work, at: 6)
        #expect(library.names == ["a.jpg"])
        try folder.write(Data("b".utf8), to: "in/sub/b.jpg")
        try step(work, at: 7)
        try step(work, at: 12)
        #expect(library.names == ["a.jpg", "b.jpg"])
        work.end()
    }

    @Test("A watch folder that is created again with the same inode number is watched")
    func recreatedRoot() throws {
        let work = try work(events: FolderEvents())
        try step(work, at: 0)
        try FileManager.default.removeItem(at: folder.file("in"))
        _ = try folder.folder("in")
        try folder.write(Data("a".utf8), to: "in/a.jpg")
        // File systems may or may not use the number again.
        let key = try #require(work.roots.keys.first)
        let identity = work.roots[key]?.look()
        #expect(identity != nil)
        work.roots[key]?.identity = identity
        try step(work, at: 2)
        try step(work, at: 2)
        #expect(work.candidates.count == 1)
        try step(work, at: 7)
        #expect(library.names == ["a.jpg"])
        try folder.write(Data("b".utf8), to: "in/b.jpg")
        try step(work, at: 8)
        try step(work, at: 13)
        #expect(library.names == ["a.jpg", "b.jpg"])
        work.end()
    }

    @Test(
        "A file that cannot be opened is tried again, and later if permission is missing",
        arguments: [(EACCES, 600.0), (EIO, 30.0)]
    )
    func unreadable(number: Int32, interval: Double) throws {
        let work = try work(events: FolderEvents())
        work.openFile = { _, _ in
            errno = number
            return -1
        }
        try folder.write(Data("a".utf8), to: "in/a.jpg")
        try step(work, at: 0)
        try step(work, at: 5)
        #expect(work.candidates.count == 0)
        #expect(work.runner.states.values.map(\.rawValue) == ["scanning"])
        try step(work, at: 5 + interval)
        try step(work, at: 10 + interval)
        #expect(library.names == [])
        #expect(work.runner.states.values.map(\.rawValue) == ["scanning"])

        work.openFile = WatchImporter.systemOpen
        try step(work, at: 9 + 2 * interval)
        #expect(work.candidates.count == 0)
        try step(work, at: 10 + 2 * interval)
        try step(work, at: 15 + 2 * interval)
        #expect(library.names == ["a.jpg"])
        #expect(work.runner.states.values.map(\.rawValue) == ["watching"])
        work.end()
        #expect(try watched().imported == 1)
        #expect(try watched().failed == 0)
    }
}
