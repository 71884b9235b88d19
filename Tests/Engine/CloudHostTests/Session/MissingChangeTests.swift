import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import Testing

@testable import CloudHost

/// Changes that somebody deleted from the store.
@Suite(.timeLimit(.minutes(2))) struct MissingChangeTests {
    private let store = MemoryStore()

    /// A computer that joins later cannot read what follows, and says so.
    @Test func aMissingChangeIsReported() async throws {
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        let code = try await first.create()
        for number in 0..<3 {
            _ = try first.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
            try await first.sync()
        }
        let limit = Duration.seconds(10)
        let keys = try await store.list(try ObjectPrefix("log/"), timeout: limit).map(\.key)
        let key = try #require(keys.first { $0.text.contains("/000000000002-") })
        let bytes = try await store.bytes(of: key, limit: 1 << 20, timeout: limit)
        _ = try await store.delete(key, timeout: limit)
        try await second.join(with: code)
        let alarms = try await second.sync().alarms
        #expect(alarms.count == 1)
        #expect(
            alarms.first?.hasPrefix("A change of the device “First” is missing in the store;")
                == true
        )
        let host = try second.host()
        let findings = try await host.verify(percent: 0).map(\.finding)
        await host.close()
        #expect(findings == alarms)
        _ = try await store.put(
            key,
            from: ObjectSource(bytes),
            mode: .create,
            timeout: limit
        )
        let rest = try await second.sync().alarms
        #expect(rest == [])
        #expect(try second.facts() == first.facts())
    }
}
