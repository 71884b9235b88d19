import Foundation
import Glibc
import ImagePipeline
import Logging
import PhotoModel
import TestSupport
import Testing

/// Renditions can be lost at any time, at no other cost than making them again.
@Suite(.timeLimit(.minutes(2)))
struct RenditionStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.file("renditions.sqlite").path }

    private func store() -> RenditionStore {
        RenditionStore(path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func fill(_ store: RenditionStore, _ sizes: [Int], version: Int = 1) {
        for size in sizes {
            store.store(
                RenditionStore.Rendition(
                    jpeg: Data("jpeg \(size)".utf8),
                    size: PixelSize(width: size, height: size / 2),
                    origin: .content
                ),
                for: .init(assetUUID: "A", contentVersion: version, sizeClass: size)
            )
        }
    }

    private func width(_ store: RenditionStore, atLeast width: Int, takesAny: Bool = false) -> Int?
    {
        store.rendition(
            of: "A",
            contentVersion: 1,
            covers: { $0.width >= width },
            takesAny: takesAny
        )?
        .size.width
    }

    @Test func theSmallestThatCoversIsTaken() {
        let store = store()
        #expect(width(store, atLeast: 1) == nil)
        fill(store, [256, 1024])
        #expect(width(store, atLeast: 100) == 256)
        #expect(width(store, atLeast: 300) == 1024)
        #expect(width(store, atLeast: 3000) == nil)
        #expect(width(store, atLeast: 3000, takesAny: true) == 1024)
        #expect(self.store().count() == 2)
    }

    @Test func otherContentHasOtherRenditions() {
        let store = store()
        fill(store, [256], version: 2)
        #expect(width(store, atLeast: 1) == nil)
        fill(store, [256], version: 1)
        #expect(width(store, atLeast: 1) == 256)
        #expect(store.count() == 1)
        store.remove(of: "A", contentVersion: 1)
        #expect(store.count() == 0)
    }

    // MARK: - Missing and damaged files

    private func removeFiles() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.file(name))
        }
    }

    /// Returns SQLite's own check of the file.
    private func integrity() throws -> String {
        try ProcessRunner.run("sqlite3", [path, "PRAGMA integrity_check"]).text
    }

    @Test func aDamagedFileIsBegunAnew() throws {
        try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: path))
        let store = store()
        fill(store, [256])
        #expect(width(store, atLeast: 1) == 256)
    }

    @Test("A file that is deleted while programs have it open is missed by none of them")
    func aDeletedFileIsMissedByNobody() throws {
        let one = store()
        let other = store()
        fill(one, [256])
        #expect(width(other, atLeast: 1) == 256)
        for round in 0..<3 {
            try removeFiles()
            // A read finds nothing; a write creates a new file, which the other one sees.
            #expect(width(round % 2 == 0 ? one : other, atLeast: 1) == nil)
            fill(other, [1024])
            #expect(width(one, atLeast: 1) == 1024)
            fill(one, [256])
            #expect(width(other, atLeast: 1) == 256)
            #expect(width(store(), atLeast: 1) == 256)
            #expect(try integrity() == "ok\n")
        }
    }

    @Test("A file that is damaged while programs have it open is begun anew, once for all")
    func damageWhileOpen() throws {
        let one = store()
        let other = store()
        fill(one, [256, 1024])
        #expect(width(other, atLeast: 1) == 256)
        for pages in [0..<1, 1..<4, 0..<4] {
            // All data are moved from the log to the file; then pages are overwritten.
            _ = try ProcessRunner.run("sqlite3", [path, "PRAGMA wal_checkpoint(TRUNCATE)"])
            let place = ["bs=4096", "seek=\(pages.lowerBound)", "count=\(pages.count)"]
            _ = try ProcessRunner.run(
                "dd",
                ["if=/dev/urandom", "of=\(path)", "conv=notrunc"] + place
            )
            // Damage may be detected late; nothing fails in the meantime, and in the end everything
            // works.
            for _ in 0..<4 {
                fill(one, [256, 1024])
                _ = width(other, atLeast: 1)
                fill(other, [256, 1024])
                _ = width(one, atLeast: 1)
            }
            let next = store()
            fill(next, [256])
            #expect(width(next, atLeast: 1) == 256, "\(pages)")
            #expect(try integrity() == "ok\n", "\(pages)")
        }
    }

    @Test func anEmptiedFileOrAMissingLogCostsRenditionsOnly() throws {
        let store = store()
        fill(store, [256])
        truncate(path, 0)
        for _ in 0..<3 { _ = width(store, atLeast: 1) }
        try? FileManager.default.removeItem(atPath: path + "-wal")
        try? FileManager.default.removeItem(atPath: path + "-shm")
        for _ in 0..<3 {
            fill(store, [256])
            _ = width(store, atLeast: 1)
        }
        let next = self.store()
        fill(next, [1024])
        #expect(width(next, atLeast: 300) == 1024)
    }

    @Test func aFileOfAnotherVersionIsEmptied() throws {
        let old = """
            CREATE TABLE rendition (assetUUID TEXT, sizeClass INTEGER, jpeg BLOB);
            INSERT INTO rendition VALUES ('A', 256, x'00');
            """
        _ = try ProcessRunner.run("sqlite3", [path, old])
        let store = store()
        #expect(store.count() == 0)
        fill(store, [256])
        #expect(width(store, atLeast: 1) == 256)
    }

    @Test("What goes wrong is logged once, until something goes well again")
    func complaintsAreFew() throws {
        let records = LogRecords()
        let missing = folder.file("later")
        let store = RenditionStore(
            path: missing.appendingPathComponent("renditions.sqlite").path,
            logger: records.logger("test")
        )
        for _ in 0..<20 { fill(store, [256]) }
        #expect(records.all.count == 1)
    }

    @Test func aFolderThatIsNotThereCostsNothingElse() {
        let store = RenditionStore(
            path: folder.path + "/missing/renditions.sqlite",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        fill(store, [256])
        #expect(width(store, atLeast: 1) == nil)
        #expect(store.count() == 0)
    }
}
