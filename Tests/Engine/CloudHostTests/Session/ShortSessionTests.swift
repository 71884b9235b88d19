import CloudSync
import EmbeddedLibrary
import ObjectStorage
import PhotoLibrary
import PhotoModel
import RenditionFixture
import Synchronization
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

    /// The log of the smallest name is read first.
    @Test func aDamagedLogDoesNotHideTheOthers() async throws {
        let damaged = Mutex("")
        let store = MemoryStore { request in
            let prefix = damaged.withLock(\.self)
            let isDamaged = !prefix.isEmpty && request.key?.text.hasPrefix(prefix) == true
            return request.verb == .get && isDamaged ? .altered(at: 40) : nil
        }
        let (first, second, reader) = (
            try HostWorld(store), try HostWorld(store), try HostWorld(store)
        )
        let code = try await first.create()
        try await second.join(with: code)
        try await reader.join(with: code)
        for world in [first, second, reader, first, second] { try await world.sync() }
        let host = try reader.host()
        _ = try await host.session()
        for (number, world) in [first, second].enumerated() {
            _ = try world.world.addPhoto(number, size: PixelSize(width: 40, height: 30))
            try await world.sync()
        }
        let devices = try [first, second].map { world in
            try #require(try world.engine.cloudMembership()).device
        }
        let smallest = try #require(devices.min())
        damaged.withLock { $0 = "log/\(smallest.hexadecimal)/" }
        let report = try await host.session(isShort: true)
        #expect(report.alarms.contains { $0.contains("is damaged in the store") })
        #expect(try reader.facts().count == 1)
        damaged.withLock { $0 = "" }
        let complete = try await host.session()
        #expect(complete.alarms == [])
        #expect(try reader.facts().count == 2)
        await host.close()
    }
}
