import Foundation
import Glibc
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary

/// Restores to a library whose parent folder is a symbolic link, with and without the exchange of
/// names.
@Suite(.timeLimit(.minutes(2))) struct LinkedFolderTests {
    private let world: LibraryWorld
    private let backup: String
    /// The folder behind the link.
    private let disk: URL
    /// The path of the restored library, in the link.
    private let path: String

    init() throws {
        world = try LibraryWorld()
        backup = world.folder.file("Backup.photolibrary").path
        disk = try world.folder.folder("disk")
        let link = world.folder.file("link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: disk.path)
        path = link + "/Restored.photolibrary"
        for number in 0..<3 {
            let bytes = Array("the bytes of \(number)".utf8)
            _ = try world.insertWithFile(LibraryWorld.record("\(number).jpg"), bytes: bytes)
        }
        _ = try BackupSession(of: world.store, to: backup)
            .run(isStopped: { false }, handler: { _ in })
    }

    private func restore(_ files: FileOperations) throws -> CopySummary {
        try RestoreSession(from: backup, to: path, files: files)
            .run(isStopped: { false }, handler: { _ in })
    }

    private func inode(of path: String) throws -> UInt64 {
        try #require(FileStatus(path: path)).inode
    }

    private func expectWhole(
        _ path: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try LibraryStore.open(at: path)
        defer { try? store.close() }
        let version = try world.store.currentVersion()
        #expect(try store.currentVersion() == version, sourceLocation: sourceLocation)
    }

    @Test(arguments: [0, EOPNOTSUPP])
    func aLibraryIsMadeAndReplacedBehindALink(exchange: Int32) throws {
        let files = FileOperations { step in step == .exchange ? exchange : 0 }
        #expect(try restore(files).replacedPath == nil)
        #expect(KnownLibraries.remembers(path))
        try expectWhole(path)
        let former = try inode(of: path)
        let aside = try #require(try restore(files).replacedPath)
        #expect(try inode(of: aside) == former)
        #expect(try inode(of: path) != former)
        try expectWhole(path)
        try expectWhole(aside)
        let names = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        #expect(
            Set(names) == ["Restored.photolibrary", URL(fileURLWithPath: aside).lastPathComponent]
        )
    }

    @Test(arguments: [0, EOPNOTSUPP])
    func aFailedSyncLeavesTheFormerLibrary(exchange: Int32) throws {
        let counted = Syncs(exchange: exchange)
        _ = try restore(counted.files)
        // The last one makes the names of the libraries durable.
        let last = counted.count
        try FileManager.default.removeItem(atPath: path)
        func fail() {
            let syncs = Syncs(exchange: exchange, failing: last)
            #expect(throws: LibraryError.self) { try restore(syncs.files) }
            #expect(syncs.count == last)
            #expect(access(path + ".restoring", F_OK) == 0)
        }
        fail()
        #expect(access(path, F_OK) != 0)
        _ = try restore(Syncs(exchange: exchange).files)
        let former = try inode(of: path)
        fail()
        #expect(try inode(of: path) == former)
        try expectWhole(path)
        _ = try restore(Syncs(exchange: exchange).files)
        #expect(try inode(of: path) != former)
    }

    /// Counts the syncs of folders, and makes one of them fail.
    private final class Syncs: Sendable {
        private let exchange: Int32
        private let failing: Int?
        private let state = Mutex(0)

        /// Creates a counter; `exchange` is the error of exchanging names, or 0.
        init(exchange: Int32, failing: Int? = nil) {
            self.exchange = exchange
            self.failing = failing
        }

        var count: Int { state.withLock(\.self) }

        var files: FileOperations {
            FileOperations { step in
                if step == .exchange { return self.exchange }
                guard step == .syncFolder else { return 0 }
                let number = self.state.withLock { count in
                    count += 1
                    return count
                }
                return number == self.failing ? EIO : 0
            }
        }
    }
}
