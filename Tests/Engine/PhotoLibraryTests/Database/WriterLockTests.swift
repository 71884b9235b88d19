import Foundation
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct WriterLockTests {
    let folder: TemporaryFolder
    var path: String { folder.path + "/lock" }

    init() throws { folder = try TemporaryFolder("photos-lock") }

    @Test func secondHolderIsToldAfterItsPatience() throws {
        let first = try WriterLock(path: path)
        let second = try WriterLock(path: path)
        try first.withLock(patience: 1) {
            do {
                try second.withLock(patience: 0.05) {
                    Issue.record("both hold the lock")
                    return
                }
            } catch let error as LibraryError {
                #expect(error.code == .busy)
                #expect(error.recovery != nil)
            }
        }
        #expect(try second.withLock(patience: 1) { true })
    }

    @Test func errorReleasesTheLock() throws {
        let lock = try WriterLock(path: path)
        #expect(throws: CancellationError.self) {
            try lock.withLock(patience: 1) { throw CancellationError() }
        }
        #expect(try WriterLock(path: path).withLock(patience: 0.1) { true })
    }

    @Test func aFileThatWasReplacedIsOpenedAgain() throws {
        let lock = try WriterLock(path: path)
        func expectOneHolder() throws {
            let other = try WriterLock(path: path)
            for (first, second) in [(lock, other), (other, lock)] {
                try first.withLock(patience: 1) {
                    let error = #expect(throws: LibraryError.self) {
                        try second.withLock(patience: 0.05) {}
                    }
                    #expect(error?.code == .busy)
                }
            }
        }
        try FileManager.default.moveItem(atPath: path, toPath: path + ".replaced")
        try Data().write(to: folder.file("lock"))
        try expectOneHolder()
        try FileManager.default.removeItem(atPath: path)
        try lock.withLock(patience: 1) {
            #expect(FileManager.default.fileExists(atPath: path))
        }
        try expectOneHolder()
    }

    @Test func threadsTakeTurns() async throws {
        let lock = try WriterLock(path: path)
        let other = try WriterLock(path: path)
        let counter = folder.file("counter")
        try Data("0".utf8).write(to: counter)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    _ = try? (index.isMultiple(of: 2) ? lock : other).withLock(patience: 30) {
                        let text = try String(contentsOf: counter, encoding: .utf8)
                        try Data(String((Int(text) ?? -1) + 1).utf8).write(to: counter)
                    }
                }
            }
        }
        #expect(try String(contentsOf: counter, encoding: .utf8) == "40")
    }
}
