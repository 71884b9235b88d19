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
}
