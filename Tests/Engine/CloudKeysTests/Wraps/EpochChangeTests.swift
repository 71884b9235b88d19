import CloudKeys
import CloudSync
import PhotoModel
import Testing

/// Removing a device.
@Suite(.timeLimit(.minutes(2))) struct EpochChangeTests {
    private func change(
        _ world: inout CloudWorld,
        removing devices: Set<CloudID>,
        code: RecoveryCode
    ) throws -> EpochChange {
        try EpochChange(
            removing: devices,
            from: world.members,
            keyring: world.keyring,
            passphrase: Passphrase("a new passphrase"),
            recoveryCode: code,
            cost: CloudWorld.cheap,
            signer: world.first.signer,
            using: &world.generator
        )
    }

    @Test func aRemovedDeviceCannotReadWhatComesLater() throws {
        var world = try CloudWorld()
        let stolen = try world.join("Stolen")
        let kept = try world.join("Kept")
        let (old, _) = try world.keyObject()
        let code = RecoveryCode(using: &world.generator)
        let change = try change(&world, removing: [stolen.id], code: code)
        #expect(
            change.operations == [.retire(stolen.id), .epoch(change.keyring.current.id)]
        )
        // Neither its keys nor those of the former epoch open the object.
        var members = world.members
        members.remove(stolen.id)
        expectRefusal([.noWrap]) {
            _ = try change.object.open(as: stolen.id, keys: stolen.keys, members: world.members)
        }
        expectRefusal([.damaged]) {
            _ = try change.object.open(as: kept.id, keys: stolen.keys, members: members)
        }
        expectRefusal([.wrongPassphrase]) {
            _ = try change.object.open(with: Passphrase("correct horse battery"))
        }
        let later = try CloudWorld.sealed(world, ring: change.keyring)
        let thief = SegmentOpener(keyring: world.keyring, members: members)
        expectRefusal([.unknownEpoch]) { _ = try thief.open(later.bytes, as: later.name) }
        // The others open it, and all that is older.
        let ring = try change.object.open(as: kept.id, keys: kept.keys, members: members)
        #expect(ring == change.keyring)
        #expect(ring[world.keyring.current.id] == world.keyring.current)
        #expect(try change.object.open(with: Passphrase("a new passphrase")) == ring)
        #expect(try change.object.open(with: code) == ring)
        let opener = SegmentOpener(keyring: ring, members: members)
        #expect(try opener.open(later.bytes, as: later.name) == later.sealed)
        // The former object still opens with the former passphrase, and shows nothing newer.
        let former = try old.open(with: Passphrase("correct horse battery"))
        #expect(former[change.keyring.current.id] == nil)
    }

    @Test func aRemovedDeviceNeitherSignsKeysNorAdmits() throws {
        var world = try CloudWorld()
        let stolen = try world.join("Stolen")
        let code = RecoveryCode(using: &world.generator)
        let change = try change(&world, removing: [stolen.id], code: code)
        var members = world.members
        members.remove(stolen.id)
        let forged = try KeyObject(
            of: world.keyring,
            root: world.members.root,
            for: KeyObject.Recipients(
                members: [world.first.certificate],
                passphrase: nil,
                recoveryCode: code
            ),
            signer: stolen.signer,
            using: &world.generator
        )
        expectRefusal([.unknownSigner]) { try forged.verify(with: members) }
        let byMember = try world.make("Friend", admission: .member(stolen.id, stolen.keys))
        expectRefusal([.notAdmitted]) {
            try members.admit(byMember.certificate, keys: change.keyring)
        }
        // It still has the former epoch's key, with which it could admit devices then.
        let byEpoch = try world.make("Friend", admission: .epoch(world.keyring.current))
        expectRefusal([.notAdmitted]) {
            try members.admit(byEpoch.certificate, keys: change.keyring)
        }
    }

    /// A device that joins later reads the certificates of all devices, removed ones too.
    @Test func theListOfAKeyObjectCarriesFormerDevices() throws {
        var world = try CloudWorld()
        let stolen = try world.join("Stolen")
        let kept = try world.join("Kept")
        let code = RecoveryCode(using: &world.generator)
        let object = try change(&world, removing: [stolen.id], code: code).object
        let ring = try object.open(with: code)
        var members = MemberDirectory(library: world.library, root: object.root)
        let all = [kept, stolen, world.first].map(\.certificate)
        #expect(members.admitAll(all, keys: ring).count == 2)
        try object.verify(with: members)
        members.accept(object.listed)
        object.removed.forEach { members.remove($0) }
        #expect(members.admitAll(all, keys: ring).isEmpty)
        #expect(Set(members.members.map(\.device)) == [kept.id, world.first.id])
        #expect(object.removed == [stolen.id])
    }

    @Test func onlyOtherMembersAreRemoved() throws {
        var world = try CloudWorld()
        let code = RecoveryCode(using: &world.generator)
        let (first, stranger) = (world.first.id, CloudID(1, 2))
        for device in [first, stranger] {
            expectRefusal([.notAdmitted]) {
                _ = try change(&world, removing: [device], code: code)
            }
        }
    }

    /// Two epochs that begin at once: all devices use the later one, and both remain readable.
    @Test func concurrentEpochsAreBothReadable() throws {
        var world = try CloudWorld()
        let code = RecoveryCode(using: &world.generator)
        let left = try change(&world, removing: [], code: code).keyring
        let right = try change(&world, removing: [], code: code).keyring
        var rings = [left, right]
        for (index, other) in [(0, right), (1, left)] {
            for key in other.all { try rings[index].insert(key) }
            let early = stamp(1, left)
            let late = stamp(2, right)
            #expect(late.supersedes(early))
            let isKnown = rings[index].follow(late)
            #expect(isKnown)
            #expect(rings[index].current == right.current)
        }
        #expect(rings[0] == rings[1])
        var unknowing = left
        let isKnown = unknowing.follow(stamp(2, right))
        #expect(!isKnown)
        #expect(unknowing == left)
    }

    private func stamp(_ time: UInt64, _ ring: EpochKeyring) -> Register {
        Register(
            stamp: ChangeStamp(time: HybridTime(rawValue: time), device: CloudID(1, 1)),
            value: .bytes(ring.current.id.bytes)
        )
    }

    @Test func aNameHasOneKey() throws {
        var world = try CloudWorld()
        let id = world.keyring.current.id
        let zero = [UInt8](repeating: 0, count: 32)
        let other = try #require(EpochKey(library: world.library, id: id, bytes: zero))
        expectRefusal([.damaged]) { try world.keyring.insert(other) }
        let foreign = try #require(EpochKey(library: CloudID(1, 2), id: id, bytes: zero))
        expectRefusal([.otherLibrary]) { try world.keyring.insert(foreign) }
    }
}

extension CloudWorld {
    /// A segment of the first device, sealed with another ring.
    static func sealed(
        _ world: CloudWorld,
        ring: EpochKeyring
    ) throws -> (name: ObjectName, bytes: [UInt8], sealed: SealedSegment) {
        var world = world
        world.keyring = ring
        return try world.sealed(world.segment(of: world.first.id), by: world.first)
    }
}
