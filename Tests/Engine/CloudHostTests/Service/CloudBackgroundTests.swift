import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import TestSupport
import Testing

@testable import CloudHost

/// The sessions that nobody asks for.
@Suite(.timeLimit(.minutes(2))) struct CloudBackgroundTests {
    @Test func timesAreScaledTogether() {
        let (times, scaled) = (CloudBackground.Times(), CloudBackground.Times(scale: 0.5))
        let pairs = [
            (times.quiet, scaled.quiet), (times.poll, scaled.poll),
            (times.complete, scaled.complete), (times.retry, scaled.retry),
        ]
        for (time, half) in pairs { #expect(half == time * 0.5) }
    }

    /// Waits until a number of sessions have ended.
    private static func wait(
        _ connection: CloudConnection,
        for sessions: Int,
        _ time: Duration = .seconds(30)
    ) async throws -> Bool {
        try await HostWorld.blocking {
            connection.monitor.wait(before: .now + time) { state in
                state.status.sessions >= sessions ? true : nil
            } ?? false
        }
    }

    @Test func aChangeIsPublishedAndNothingElseBeforeTheTimeOfAPoll() async throws {
        let store = MemoryStore()
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        let service = first.service()
        let connection = service.connection(to: first.path)
        var times = CloudBackground.Times()
        times.quiet = .milliseconds(20)
        let background = CloudBackground(service, times: times)
        #expect(background.start())
        #expect(background.hasLibraries)
        #expect(try await Self.wait(connection, for: 1))
        #expect(try await !Self.wait(connection, for: 2, .milliseconds(300)))
        let size = PixelSize(width: 40, height: 30)
        let uuid = try first.world.addPhoto(1, size: size)
        #expect(try await Self.wait(connection, for: 2))
        try await second.sync()
        #expect(try second.facts().map { String($0.prefix(36)) } == [uuid])
        try await HostWorld.blocking { background.stop() }
        #expect(connection.monitor.withLock { $0.status.error == nil })
    }

    /// The daemon ends, or another version takes over, during an upload that would take long.
    @Test func stoppingCancelsASession() async throws {
        let held = Monitor(false)
        let isHolding = Monitor(true)
        let store = MemoryStore { request in
            guard request.verb == .put, request.key?.text.hasPrefix("blob/") == true,
                isHolding.withLock(\.self)
            else { return nil }
            held.update { $0 = true }
            return .delay(.seconds(3_600))
        }
        let world = try HostWorld(store)
        _ = try world.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        _ = try await world.create()
        let service = world.service()
        let background = CloudBackground(service)
        #expect(background.start())
        try await HostWorld.blocking { _ = held.wait { $0 ? true : nil } }
        try await HostWorld.blocking { background.stop() }
        // The upload did not run into its time limit.
        let status = service.connection(to: world.path).monitor.withLock(\.status)
        #expect(status.sessions == 1 && status.error == nil && status.lastSync == nil)
        service.stop()
        isHolding.update { $0 = false }
        #expect(try await world.sync().uploaded == 1)
    }
}
