import LibraryService
import ObjectStorage
import PhotoModel
import RenditionFixture
import Synchronization
import Testing

@testable import CloudHost

/// The removal of files that no photo refers to any more.
@Suite(.timeLimit(.minutes(2))) struct DeletionTests {
    private static func blobs(in store: MemoryStore) async throws -> Int {
        try await store.list(try ObjectPrefix("blob/"), timeout: .seconds(10)).count
    }

    /// More files than requests that are under way at once.
    @Test func theFilesOfManyPurgedPhotosAreRemoved() async throws {
        let deletions = Mutex(0)
        let store = MemoryStore { request in
            if request.verb == .delete, request.key?.text.hasPrefix("blob/") == true {
                deletions.withLock { $0 += 1 }
            }
            return nil
        }
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        let count = SyncHost.requestsAtOnce * 2 + 1
        let photos = try (0..<count).map {
            try first.world.addPhoto($0, size: PixelSize(width: 40, height: 30))
        }
        for world in [first, second, first, second] { try await world.sync() }
        #expect(try await Self.blobs(in: store) == count)
        #expect(try second.facts().count == count)
        try first.world.change(.deleteAssets(photos))
        try first.world.change(.purgeAssets(photos))
        // The purge, its acknowledgment, the final purge, its acknowledgment, the deletion.
        for world in [first, second, first, second, first, second] { try await world.sync() }
        #expect(try first.facts() == [])
        #expect(try second.facts() == [])
        #expect(try await Self.blobs(in: store) == 0)
        let removed = deletions.withLock(\.self)
        #expect(removed == count)
    }
}
