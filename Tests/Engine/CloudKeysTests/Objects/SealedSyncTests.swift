import CloudKeys
import CloudSync
import PhotoModel
import TestSupport
import Testing

/// The state machine over encrypted objects, as a sync host will run it.
@Suite(.timeLimit(.minutes(1))) struct SealedSyncTests {
    private static let album = CloudID(0xA1, 1)

    private static func title(_ text: String) -> SyncInput {
        .commit([.set(album, RegisterKey(.title), rank: 0, .text(text))], adding: [])
    }

    private static func title(in host: SealedHost) -> RegisterValue? {
        host.machine.state.objects[album]?.registers[RegisterKey(.title)]?.value
    }

    /// Two devices that have read each other's first segments, and their store.
    private static func pair() throws -> (
        world: CloudWorld, first: SealedHost, second: SealedHost, store: [String: [UInt8]]
    ) {
        var world = try CloudWorld(seed: 21)
        let other = try world.join()
        var first = SealedHost(world.first, in: world, isCreator: true)
        var second = SealedHost(other, in: world, isCreator: false)
        var store: [String: [UInt8]] = [:]
        try first.perform(.start, &store)
        try first.perform(
            .commit([.create(album, Creation(kind: .album))], adding: []),
            &store
        )
        try first.perform(title("Sea"), &store)
        try second.perform(.start, &store)
        for _ in 0..<3 {
            try first.sync(&store)
            try second.sync(&store)
        }
        return (world, first, second, store)
    }

    @Test func changesTravelBothWays() throws {
        var (_, first, second, store) = try Self.pair()
        #expect(Self.title(in: second) == .text("Sea"))
        try second.perform(Self.title("Mountains"), &store)
        try second.sync(&store)
        try first.sync(&store)
        #expect(Self.title(in: first) == .text("Mountains"))
        #expect(first.machine.state.objects == second.machine.state.objects)
        #expect(first.machine.state.joined.count == 2)
        #expect(first.alarms.isEmpty && second.alarms.isEmpty)
    }

    /// An altered segment raises an alarm and changes nothing, until its true bytes are back.
    @Test func anAlteredSegmentWaits() throws {
        var (_, first, second, store) = try Self.pair()
        let before = Set(store.keys)
        try second.perform(Self.title("Mountains"), &store)
        try second.sync(&store)
        let name = try #require(store.keys.filter { !before.contains($0) }.min())
        let bytes = try #require(store[name])
        store[name]?[bytes.count / 2] ^= 1
        try first.sync(&store)
        #expect(Self.title(in: first) == .text("Sea"))
        #expect(first.alarms.contains(.damagedSegment(second.device.id)))
        #expect(Set(first.refusals) == [.wrongSignature])
        store[name] = bytes
        try first.sync(&store)
        #expect(Self.title(in: first) == .text("Mountains"))
    }

    /// A removed device neither reads nor is read after the others began a new epoch.
    @Test func aRemovalBeginsAnEpoch() throws {
        var (world, first, second, store) = try Self.pair()
        let thief = try world.join("Stolen")
        first.members = world.members
        second.members = world.members
        let change = try EpochChange(
            removing: [thief.id],
            from: world.members,
            keyring: first.keyring,
            passphrase: nil,
            recoveryCode: RecoveryCode(using: &world.generator),
            signer: world.first.signer,
            using: &world.generator
        )
        for key in change.keyring.all { try first.keyring.insert(key) }
        try first.perform(.commit(change.operations, adding: []), &store)
        try first.sync(&store)
        let firstFollows = first.followEpoch()
        #expect(firstFollows)
        #expect(first.keyring == change.keyring)
        // The other device reads of the epoch before it has the key, and fetches it.
        try second.sync(&store)
        let secondKnows = second.followEpoch()
        #expect(!secondKnows)
        second.members.remove(thief.id)
        let ring = try change.object.open(
            as: second.device.id,
            keys: second.device.keys,
            members: second.members
        )
        for key in ring.all { try second.keyring.insert(key) }
        let secondFollows = second.followEpoch()
        #expect(secondFollows)
        let before = Set(store.keys)
        try second.perform(Self.title("Secret"), &store)
        try second.sync(&store)
        try first.sync(&store)
        #expect(Self.title(in: first) == .text("Secret"))
        let stolen = SegmentOpener(keyring: world.keyring, members: world.members)
        for name in store.keys where !before.contains(name) {
            let bytes = try #require(store[name])
            let name = try #require(ObjectName(name))
            expectRefusal([.unknownEpoch]) { _ = try stolen.open(bytes, as: name) }
        }
        #expect(first.refusals.isEmpty && second.refusals.isEmpty)
        #expect(first.alarms.isEmpty && second.alarms.isEmpty)
    }
}
