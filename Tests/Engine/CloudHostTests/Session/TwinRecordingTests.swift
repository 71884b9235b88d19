import CloudSync
import EmbeddedLibrary
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RenditionFixture
import Testing

@testable import CloudHost

/// Twins that a session records.
@Suite(.timeLimit(.minutes(1))) struct TwinRecordingTests {
    /// What was not exported may be an edit, and two edited photos are no twins.
    @Test func twinsWaitForTheEndOfAnExport() async throws {
        let store = MemoryStore()
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        for world in [first, second] {
            _ = try world.importPhoto(1, size: PixelSize(width: 40, height: 30))
        }
        try await first.sync()
        let host = try second.host()
        try await host.begin()
        try await host.complete(.perform(.pollAll))
        let export = try #require(try second.engine.exportChanges())
        // As if the library had more photos.
        try await host.complete(
            .export(export.transactions, adding: export.contents, isComplete: false)
        )
        try await host.recordTwins()
        let early = await host.machine.state.pairs
        #expect(early.isEmpty)
        try await host.complete(.export([], adding: [], isComplete: true))
        try await host.recordTwins()
        let pairs = await host.machine.state.pairs
        #expect(pairs.count == 1)
        await host.close()
        #expect(try second.facts().count == 1)
    }
}
