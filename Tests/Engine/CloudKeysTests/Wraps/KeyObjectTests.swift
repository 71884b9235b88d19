import CloudKeys
import CloudSync
import Foundation
import SamplePhotos
import TestSupport
import Testing

/// The objects that carry the keys of epochs.
@Suite(.timeLimit(.minutes(5))) struct KeyObjectTests {
    @Test func everyPartyOpensTheSameKeys() throws {
        var world = try CloudWorld()
        let second = try world.join()
        let (object, code) = try world.keyObject()
        let read = try KeyObject(decoding: object.encoded, named: object.name)
        #expect(read == object)
        #expect(try read.open(with: Passphrase("correct horse battery")) == world.keyring)
        #expect(try read.open(with: RecoveryCode(reading: code.text)) == world.keyring)
        for device in [world.first, second] {
            let ring = try read.open(as: device.id, keys: device.keys, members: world.members)
            #expect(ring == world.keyring)
        }
        #expect(read.root == world.first.certificate.fingerprint)
    }

    /// The cost that programs use; it also shows that its memory can be had.
    @Test func theStandardCostWorks() throws {
        var world = try CloudWorld()
        let (object, _) = try world.keyObject(cost: .standard)
        #expect(try object.open(with: Passphrase("correct horse battery")) == world.keyring)
    }

    @Test func aPassphraseMayBeTypedOnAnyKeyboard() throws {
        var world = try CloudWorld()
        let (object, _) = try world.keyObject(passphrase: "Käse & Brot ①２")
        let decomposed = "Ka\u{308}se & Brot 12"
        #expect(try object.open(with: Passphrase(decomposed)) == world.keyring)
        expectRefusal([.wrongPassphrase]) {
            _ = try object.open(with: Passphrase("Kase & Brot 12"))
        }
    }

    @Test(arguments: ["", "short", "tab\tinside it", "line\nbreak inside"])
    func unsuitablePassphrasesAreRefused(_ text: String) {
        expectRefusal([.unsuitablePassphrase]) { _ = try Passphrase(text) }
        expectRefusal([.unsuitablePassphrase]) {
            _ = try Passphrase(String(repeating: "long", count: 300))
        }
    }

    @Test func wrongSecretsAreNamed() throws {
        var world = try CloudWorld()
        let (object, _) = try world.keyObject()
        let other = RecoveryCode(using: &world.generator)
        expectRefusal([.wrongPassphrase]) {
            _ = try object.open(with: Passphrase("correct horse batterY"))
        }
        expectRefusal([.wrongRecoveryCode]) { _ = try object.open(with: other) }
        let (without, _) = try world.keyObject(passphrase: nil)
        expectRefusal([.noWrap]) {
            _ = try without.open(with: Passphrase("correct horse battery"))
        }
        let late = try world.make()
        expectRefusal([.noWrap]) {
            _ = try object.open(as: late.id, keys: late.keys, members: world.members)
        }
        let (again, _) = try world.keyObject()
        #expect(again.encoded != object.encoded)
    }

    /// Another device's keys do not open this device's wrap.
    @Test func aWrapIsForOneDevice() throws {
        var world = try CloudWorld()
        let second = try world.join()
        let (object, _) = try world.keyObject()
        expectRefusal([.damaged]) {
            _ = try object.open(as: world.first.id, keys: second.keys, members: world.members)
        }
    }

    /// Whoever knows a member's public key can make an object for it, but not sign it.
    @Test func onlyMembersGiveKeys() throws {
        var world = try CloudWorld()
        let stranger = try world.make("Stranger")
        let forged = try KeyObject(
            of: EpochKeyring(EpochKey(library: world.library, using: &world.generator)),
            root: world.members.root,
            for: KeyObject.Recipients(
                members: [world.first.certificate],
                passphrase: nil,
                recoveryCode: RecoveryCode(using: &world.generator)
            ),
            signer: stranger.signer,
            using: &world.generator
        )
        expectRefusal([.unknownSigner]) {
            _ = try forged.open(
                as: world.first.id,
                keys: world.first.keys,
                members: world.members
            )
        }
        let claimed = try KeyObject(
            of: world.keyring,
            root: world.members.root,
            for: KeyObject.Recipients(
                members: [world.first.certificate],
                passphrase: nil,
                recoveryCode: RecoveryCode(using: &world.generator)
            ),
            signer: KeyObject.Signer(device: world.first.id, keys: stranger.keys),
            using: &world.generator
        )
        expectRefusal([.wrongSignature]) { try claimed.verify(with: world.members) }
    }

    @Test func anObjectOfAnotherLibraryIsRefused() throws {
        var world = try CloudWorld()
        let other = try CloudWorld(seed: 2)
        let (object, _) = try world.keyObject()
        expectRefusal([.otherLibrary]) { try object.verify(with: other.members) }
    }

    /// Each byte of an object, whoever opens it: an error, never another key and never a trap.
    @Test func everyFlippedByteIsRefused() throws {
        let seed = TestSeed()
        var world = try CloudWorld(seed: seed.value)
        let (object, code) = try world.keyObject()
        let bytes = object.encoded
        let passphrase = try Passphrase("correct horse battery")
        let first = world.first
        for (index, flipped) in Damage.flips(of: bytes) {
            let comment: Comment = "byte \(index), \(seed)"
            guard let read = try? KeyObject(decoding: flipped, named: object.name) else { continue }
            #expect(throws: CloudKeyError.self, comment) {
                try read.open(as: first.id, keys: first.keys, members: world.members)
            }
            // What these do not need, another party's wrap or the signature, may be altered.
            for ring in [try? read.open(with: passphrase), try? read.open(with: code)] {
                guard let ring else { continue }
                #expect(ring == world.keyring, comment)
                #expect(read.root == object.root, comment)
            }
        }
        expectRefusal([.wrongSignature]) {
            try KeyObject(decoding: bytes, named: CloudID(1, 1)).verify(with: world.members)
        }
    }

    @Test func mutationsNeverTrap() throws {
        let seed = TestSeed()
        var world = try CloudWorld(seed: seed.value)
        let (object, code) = try world.keyObject(passphrase: nil)
        let bytes = object.encoded
        for _ in 0..<5_000 {
            let mutated = Damage.mutate(bytes, using: &world.generator)
            guard mutated != bytes,
                let read = try? KeyObject(decoding: mutated, named: object.name)
            else { continue }
            #expect(throws: CloudKeyError.self, seed.comment) {
                try read.verify(with: world.members)
            }
            guard let ring = try? read.open(with: code) else { continue }
            #expect(ring == world.keyring, seed.comment)
        }
    }

    /// A store cannot make a device allocate gigabytes.
    @Test func claimedCostsAreBounded() {
        #expect(ScryptCost(exponent: 17, blockSize: 8, parallelism: 1) == .standard)
        #expect(ScryptCost(exponent: 20, blockSize: 8, parallelism: 1) == nil)
        #expect(ScryptCost(exponent: 63, blockSize: 8, parallelism: 1) == nil)
        #expect(ScryptCost(exponent: 255, blockSize: 255, parallelism: 255) == nil)
        #expect(ScryptCost(exponent: 17, blockSize: 8, parallelism: 0) == nil)
        #expect(ScryptCost(exponent: 0, blockSize: 8, parallelism: 1) == nil)
    }

    @Test func aLaterFormatIsNamed() throws {
        var world = try CloudWorld()
        let (object, _) = try world.keyObject()
        var bytes = object.encoded
        bytes[3] = UInt8(ascii: "2")
        expectRefusal([.laterVersion]) { _ = try KeyObject(decoding: bytes, named: object.name) }
        let large = bytes + [UInt8](repeating: 0, count: 4 << 20)
        expectRefusal([.outOfBounds]) { _ = try KeyObject(decoding: large, named: object.name) }
    }
}
