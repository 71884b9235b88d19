import Foundation
import ImagePipeline
import Logging
import PhotoModel
import TestSupport
import Testing

/// Small pictures can be lost at any time, and cost nothing but making them again (DESIGN §7).
@Suite
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
                Data("jpeg \(size)".utf8),
                width: size,
                height: size / 2,
                origin: .content,
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

    @Test func aDamagedFileIsBegunAnew() throws {
        try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: path))
        let store = store()
        fill(store, [256])
        #expect(width(store, atLeast: 1) == 256)
    }

    @Test func aDeletedFileIsMissedByNobody() throws {
        let store = store()
        fill(store, [256])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.file(name))
        }
        _ = width(store, atLeast: 1)
        fill(store, [1024])
        let next = self.store()
        fill(next, [256])
        #expect(width(next, atLeast: 1) == 256)
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
