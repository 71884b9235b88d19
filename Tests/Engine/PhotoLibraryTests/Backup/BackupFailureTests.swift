import Foundation
import GRDB
import Glibc
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary

/// The state of a backup after a disk call fails, and after files are deleted while it is made.
@Suite(.timeLimit(.minutes(2))) struct BackupFailureTests {
    private let world: LibraryWorld
    private let backup: LibraryBundle

    init() throws {
        world = try LibraryWorld()
        backup = LibraryBundle(root: world.folder.file("Backup.photolibrary").path)
        for number in 0..<4 { try add(number) }
    }

    private func add(_ number: Int) throws {
        let bytes = Array("the bytes of \(number)".utf8)
        _ = try world.insertWithFile(LibraryWorld.record("\(number).jpg"), bytes: bytes)
    }

    private func backUp(
        files: FileOperations = FileOperations(),
        isStopped: () -> Bool = { false },
        handler: (CopyEvent) throws -> Void = { _ in }
    ) throws -> CopySummary {
        try BackupSession(of: world.store, to: backup.root, files: files)
            .run(isStopped: isStopped, handler: handler)
    }

    /// Returns the version of a backup whose files are all whole.
    private func checkedVersion(of path: String? = nil) throws -> Int64 {
        let store = try LibraryStore.open(at: path ?? backup.root)
        defer { try? store.close() }
        var request = VerifyRequest(isFull: true, repairs: false)
        var findings: [Finding] = []
        let verifier = Verifier(store: store)
        while true {
            let reply = try verifier.verify(request)
            findings += reply.findings.filter { $0.severity == .damage }
            guard let next = reply.next else { break }
            request.cursor = next
        }
        #expect(findings.isEmpty)
        return try store.currentVersion()
    }

    @Test(arguments: FileOperations.Step.allCases)
    func aFailureAtAnyStepLeavesTheFormerBackup(step: FileOperations.Step) throws {
        #expect(try backUp().copiedFiles == 4)
        let former = try checkedVersion()
        for number in 4..<8 { try add(number) }
        let current = try world.store.currentVersion()
        for countdown in 0..<40 {
            let left = Mutex(countdown)
            let hasFailed = Mutex(false)
            let files = FileOperations { called in
                guard called == step else { return 0 }
                let isDue = left.withLock { left in
                    defer { left -= 1 }
                    return left == 0
                }
                if isDue { hasFailed.withLock { $0 = true } }
                return isDue ? ENOSPC : 0
            }
            do {
                _ = try backUp(files: files)
            } catch let error as LibraryError {
                #expect(error.code == .noSpace, "\(step) \(countdown): \(error)")
            }
            let version = try checkedVersion()
            #expect(version == former || version == current, "\(step) \(countdown)")
            guard hasFailed.withLock(\.self) else { break }
        }
        _ = try backUp()
        #expect(try checkedVersion() == current)
    }

    @Test(
        "Dying at a step of a backup leaves the former one, and the next run continues",
        arguments: [.createFile, .write, .syncFile, .rename, .syncFolder] as [FileOperations.Step],
        [0, 3]
    )
    func survivesDeath(step: FileOperations.Step, countdown: Int) async throws {
        _ = try backUp()
        let former = try checkedVersion()
        for number in 4..<8 { try add(number) }
        let (library, target, name) = (world.path, backup.root, step.rawValue)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                library = library as String, target = target as String, name = name as String,
                countdown = countdown as Int
            ] in
            LibraryWorld.isolateState()
            let left = Mutex(countdown)
            let files = FileOperations { called in
                guard called.rawValue == name else { return 0 }
                let isDue = left.withLock { left in
                    defer { left -= 1 }
                    return left == 0
                }
                if isDue { kill(getpid(), SIGKILL) }
                return 0
            }
            let store = try LibraryStore.open(at: library)
            _ = try BackupSession(of: store, to: target, files: files)
                .run(isStopped: { false }, handler: { _ in })
            // A step that is rarer than the countdown dies at the end.
            kill(getpid(), SIGKILL)
        }
        let version = try checkedVersion()
        let current = try world.store.currentVersion()
        #expect(version == former || version == current)
        #expect(try backUp().files == 8)
        #expect(try checkedVersion() == current)
        let parts = try FileManager.default.contentsOfDirectory(atPath: backup.staging)
        #expect(parts == [])
    }

    @Test(arguments: FileOperations.Step.allCases)
    func aFailureAtAnyStepOfARestoreLeavesALibraryOrNone(step: FileOperations.Step) throws {
        _ = try backUp()
        let current = try world.store.currentVersion()
        let path = world.folder.file("Restored.photolibrary").path
        func restore(_ files: FileOperations = FileOperations()) throws {
            _ = try RestoreSession(from: backup.root, to: path, files: files)
                .run(isStopped: { false }, handler: { _ in })
        }
        for countdown in 0..<40 {
            let left = Mutex(countdown)
            let hasFailed = Mutex(false)
            let files = FileOperations { called in
                guard called == step else { return 0 }
                let isDue = left.withLock { left in
                    defer { left -= 1 }
                    return left == 0
                }
                if isDue { hasFailed.withLock { $0 = true } }
                return isDue ? ENOSPC : 0
            }
            do {
                try restore(files)
            } catch let error as LibraryError {
                #expect(error.code == .noSpace, "\(step) \(countdown): \(error)")
                #expect(access(path, F_OK) != 0, "\(step) \(countdown)")
            }
            if access(path, F_OK) == 0 {
                #expect(try checkedVersion(of: path) == current, "\(step) \(countdown)")
                try FileManager.default.removeItem(atPath: path)
            }
            guard hasFailed.withLock(\.self) else { break }
        }
        try restore()
        #expect(try checkedVersion(of: path) == current)
    }

    @Test func aLibraryIsAtThePathAtEachStepOfARestore() throws {
        _ = try backUp()
        let path = world.folder.file("Restored.photolibrary").path
        func restore(_ files: FileOperations = FileOperations()) throws -> CopySummary {
            try RestoreSession(from: backup.root, to: path, files: files)
                .run(isStopped: { false }, handler: { _ in })
        }
        _ = try restore()
        let renames = Mutex(0)
        let summary = try restore(
            FileOperations { step in
                // A process that dies at this step leaves what is there now.
                #expect(BundleCommit.isComplete(LibraryBundle(root: path)), "\(step)")
                if step == .rename { renames.withLock { $0 += 1 } }
                return 0
            }
        )
        #expect(renames.withLock(\.self) > 2)
        let aside = try #require(summary.replacedPath)
        #expect(try checkedVersion(of: path) == world.store.currentVersion())
        #expect(try checkedVersion(of: aside) == world.store.currentVersion())
        #expect(access(path + ".restoring", F_OK) != 0)
    }

    @Test func aFailedExchangeLeavesTheFormerLibrary() throws {
        _ = try backUp()
        let path = world.folder.file("Restored.photolibrary").path
        func restore(_ files: FileOperations = FileOperations()) throws -> CopySummary {
            try RestoreSession(from: backup.root, to: path, files: files)
                .run(isStopped: { false }, handler: { _ in })
        }
        _ = try restore()
        var inode = stat()
        #expect(stat(path, &inode) == 0)
        let former = inode.st_ino
        for countdown in 0..<40 {
            let left = Mutex(countdown)
            let files = FileOperations { step in
                guard step == .rename || step == .exchange else { return 0 }
                return left.withLock { left in
                    defer { left -= 1 }
                    return left == 0 ? EIO : 0
                }
            }
            guard (try? restore(files)) == nil else { break }
            #expect(stat(path, &inode) == 0 && inode.st_ino == former, "\(countdown)")
            #expect(access(path + ".restoring", F_OK) == 0, "\(countdown)")
        }
        #expect(stat(path, &inode) == 0 && inode.st_ino != former)
        let beside = try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)
        #expect(beside.count { $0.contains("replaced-") } == 1)
    }

    @Test func filesThatAreDeletedMeanwhileAreNotMissed() throws {
        // The first attempts each find a file deleted that their snapshot names.
        var purges = 0
        var isFirst = true
        let summary = try BackupSession(of: world.store, to: backup.root).run(
            isStopped: {
                // Called after the snapshot, before the first file is copied.
                if isFirst, purges < 2 {
                    isFirst = false
                    purges += 1
                    try? purgeOne()
                }
                return false
            },
            handler: { event in
                if case .problem = event { Issue.record("A deleted file is not a problem.") }
                isFirst = true
            }
        )
        #expect(purges == 2)
        #expect(summary.problems == 0)
        #expect(summary.files == 2)
        #expect(try checkedVersion() == world.store.currentVersion())
    }

    private func purgeOne() throws {
        try world.store.write(author: "test") { transaction in
            let sql = "SELECT id FROM asset ORDER BY id LIMIT 1"
            let id = try #require(try Int64.fetchOne(transaction.database, sql: sql))
            try transaction.trashAssets([id])
            try transaction.purgeAssets([id])
        }
    }

    @Test func aStoppedBackupReplacesNothing() throws {
        let summary = try backUp(isStopped: { true })
        #expect(summary.wasStopped)
        #expect(access(backup.version, F_OK) != 0)
        #expect(!KnownLibraries.remembers(backup.root))
        #expect(try backUp().copiedFiles == 4)
        #expect(KnownLibraries.remembers(backup.root))
        // What an interrupted run copied is used if its content is right.
        unlink(backup.version)
        unlink(backup.database)
        #expect(try backUp().copiedFiles == 0)
    }

    @Test func anEmptyFileOfAnInterruptedRunIsCompleted() throws {
        // The run was interrupted before it wrote to its record.
        try FileManager.default.createDirectory(
            atPath: backup.root,
            withIntermediateDirectories: true
        )
        let record = BackupRecord.path(in: backup)
        #expect(FileManager.default.createFile(atPath: record, contents: nil))
        #expect(try backUp().copiedFiles == 4)
        // Another one, before it wrote to the file `version`; a part of it is left, too.
        for path in [backup.version, backup.version + ".part"] {
            unlink(path)
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
        }
        #expect(try backUp().copiedFiles == 0)
        #expect(access(backup.version + ".part", F_OK) != 0)
        #expect(try checkedVersion() == world.store.currentVersion())
    }

    @Test func aRestoreCompletesAnEmptyVersionFile() throws {
        _ = try backUp()
        let path = world.folder.file("Restored.photolibrary").path
        let draft = LibraryBundle(root: path + ".restoring")
        try FileManager.default.createDirectory(
            atPath: draft.root,
            withIntermediateDirectories: true
        )
        let record = BackupRecord.path(in: draft)
        #expect(FileManager.default.createFile(atPath: record, contents: nil))
        func restore(isStopped: Bool) throws -> CopySummary {
            try RestoreSession(from: backup.root, to: path)
                .run(isStopped: { isStopped }, handler: { _ in })
        }
        #expect(try restore(isStopped: true).wasStopped)
        #expect(FileManager.default.createFile(atPath: draft.version, contents: nil))
        #expect(try restore(isStopped: false).files == 4)
        #expect(try checkedVersion(of: path) == world.store.currentVersion())
    }

    @Test func aRestoreReplacesTheFolderBehindALink() throws {
        _ = try backUp()
        let path = world.folder.file("Restored.photolibrary").path
        let link = world.folder.file("Link.photolibrary").path
        func restore(to library: String) throws -> CopySummary {
            try RestoreSession(from: backup.root, to: library)
                .run(isStopped: { false }, handler: { _ in })
        }
        _ = try restore(to: path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let aside = try #require(try restore(to: link).replacedPath)
        #expect(aside.contains("Restored.photolibrary.replaced-"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(try checkedVersion(of: path) == world.store.currentVersion())
    }

    @Test func anErrorOfTheHandlerIsRethrown() throws {
        struct Ended: Error {}
        #expect(throws: Ended.self) { try backUp(handler: { _ in throw Ended() }) }
        #expect(access(backup.version, F_OK) != 0)
    }

    @Test func aDamagedDatabaseReplacesNoGoodBackup() throws {
        _ = try backUp()
        let former = try checkedVersion()
        try add(9)
        // An index that lacks an entry.
        try world.tamper(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET rootpage = (
                SELECT rootpage FROM sqlite_schema WHERE name = 'collection_title')
            WHERE name = 'resource_sha256';
            """
        )
        #expect(throws: LibraryError.self) {
            let store = try LibraryStore.open(at: world.path)
            defer { try? store.close() }
            _ = try BackupSession(of: store, to: backup.root)
                .run(isStopped: { false }, handler: { _ in })
        }
        #expect(try checkedVersion() == former)
    }
}
