import CloudKeys
import CloudSync
import EmbeddedLibrary
import ObjectStorage
import PhotoModel
import RemoteLibrary
import Testing

@testable import CloudHost

/// Removed computers, also after the process that read of their removal has ended.
@Suite(.timeLimit(.minutes(5))) struct RemovedDeviceTests {
    private static let former = "the former passphrase"

    private let store: MemoryStore
    private let first: HostWorld
    private let second: HostWorld

    /// Makes a cloud library of two devices, both of which know that the other one does.
    init() async throws {
        store = MemoryStore()
        (first, second) = (try HostWorld(store), try HostWorld(store))
        try await second.join(with: first.create(passphrase: Self.former))
        for world in [first, second, first, second] { try await world.sync() }
    }

    private var reader: CloudObjectReader { CloudObjectReader(store.secondClient()) }

    private func secrets(of world: HostWorld) throws -> DeviceSecrets {
        let library = try world.engine.libraryIdentifier()
        return try #require(try CloudIdentity(of: library, in: world.secrets)).secrets
    }

    /// A removed computer has its own keys and those of its time, and may be able to write to the
    /// store.
    @Test func aRemovedComputerAdmitsNoneAfterARestart() async throws {
        let removed = try secrets(of: second)
        let host = try first.host()
        _ = try await host.retire(removed.device.hexadecimal, passphrase: nil)
        await host.close()
        var generator = SystemRandomNumberGenerator()
        let keys = try DeviceKeys(using: &generator)
        let friend = try DeviceCertificate(
            library: removed.keyring.library,
            device: CloudID(using: &generator),
            name: "Friend",
            keys: keys,
            admission: .member(removed.device, removed.keys)
        )
        try await reader.put(
            friend.sealed(with: removed.keyring.current),
            as: DeviceCertificate.objectName(friend.device)
        )
        let again = try first.host()
        let report = try await again.session()
        let members = await again.identity.members
        #expect(members.certificates[friend.device] == nil)
        #expect(members.removed == [removed.device])
        #expect(report.alarms.contains { $0.contains(friend.device.hexadecimal) })
        // Nor does its friend get the key of the next epoch.
        let changed = try await again.changePassphrase("the new passphrase")
        let objects = await again.identity.keyObjects.values.map(\.object)
        await again.close()
        #expect(changed.isPublished)
        #expect(objects.contains { $0.epoch != removed.keyring.current.id })
        #expect(objects.allSatisfy { $0.listed[friend.device] == nil })
    }

    /// The former passphrase opens the keys that the computer had stored, whoever signed them.
    @Test func theKeysOfARemovedComputerAreDeletedAfterARestart() async throws {
        let removed = try secrets(of: first)
        let host = try second.host()
        _ = try await host.session()
        _ = try await host.storeKeys(removing: [removed.device], nil)
        await host.close()
        // Another process reads of the removal, and ends as well.
        let next = try second.host()
        try await next.refreshIdentity()
        await next.close()
        for _ in 0..<2 {
            let report = try await second.sync()
            #expect(!report.alarms.contains { $0.contains("was signed by") })
        }
        #expect(try await reader.names(in: "keys").count == 1)
        let other = try HostWorld(store)
        await #expect(throws: LibraryError.self) {
            try await other.join(.passphrase(Self.former))
        }
    }

    /// What a failed creation of another cloud library left is reported, and is no former key.
    @Test func aKeyObjectOfAnotherCloudLibraryIsNotAFormerOne() async throws {
        let otherStore = MemoryStore()
        let other = try HostWorld(otherStore)
        _ = try await other.create(passphrase: Self.former)
        let source = CloudObjectReader(otherStore.secondClient())
        let name = try #require(try await source.names(in: "keys").first)
        let object = KeyObject.objectName(name)
        try await reader.put(try await source.bytes(object), as: object)
        let host = try first.host()
        let changed = try await host.changePassphrase("the new passphrase")
        await host.close()
        #expect(changed.isPublished && changed.areFormerRemoved)
        #expect(try await reader.names(in: "keys").contains(name))
        let report = try await first.sync()
        #expect(report.alarms.contains { $0.contains(name.hexadecimal) })
    }

    /// An object that this version cannot read may open with the former passphrase.
    @Test func anUndecodableObjectCountsAsLeft() async throws {
        try await reader.put([1, 2, 3], as: KeyObject.objectName(CloudID(1, 2)))
        let host = try first.host()
        let changed = try await host.changePassphrase("the new passphrase")
        await host.close()
        #expect(changed.isPublished && !changed.areFormerRemoved)
    }
}
