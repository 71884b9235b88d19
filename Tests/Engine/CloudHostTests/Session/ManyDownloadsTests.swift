import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import Synchronization
import Testing

@testable import CloudHost

/// Sessions with more downloads than one step begins.
@Suite(.timeLimit(.minutes(3))) struct ManyDownloadsTests {
    private static let count = SyncHost.downloadsPerStep * 2 + 10

    /// The requests for blobs, of which one fails.
    private final class Requests: Sendable {
        private let state = Mutex<(count: Int, failing: Int?)>((0, nil))

        var count: Int { state.withLock { $0.count } }

        func fail(_ number: Int?) { state.withLock { $0 = (0, number) } }

        func next(_ request: FakeRequest) -> StoreFault? {
            guard request.verb == .get, request.key?.text.hasPrefix("blob/") == true else {
                return nil
            }
            return state.withLock { state in
                state.count += 1
                return state.count == state.failing ? .lostRequest : nil
            }
        }
    }

    private let requests = Requests()
    private let first: HostWorld
    private let second: HostWorld

    init() async throws {
        let store = MemoryStore { [requests] in requests.next($0) }
        first = try HostWorld(store)
        second = try HostWorld(store)
        try await second.join(with: first.create())
        for number in 0..<Self.count {
            _ = try first.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
        }
        try await first.sync()
    }

    @Test func allFilesArrive() async throws {
        requests.fail(nil)
        let report = try await second.sync()
        #expect(report.downloaded == Self.count && report.pending.downloads == 0)
        #expect(requests.count == Self.count)
        #expect(try second.facts() == first.facts())
        #expect(second.stagedFiles.isEmpty)
    }

    /// After a failure, no others begin, and those under way are placed and stay.
    @Test(arguments: [1, SyncHost.downloadsPerStep + 20, count])
    func aSessionContinuesAfterAFailure(number: Int) async throws {
        requests.fail(number)
        await #expect(throws: LibraryError.self) { try await second.sync() }
        // Some may have begun before the host learned of it.
        #expect(requests.count < number + 2 * SyncHost.downloadsAtOnce)
        let report = try await second.sync()
        #expect(report.pending.downloads == 0)
        #expect(requests.count == Self.count + 1)
        #expect(try second.facts() == first.facts())
        #expect(second.stagedFiles.isEmpty)
    }
}
