import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import Testing

@testable import CloudHost

/// The requests of sessions in which nothing happens, which cost money at a provider.
@Suite(.timeLimit(.minutes(2))) struct IdlePollTests {
    private final class Requests: Sendable {
        let monitor = Monitor<[String]>([])

        func note(_ request: FakeRequest) {
            let folder = request.key?.text.split(separator: "/").first.map(String.init) ?? "-"
            monitor.update { $0.append("\(request.verb) \(folder)") }
        }

        func take() -> [String] {
            monitor.update { requests in
                defer { requests = [] }
                return requests.sorted()
            }
        }
    }

    private let requests = Requests()

    /// The price of a poll does not depend on the number of photos, and hardly on that of changes.
    @Test(arguments: [1, 4]) func anIdlePollMakesFewRequests(_ photos: Int) async throws {
        let store = MemoryStore { [requests] request in
            requests.note(request)
            return nil
        }
        let first = try HostWorld(store)
        let second = try HostWorld(store)
        try await second.join(with: first.create())
        for number in 0..<photos {
            _ = try first.world.addPhoto(number, size: PixelSize(width: 300, height: 200))
        }
        for _ in 0..<3 { for world in [first, second] { try await world.sync() } }
        let host = try second.host()
        _ = try await host.session()
        _ = requests.take()
        _ = try await host.session(isShort: true)
        let short = requests.take()
        _ = try await host.session()
        let complete = requests.take()
        await host.close()
        // The configuration, the list of heads, and the head of the other computer.
        #expect(short == ["get config", "get head", "list -"])
        // The configuration and the list of all logs.
        #expect(complete == ["get config", "list -"])
    }
}
