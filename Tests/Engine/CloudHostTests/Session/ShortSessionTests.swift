import ObjectStorage
import PhotoModel
import RenditionFixture
import Testing

@testable import CloudHost

/// Sessions that read only the logs that changed.
@Suite(.timeLimit(.minutes(2))) struct ShortSessionTests {
    @Test func aShortSessionReadsWhatOthersPublished() async throws {
        let store = MemoryStore()
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        let host = try second.host()
        _ = try await host.session()
        for number in 0..<2 {
            _ = try first.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
            try await first.sync()
            let report = try await host.session(isShort: true)
            #expect(report.downloaded == 1)
            #expect(try second.facts() == first.facts())
        }
        await host.close()
    }
}
