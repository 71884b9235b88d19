import CloudSync
import EmbeddedLibrary
import Foundation
import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import Testing

@testable import CloudHost

/// Objects in the store that no change names.
@Suite(.timeLimit(.minutes(2))) struct AbandonedObjectTests {
    private let store = MemoryStore()
    private let first: HostWorld
    private let second: HostWorld

    init() async throws {
        first = try HostWorld(store)
        second = try HostWorld(store)
        try await second.join(with: first.create())
        _ = try first.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        _ = try second.world.addPhoto(2, size: PixelSize(width: 40, height: 30))
        for _ in 0..<3 { for world in [first, second] { try await world.sync() } }
    }

    /// The identifier of the device that a library is now.
    private static func device(of world: HostWorld) async throws -> String {
        let host = try world.host()
        let devices = try await host.devices()
        await host.close()
        let own = devices.first { $0.isThisDevice }
        return try #require(own).device
    }

    /// Stores an object of a device.
    ///
    /// - Returns: Its name.
    private static func addObject(
        of device: String,
        to store: MemoryStore
    ) async throws -> String {
        let name = "blob/\(device)/" + String(repeating: "a1", count: 16)
        _ = try await store.put(
            try ObjectKey(name),
            from: ObjectSource([1, 2, 3]),
            mode: .create,
            timeout: .seconds(10)
        )
        return name
    }

    private static func blobs(of store: MemoryStore) async throws -> Set<String> {
        let listed = try await store.list(try ObjectPrefix("blob/"), timeout: .seconds(10))
        return Set(listed.map(\.key.text))
    }

    private static func verify(
        _ world: HostWorld,
        isRepairing: Bool = false
    ) async throws -> [CloudReply.Finding] {
        let host = try world.host()
        let findings = try await host.verify(percent: 100, isRepairing: isRepairing)
        await host.close()
        return findings
    }

    /// The state of a library is lost, and it continues as a new device.
    @Test func objectsOfAFormerDeviceAreRemoved() async throws {
        let former = try await Self.device(of: second)
        try FileManager.default.removeItem(atPath: second.engine.cloudStateFolder)
        for _ in 0..<4 { for world in [second, first] { try await world.sync() } }
        let current = try await Self.device(of: second)
        #expect(current != former)
        let named = try await Self.blobs(of: store)
        let name = try await Self.addObject(of: former, to: store)
        let found = try await Self.verify(first)
        #expect(found.map(\.object) == [name])
        #expect(
            found.first?.finding
                == "No change names it; photos cloud verify --repair removes its 3 bytes."
        )
        #expect(found.first?.isRepaired == nil)
        #expect(try await Self.blobs(of: store).contains(name))
        // The other device has to read first that the object is condemned.
        let repaired = try await Self.verify(first, isRepairing: true)
        #expect(repaired.map(\.object) == [name])
        #expect(repaired.first?.isRepaired == false)
        #expect(repaired.first?.reason?.contains("all other computers have synced") == true)
        #expect(try await Self.blobs(of: store).contains(name))
        // Whoever syncs then removes it.
        for world in [second, first] { try await world.sync() }
        #expect(try await Self.blobs(of: store) == named)
        for world in [first, second] {
            let rest = try await Self.verify(world)
            #expect(rest == [])
        }
        #expect(try first.facts() == second.facts())
    }

    /// A listing of all blobs takes a request for each thousand of them.
    @Test func aRepairThatDeletesNothingListsTheStoreOnce() async throws {
        let listings = Monitor(0)
        let store = MemoryStore { request in
            if request.verb == .list { listings.update { $0 += 1 } }
            return nil
        }
        let (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create())
        for _ in 0..<3 { for world in [first, second] { try await world.sync() } }
        let former = try await Self.device(of: second)
        try FileManager.default.removeItem(atPath: second.engine.cloudStateFolder)
        for _ in 0..<4 { for world in [second, first] { try await world.sync() } }
        _ = try await Self.addObject(of: former, to: store)
        // It is condemned, and the other device has not read that.
        _ = try await Self.verify(first, isRepairing: true)
        var counts: [Int] = []
        for isRepairing in [false, true] {
            listings.update { $0 = 0 }
            let findings = try await Self.verify(first, isRepairing: isRepairing)
            #expect(findings.count == 1)
            counts.append(listings.withLock(\.self))
        }
        #expect(counts[0] > 0 && counts[0] == counts[1])
    }

    /// Without other devices, one run is enough.
    @Test func aSingleDeviceRemovesObjectsAtOnce() async throws {
        let retired = try await Self.device(of: second)
        let host = try first.host()
        _ = try await host.retire(retired, passphrase: nil)
        await host.close()
        for _ in 0..<2 { try await first.sync() }
        let named = try await Self.blobs(of: store)
        let name = try await Self.addObject(of: retired, to: store)
        let repaired = try await Self.verify(first, isRepairing: true)
        #expect(repaired.map(\.object) == [name])
        #expect(repaired.first?.finding == "No change names it; it has 3 bytes.")
        #expect(repaired.first?.isRepaired == true)
        #expect(repaired.first?.reason == nil)
        // Those that changes name stay, although the same device uploaded one of them.
        #expect(try await Self.blobs(of: store) == named)
        #expect(named.contains { $0.hasPrefix("blob/\(retired)/") })
        let rest = try await Self.verify(first)
        #expect(rest == [])
    }

    @Test func objectsOfActiveDevicesStay() async throws {
        var names: [String] = []
        for world in [first, second] {
            names.append(try await Self.addObject(of: try await Self.device(of: world), to: store))
        }
        for world in [first, second, first] {
            for isRepairing in [false, true] {
                let findings = try await Self.verify(world, isRepairing: isRepairing)
                #expect(findings == [])
            }
        }
        #expect(try await Self.blobs(of: store).isSuperset(of: names))
    }

    @Test func nothingIsRemovedFromAStoreThatIsABackup() async throws {
        let retired = try await Self.device(of: second)
        let host = try first.host()
        _ = try await host.retire(retired, passphrase: nil)
        await host.close()
        for _ in 0..<2 { try await first.sync() }
        let name = try await Self.addObject(of: retired, to: store)
        let stored = StoredSettings(of: try first.engine.libraryIdentifier(), in: first.secrets)
        var settings = try #require(try stored.read())
        settings.isBackupOnly = true
        try stored.write(settings)
        let found = try await Self.verify(first)
        #expect(found.map(\.finding) == ["No change names it; it has 3 bytes."])
        let repaired = try await Self.verify(first, isRepairing: true)
        #expect(repaired.first?.isRepaired == false)
        #expect(repaired.first?.reason?.contains("as a backup only") == true)
        #expect(try await Self.blobs(of: store).contains(name))
    }

    /// The only computer of a cloud library loses its state, and goes on deleting what is not
    /// needed.
    @Test func theOnlyDeviceRemovesItsFormerObjects() async throws {
        let store = MemoryStore()
        let world = try HostWorld(store)
        _ = try await world.create()
        _ = try world.world.addPhoto(3, size: PixelSize(width: 40, height: 30))
        for _ in 0..<2 { try await world.sync() }
        let former = try await Self.device(of: world)
        try FileManager.default.removeItem(atPath: world.engine.cloudStateFolder)
        for _ in 0..<4 { try await world.sync() }
        let host = try world.host()
        let (isFull, device) = await (host.machine.isFull, host.machine.device)
        await host.close()
        #expect(isFull)
        #expect(device.hexadecimal != former)
        let name = try await Self.addObject(of: former, to: store)
        let repaired = try await Self.verify(world, isRepairing: true)
        #expect(repaired.map(\.object) == [name])
        #expect(repaired.first?.isRepaired == true)
        // One blob of the photo is left.
        #expect(try await Self.blobs(of: store).count == 1)
    }
}
