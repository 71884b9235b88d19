import CloudKeys
import CloudSync
import EmbeddedLibrary
import LibraryService
import ObjectStorage
import PhotoModel
import RemoteLibrary
import RenditionFixture
import TestSupport
import Testing

@testable import CloudHost

/// New passphrases and recovery codes.
@Suite(.timeLimit(.minutes(5))) struct PassphraseTests {
    private static let former = "the former passphrase"
    private static let new = "the new passphrase"

    private let store: MemoryStore
    private let first: HostWorld
    private let second: HostWorld
    private let code: String

    /// Makes a cloud library of two devices, both of which know that the other one does.
    init() async throws {
        store = MemoryStore()
        (first, second) = (try HostWorld(store), try HostWorld(store))
        _ = try first.world.addPhoto(1, size: PixelSize(width: 40, height: 30))
        code = try await first.create(passphrase: Self.former)
        try await second.join(with: code)
        for world in [first, second, first, second] { try await world.sync() }
    }

    private func keyObjects() async throws -> [CloudID] {
        try await CloudObjectReader(store.secondClient()).names(in: "keys")
    }

    /// Expects that a device can join with a secret and sees all photos, and that it cannot with
    /// others.
    private func expectOpening(_ secret: CloudSecret, not others: [CloudSecret]) async throws {
        for other in others {
            let world = try HostWorld(store)
            let error = await #expect(throws: LibraryError.self) { try await world.join(other) }
            #expect(error?.code == .invalidRequest, "\(String(describing: error))")
        }
        let world = try HostWorld(store)
        try await world.join(secret)
        try await world.sync()
        for device in [first, second] { try await device.sync() }
        try await world.sync()
        #expect(try world.facts() == first.facts())
        #expect(try world.facts() == second.facts())
    }

    /// Changes the title of the only photo that was imported on a device.
    private func write(_ title: String, on world: HostWorld) throws {
        let uuid = try #require(try world.facts().first).prefix { $0 != " " }
        try world.set(String(uuid), title: title)
    }

    @Test func theFormerSecretsOpenNothing() async throws {
        let service = first.service()
        let reply = try await first.ask(service, .passphrase(Self.new))
        let newCode = try #require(reply.recoveryCode)
        #expect(
            reply.keyChange == CloudReply.KeyChange(isPublished: true, areFormerRemoved: true)
        )
        service.stop()
        #expect(try await keyObjects().count == 1)
        try write("Later", on: first)
        try await first.sync()
        try await second.sync()
        #expect(try second.facts() == first.facts())
        let others: [CloudSecret] = [.passphrase(Self.former), .recoveryCode(code)]
        try await expectOpening(.recoveryCode(newCode), not: others)
        try await expectOpening(.passphrase(Self.new), not: others)
    }

    /// A device that joins with a secret of the second device's knows that device from then on.
    @Test func eachDeviceCanChangeThem() async throws {
        let host = try second.host()
        let changed = try await host.changePassphrase(Self.new)
        await host.close()
        #expect(changed.areFormerRemoved)
        try write("Later", on: second)
        try await second.sync()
        try await expectOpening(
            .recoveryCode(changed.recoveryCode.text),
            not: [.recoveryCode(code)]
        )
    }

    /// A device that was away finds its way through several epochs.
    @Test func aDeviceThatWasAwayGoesOn() async throws {
        for passphrase in ["the second passphrase", Self.new] {
            let host = try first.host()
            _ = try await host.changePassphrase(passphrase)
            await host.close()
            try write(passphrase, on: first)
            try await first.sync()
        }
        try write("Meanwhile", on: second)
        for world in [second, first, second] { try await world.sync() }
        #expect(try second.facts() == first.facts())
        try await expectOpening(.passphrase(Self.new), not: [.recoveryCode(code)])
    }

    /// A crash leaves the new keys stored and their epoch not begun: any member begins it.
    @Test func anInterruptedChangeIsFinished() async throws {
        let host = try first.host()
        _ = try await host.session()
        let (_, newCode) = try await host.storeKeys(removing: [], Passphrase(Self.new))
        await host.close()
        #expect(try await keyObjects().count == 2)
        try await second.sync()
        for world in [first, second] { try await world.sync() }
        let identities = try [first, second].map { world in
            try CloudIdentity(of: world.engine.libraryIdentifier(), in: world.secrets)?
                .secrets.keyring
        }
        #expect(identities[0] == identities[1] && identities[0]?.all.count == 2)
        try await expectOpening(.recoveryCode(newCode.text), not: [.recoveryCode(code)])
    }

    /// A crash before the recovery code of a removal is shown: the removal counts, and a new
    /// passphrase brings a code.
    @Test func anInterruptedRemovalIsFinished() async throws {
        let host = try first.host()
        _ = try await host.session()
        let own = await host.machine.device
        let members = await host.identity.members.members
        let other = try #require(members.map(\.device).first { $0 != own })
        _ = try await host.storeKeys(removing: [other], nil)
        await host.close()
        let again = try first.host()
        let error = await #expect(throws: LibraryError.self) {
            try await again.retire(other.hexadecimal, passphrase: nil)
        }
        #expect(error?.code == .identifierNotFound)
        #expect(error?.recovery?.contains("photos cloud passphrase") == true)
        let isRetired = await again.machine.state.retired.contains(other)
        #expect(isRetired)
        let changed = try await again.changePassphrase(Self.new)
        await again.close()
        #expect(changed.isPublished)
        let third = try HostWorld(store)
        try await third.join(.recoveryCode(changed.recoveryCode.text))
        try await third.sync()
        #expect(try third.facts() == first.facts())
    }

    /// A device that has read no changes, but has read the keys, brings no former epoch back.
    @Test func aFormerEpochDoesNotReturn() async throws {
        let host = try first.host()
        _ = try await host.session()
        let (former, _) = try await host.storeKeys(removing: [], Passphrase("passphrase two"))
        try await host.complete(.commit(former.operations, adding: []))
        try await host.followEpoch()
        let (latter, _) = try await host.storeKeys(removing: [], Passphrase(Self.new))
        #expect(latter.object.predecessor == former.object.epoch)
        // Nothing of it is published yet.
        let other = try second.host()
        try await other.begin()
        try await other.refreshIdentity()
        try await other.completeKeys()
        let pending = await other.machine.backlog.transactions
        #expect(pending == 0)
        await other.close()
        // Nor does it let the former secrets open the later keys.
        #expect(try await keyObjects().count == 3)
        _ = try await host.session()
        await host.close()
        for world in [second, first, second] { try await world.sync() }
        let rings = try [first, second].map { world in
            try CloudIdentity(of: world.engine.libraryIdentifier(), in: world.secrets)?
                .secrets.keyring
        }
        #expect(rings[0]?.current.id == latter.object.epoch && rings[0] == rings[1])
        let third = try HostWorld(store)
        await #expect(throws: LibraryError.self) { try await third.join(with: code) }
    }

    /// The keys are stored, and the store is away before the change is published.
    @Test func theCodeIsReturnedAlthoughNothingIsPublished() async throws {
        let isAway = Monitor(false)
        let store = MemoryStore { request in
            guard request.verb == .put, let key = request.key?.text else { return nil }
            if key.hasPrefix("keys/") { isAway.update { $0 = true } }
            return key.hasPrefix("log/") && isAway.withLock(\.self) ? .lostRequest : nil
        }
        let world = try HostWorld(store)
        _ = try await world.create(passphrase: Self.former)
        isAway.update { $0 = false }
        try await world.sync()
        let service = world.service()
        let reply = try await world.ask(service, .passphrase(Self.new))
        #expect(reply.recoveryCode != nil && reply.keyChange?.isPublished == false)
        isAway.update { $0 = false }
        service.stop()
        try await world.sync()
        let other = try HostWorld(store)
        try await other.join(.passphrase(Self.new))
        try await other.sync()
        #expect(try other.facts() == world.facts())
    }

    /// Two changes at once: at least one counts, no former secret does, and everybody can read
    /// everything.
    @Test func oneOfTwoChangesAtOnceCounts() async throws {
        let hosts = [try first.host(), try second.host()]
        for host in hosts { _ = try await host.session() }
        var passphrases: [String] = []
        for (index, host) in hosts.enumerated() {
            let text = "the passphrase of \(index)"
            let (change, _) = try await host.storeKeys(removing: [], Passphrase(text))
            try await host.complete(.commit(change.operations, adding: []))
            passphrases.append(text)
        }
        for _ in 0..<2 {
            for host in hosts { _ = try await host.session() }
        }
        for host in hosts { await host.close() }
        for world in [first, second, first, second] { try await world.sync() }
        try write("After both", on: second)
        var opening = 0
        for passphrase in passphrases {
            let world = try HostWorld(store)
            guard (try? await world.join(.passphrase(passphrase))) != nil else { continue }
            opening += 1
            for device in [world, first, second, world, first, second, world] {
                try await device.sync()
            }
            #expect(try world.facts() == first.facts())
            #expect(try world.facts() == second.facts())
            #expect(try world.facts().contains { $0.contains("After both") })
        }
        #expect(opening >= 1)
        let former = try HostWorld(store)
        await #expect(throws: LibraryError.self) { try await former.join(with: code) }
    }

    /// A device that joined at the same time gets the new key as well.
    @Test func aDeviceThatJoinsMeanwhileIsIncluded() async throws {
        let host = try first.host()
        _ = try await host.session()
        let third = try HostWorld(store)
        try await third.join(with: code)
        let changed = try await host.changeSecrets(removing: [], Passphrase(Self.new))
        #expect(changed.isPublished)
        await host.close()
        try write("Later", on: first)
        for world in [first, third, second, first, third] { try await world.sync() }
        #expect(try third.facts() == first.facts())
        #expect(try third.facts().contains { $0.contains("Later") })
    }

    /// The same if the change is interrupted, and another device finishes it.
    @Test func aDeviceThatJoinsBeforeACrashIsIncluded() async throws {
        let host = try first.host()
        _ = try await host.session()
        let third = try HostWorld(store)
        try await third.join(with: code)
        _ = try await host.storeKeys(removing: [], Passphrase(Self.new))
        await host.close()
        for world in [second, first, third, second, first, third] { try await world.sync() }
        try write("Later", on: first)
        for world in [first, third, second, first, third] { try await world.sync() }
        #expect(try third.facts() == first.facts())
        #expect(try third.facts().contains { $0.contains("Later") })
    }

    /// A device that the others do not know yet keeps the former keys, and says so.
    @Test func aDeviceThatMayNotDeleteKeepsTheFormerKeys() async throws {
        let world = try HostWorld(store)
        try await world.join(with: code)
        let host = try world.host()
        let changed = try await host.changePassphrase(Self.new)
        await host.close()
        #expect(changed.isPublished && !changed.areFormerRemoved)
        #expect(try await keyObjects().count > 1)
        // Once all know the device, it removes them.
        for device in [first, second, world, first, second, world] { try await device.sync() }
        #expect(try await keyObjects().count == 1)
        try await expectOpening(
            .recoveryCode(changed.recoveryCode.text),
            not: [.recoveryCode(code)]
        )
    }

    @Test func unsuitablePassphrasesChangeNothing() async throws {
        let service = first.service()
        let error = await #expect(throws: LibraryError.self) {
            try await first.ask(service, .passphrase("short"))
        }
        #expect(error?.code == .invalidRequest)
        service.stop()
        #expect(try await keyObjects().count == 1)
    }
}
