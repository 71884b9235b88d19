import LibraryService
import ObjectStorage
import PhotoModel
import RenditionFixture
import Synchronization
import Testing

@testable import CloudHost
@testable import PhotoLibrary

/// Changes that a person makes while a session is in progress.
@Suite(.timeLimit(.minutes(2))) struct ConcurrentChangeTests {
    /// A change to be made at the first read of a segment.
    private final class Hook: Sendable {
        private let change = Mutex<(@Sendable () -> Void)?>(nil)

        var isReached: Bool { change.withLock { $0 == nil } }

        func set(_ body: @escaping @Sendable () -> Void) { change.withLock { $0 = body } }

        func reach(_ request: FakeRequest) {
            guard request.verb == .get, request.key?.text.hasPrefix("log/") == true else { return }
            let body = change.withLock { change in
                defer { change = nil }
                return change
            }
            body?()
        }
    }

    /// A session acknowledges a purge that it reads, so it must publish a restore that was made
    /// just before.
    @Test func aPhotoThatIsRestoredDuringASessionStays() async throws {
        let hook = Hook()
        let store = MemoryStore { request in
            hook.reach(request)
            return nil
        }
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        let photo = try first.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        try first.world.change(.deleteAssets([photo]))
        for world in [first, second, first] { try await world.sync() }
        try first.world.change(.purgeAssets([photo]))
        try await first.sync()
        let library = second.world.store
        hook.set {
            try? library.write(author: "test") { transaction in
                guard let asset = try transaction.asset(uuid: photo) else { return }
                try transaction.restoreAssets([asset.id])
            }
        }
        try await second.sync()
        #expect(hook.isReached)
        for world in [first, second, first, second] { try await world.sync() }
        for world in [first, second] {
            let asset = try world.world.store.read { try AssetRowFinder($0).asset(uuid: photo) }
            #expect(asset != nil && asset?.trashedDate == nil)
        }
        #expect(try first.facts() == second.facts())
    }
}
