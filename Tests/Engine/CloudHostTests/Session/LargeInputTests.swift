import CloudSync
import EmbeddedLibrary
import Foundation
import ObjectStorage
import PhotoModel
import RenditionFixture
import Testing

@testable import CloudHost

/// Steps whose inputs are too large for the journal.
@Suite(.timeLimit(.minutes(2))) struct LargeInputTests {
    private let first: HostWorld
    private let second: HostWorld

    init() async throws {
        let store = MemoryStore()
        first = try HostWorld(store)
        second = try HostWorld(store)
        try await second.join(with: first.create())
    }

    /// Runs a session that appends no input to its journal.
    private func sync(_ world: HostWorld) async throws {
        let host = try world.host(maximumInputSize: 0)
        _ = try await host.session()
        let machine = await host.machine.encoded
        await host.close()
        // Another process has what this one knew.
        let next = try world.host()
        let restored = await next.machine.encoded
        await next.close()
        #expect(restored == machine)
        let folder = world.engine.cloudStateFolder
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.filter { $0.hasSuffix(".journal") } == [])
    }

    @Test func checkpointsReplaceLargeInputs() async throws {
        for round in 0..<3 {
            let photo = try first.world.addPhoto(round, size: PixelSize(width: 40, height: 30))
            for world in [first, second] { try await sync(world) }
            try second.set(photo, title: "Round \(round)")
            for world in [second, first] { try await sync(world) }
            #expect(try second.facts() == first.facts())
        }
        #expect(try first.facts().count == 3)
        #expect(try first.facts().allSatisfy { $0.contains("Round") })
    }
}
