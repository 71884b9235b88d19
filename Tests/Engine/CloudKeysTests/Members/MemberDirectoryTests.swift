import CloudKeys
import CloudSync
import PhotoModel
import TestSupport
import Testing

/// Certificates, and who may issue them.
@Suite(.timeLimit(.minutes(3))) struct MemberDirectoryTests {
    @Test func aCertificateSurvives() throws {
        let world = try CloudWorld()
        let certificate = world.first.certificate
        let read = try DeviceCertificate(decoding: certificate.encoded, of: world.first.id)
        #expect(read == certificate)
        #expect(read.name == "Ännis Laptop")
        let sealed = try certificate.sealed(with: world.keyring.current)
        let opened = try DeviceCertificate(
            opening: sealed,
            of: world.first.id,
            keys: world.keyring
        )
        #expect(opened == certificate)
        expectRefusal([.damaged]) {
            _ = try DeviceCertificate(opening: sealed, of: CloudID(1, 2), keys: world.keyring)
        }
    }

    @Test func membersAndHoldersOfTheKeyAdmit() throws {
        var world = try CloudWorld()
        let second = try world.join()
        let third = try world.join("Third", admission: .member(second.id, second.keys))
        let all = world.members.members.map(\.device)
        #expect(Set(all) == [world.first.id, second.id, third.id])
    }

    /// Files arrive in any order.
    @Test func theOrderOfCertificatesMakesNoDifference() throws {
        let seed = TestSeed()
        var world = try CloudWorld(seed: seed.value)
        var chain = [world.first]
        for number in 0..<5 {
            let last = try #require(chain.last)
            chain.append(
                try world.make("Device \(number)", admission: .member(last.id, last.keys))
            )
        }
        for _ in 0..<20 {
            var members = MemberDirectory(library: world.library, root: world.members.root)
            let shuffled = chain.map(\.certificate).shuffled(using: &world.generator)
            #expect(members.admitAll(shuffled, keys: world.keyring).isEmpty, seed.comment)
            #expect(members.certificates.count == chain.count, seed.comment)
        }
    }

    @Test func strangersAreNotAdmitted() throws {
        var world = try CloudWorld()
        // Another device that says that it made the library.
        let impostor = try world.make("Impostor", admission: .itself)
        expectRefusal([.notAdmitted]) {
            try world.members.admit(impostor.certificate, keys: world.keyring)
        }
        // Issued by a device without a certificate.
        let friend = try world.make("Friend", admission: .member(impostor.id, impostor.keys))
        expectRefusal([.unknownSigner]) {
            try world.members.admit(friend.certificate, keys: world.keyring)
        }
        // In the name of a member, with other keys.
        let forged = try world.make("Forged", admission: .member(world.first.id, impostor.keys))
        expectRefusal([.wrongSignature]) {
            try world.members.admit(forged.certificate, keys: world.keyring)
        }
        // By the key of an epoch that nobody here knows, and by a wrong key of this one.
        let unknown = EpochKey(library: world.library, using: &world.generator)
        let outsider = try world.make("Outsider", admission: .epoch(unknown))
        expectRefusal([.unknownEpoch]) {
            try world.members.admit(outsider.certificate, keys: world.keyring)
        }
        let guess = try #require(
            EpochKey(library: world.library, id: world.keyring.current.id, bytes: unknown.bytes)
        )
        let guesser = try world.make("Guesser", admission: .epoch(guess))
        expectRefusal([.wrongSignature]) {
            try world.members.admit(guesser.certificate, keys: world.keyring)
        }
        // Of another library.
        var other = try CloudWorld(seed: 2)
        let foreign = try other.make("Foreign")
        expectRefusal([.otherLibrary]) {
            try world.members.admit(foreign.certificate, keys: world.keyring)
        }
        #expect(world.members.members.map(\.device) == [world.first.id])
    }

    @Test func aDeviceHasOneCertificate() throws {
        var world = try CloudWorld()
        let second = try world.join()
        try world.members.admit(second.certificate, keys: world.keyring)
        let renamed = try DeviceCertificate(
            library: world.library,
            device: second.id,
            name: "Renamed",
            keys: second.keys,
            admission: .epoch(world.keyring.current)
        )
        expectRefusal([.notAdmitted]) {
            try world.members.admit(renamed, keys: world.keyring)
        }
    }

    @Test func namesOfMoreThan256BytesAreRefused() throws {
        var world = try CloudWorld()
        let name = String(repeating: "ä", count: 128)
        #expect(try world.make(name).certificate.name == name)
        expectRefusal([.outOfBounds]) { _ = try world.make(name + "a") }
    }

    /// No flipped byte of a certificate is accepted, by the sealed object or by itself.
    @Test func everyFlippedByteIsRefused() throws {
        var world = try CloudWorld()
        let second = try world.make()
        for (index, flipped) in Damage.flips(of: second.certificate.encoded) {
            #expect(throws: CloudKeyError.self, "byte \(index)") {
                let read = try DeviceCertificate(decoding: flipped, of: second.id)
                try world.members.admit(read, keys: world.keyring)
            }
        }
        let sealed = try second.certificate.sealed(with: world.keyring.current)
        for (index, flipped) in Damage.flips(of: sealed) {
            #expect(throws: CloudKeyError.self, "byte \(index)") {
                try DeviceCertificate(opening: flipped, of: second.id, keys: world.keyring)
            }
        }
    }

    @Test func mutationsNeverTrap() throws {
        let seed = TestSeed()
        var world = try CloudWorld(seed: seed.value)
        let device = try world.make()
        let bytes = device.certificate.encoded
        for _ in 0..<5_000 {
            let mutated = Damage.mutate(bytes, using: &world.generator)
            guard mutated != bytes,
                let read = try? DeviceCertificate(decoding: mutated, of: device.id)
            else { continue }
            #expect(throws: CloudKeyError.self, seed.comment) {
                try world.members.admit(read, keys: world.keyring)
            }
        }
    }

    // MARK: - Configurations

    private func configuration(
        _ world: inout CloudWorld,
        time: UInt64,
        by device: TestDevice? = nil
    ) throws -> LibraryConfiguration {
        let device = device ?? world.first
        return try LibraryConfiguration(
            name: CloudID(using: &world.generator),
            library: world.library,
            time: HybridTime(rawValue: time),
            probe: Array("probe".utf8),
            signer: device.id,
            keys: device.keys
        )
    }

    @Test func theNewestConfigurationOfAMemberCounts() throws {
        var world = try CloudWorld()
        let stranger = try world.make("Stranger")
        let old = try configuration(&world, time: 1)
        let new = try configuration(&world, time: 2)
        let forged = try configuration(&world, time: 3, by: stranger)
        let read = try LibraryConfiguration(decoding: new.encoded, named: new.name)
        #expect(read == new)
        let newest = LibraryConfiguration.newest(of: [forged, new, old], members: world.members)
        #expect(newest == new)
        expectRefusal([.unknownSigner]) { try forged.verify(with: world.members) }
        let other = try CloudWorld(seed: 5)
        expectRefusal([.otherLibrary]) { try new.verify(with: other.members) }
        // Under another name.
        let renamed = try LibraryConfiguration(decoding: new.encoded, named: old.name)
        expectRefusal([.wrongSignature]) { try renamed.verify(with: world.members) }
        for (index, flipped) in Damage.flips(of: new.encoded) {
            #expect(throws: CloudKeyError.self, "byte \(index)") {
                try LibraryConfiguration(decoding: flipped, named: new.name)
                    .verify(with: world.members)
            }
        }
        for count in 0..<new.encoded.count {
            #expect(throws: CloudKeyError.self) {
                let cut = Array(new.encoded.prefix(count))
                try LibraryConfiguration(decoding: cut, named: new.name)
                    .verify(with: world.members)
            }
        }
    }
}
