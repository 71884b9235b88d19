import Foundation
import GRDB
import PhotoModel
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(1))) struct PageCacheTests {
    @Test("The pages that an import reads and writes do not stay in memory")
    func pagesAreReleased() throws {
        let world = try LibraryWorld()
        let text = String(repeating: "x", count: 1 << 20)
        var largest = 0
        for _ in 0..<(2 * PageCache.restingLimit >> 20) {
            var record = LibraryWorld.record()
            record.caption = text
            try world.insert(record)
            let size = try world.store.alone(PageCache.size)
            #expect(size <= PageCache.restingLimit)
            largest = max(largest, size)
        }
        // The cache is used, and one of twice the limit would not have been released by itself.
        #expect(largest > PageCache.restingLimit / 4)
    }
}
