import CloudKeys
import CloudSync
import PhotoModel
import TestSupport
import Testing

/// Segments as they are in a store.
@Suite(.timeLimit(.minutes(3))) struct SegmentSealerTests {
    @Test(arguments: ObjectCipher.allCases)
    func aSegmentSurvives(_ cipher: ObjectCipher) throws {
        var world = try CloudWorld()
        let second = try world.join()
        for device in [world.first, second] {
            let object = try world.sealed(
                world.segment(of: device.id, sequence: 3),
                by: device,
                cipher: cipher
            )
            let opener = SegmentOpener(keyring: world.keyring, members: world.members)
            #expect(try opener.open(object.bytes, as: object.name) == object.sealed)
            #expect(ObjectName(object.name.description) == object.name)
        }
    }

    /// A retry after a crash sends the same bytes under the same name.
    @Test func sealingIsRepeatable() throws {
        let world = try CloudWorld()
        let segment = world.segment(of: world.first.id)
        let one = try world.sealed(segment, by: world.first)
        let two = try world.sealed(segment, by: world.first)
        #expect(one.name == two.name && one.bytes == two.bytes)
    }

    /// The hash, by which a clone's segment differs, depends on the content and on the epoch.
    @Test func contentsHaveTheirOwnNames() throws {
        var world = try CloudWorld()
        let one = try world.sealed(world.segment(of: world.first.id), by: world.first)
        let two = try world.sealed(world.segment(of: world.first.id, title: "See"), by: world.first)
        world.keyring = EpochKeyring(EpochKey(library: world.library, using: &world.generator))
        let three = try world.sealed(world.segment(of: world.first.id), by: world.first)
        #expect(Set([one.name, two.name, three.name]).count == 3)
    }

    @Test func noObjectIsAcceptedUnderAnotherName() throws {
        var world = try CloudWorld()
        let second = try world.join()
        let opener = SegmentOpener(keyring: world.keyring, members: world.members)
        let object = try world.sealed(
            world.segment(of: world.first.id, sequence: 4),
            by: world.first
        )
        let hash = object.sealed.hash
        let names: [ObjectName] = [
            .segment(second.id, LogPosition(sequence: 4, hash: hash)),
            .segment(world.first.id, LogPosition(sequence: 5, hash: hash)),
            .segment(world.first.id, LogPosition(sequence: 4, hash: CloudID(1, 2))),
        ]
        for name in names {
            expectRefusal([.wrongSignature]) { _ = try opener.open(object.bytes, as: name) }
        }
        expectRefusal([.damaged]) { _ = try opener.open(object.bytes, as: .head(world.first.id)) }
    }

    /// A member that signs another's segment anew as its own does not get it accepted.
    @Test func aMemberCannotTakeOverASegment() throws {
        var world = try CloudWorld()
        let second = try world.join()
        let opener = SegmentOpener(keyring: world.keyring, members: world.members)
        let segment = world.segment(of: world.first.id)
        // Sealed by the second device under the first one's name.
        let forged = try world.sealed(segment, by: second)
        expectRefusal([.wrongSignature]) { _ = try opener.open(forged.bytes, as: forged.name) }
        // The first device's content under a name of the second device.
        let sealer = SegmentSealer(keyring: world.keyring, keys: second.keys)
        let hash = sealer.hash(of: segment)
        let stolen = try sealer.seal(SealedSegment(segment: segment, hash: hash))
        let name = ObjectName.segment(second.id, LogPosition(sequence: 1, hash: hash))
        expectRefusal([.wrongSignature]) { _ = try opener.open(stolen, as: name) }
    }

    @Test func unknownDevicesAreNamed() throws {
        var world = try CloudWorld()
        let stranger = try world.make("Stranger")
        let object = try world.sealed(world.segment(of: stranger.id), by: stranger)
        let opener = SegmentOpener(keyring: world.keyring, members: world.members)
        expectRefusal([.unknownSigner]) { _ = try opener.open(object.bytes, as: object.name) }
    }

    /// A segment that was built before the epoch changed keeps its name and its epoch.
    @Test func aPendingSegmentSurvivesAChangeOfTheEpoch() throws {
        var world = try CloudWorld()
        let segment = world.segment(of: world.first.id)
        let before = try world.sealed(segment, by: world.first)
        let change = try world.beginEpoch()
        let sealer = SegmentSealer(
            keyring: change.keyring,
            keys: world.first.keys,
            cipher: .aesGCM
        )
        #expect(try sealer.seal(before.sealed) == before.bytes)
        #expect(sealer.hash(of: segment) != before.sealed.hash)
        let wrong = SealedSegment(segment: segment, hash: CloudID(1, 2))
        expectRefusal([.unknownEpoch]) { _ = try sealer.seal(wrong) }
    }

    @Test func everyFlippedByteAndEveryCutIsRefused() throws {
        let world = try CloudWorld()
        let opener = SegmentOpener(keyring: world.keyring, members: world.members)
        let object = try world.sealed(world.segment(of: world.first.id), by: world.first)
        for (index, flipped) in Damage.flips(of: object.bytes) {
            #expect(throws: CloudKeyError.self, "byte \(index)") {
                try opener.open(flipped, as: object.name)
            }
        }
        for count in 0..<object.bytes.count {
            #expect(throws: CloudKeyError.self, "\(count) bytes") {
                try opener.open(Array(object.bytes.prefix(count)), as: object.name)
            }
        }
    }

    @Test func mutationsNeverTrap() throws {
        let seed = TestSeed()
        var world = try CloudWorld(seed: seed.value)
        let opener = SegmentOpener(keyring: world.keyring, members: world.members)
        let object = try world.sealed(world.segment(of: world.first.id), by: world.first)
        for _ in 0..<3_000 {
            let mutated = Damage.mutate(object.bytes, using: &world.generator)
            guard mutated != object.bytes else { continue }
            #expect(throws: CloudKeyError.self, seed.comment) {
                try opener.open(mutated, as: object.name)
            }
        }
    }

    /// A member with the key and a valid signature may still write nonsense; it is an error.
    @Test func signedNonsenseIsAnError() throws {
        let seed = TestSeed()
        var world = try CloudWorld(seed: seed.value)
        let members = world.members
        let opener = SegmentOpener(keyring: world.keyring, members: members)
        var segment = world.segment(of: world.first.id)
        segment.transactions[0].time.rawValue = .max
        let object = try world.sealed(segment, by: world.first)
        expectRefusal([.damaged], seed.comment) {
            _ = try opener.open(object.bytes, as: object.name)
        }
        segment = world.segment(of: world.first.id)
        segment.previous = CloudID(using: &world.generator)
        let wrong = try world.sealed(segment, by: world.first)
        expectRefusal([.damaged], seed.comment) {
            _ = try opener.open(wrong.bytes, as: wrong.name)
        }
    }
}
