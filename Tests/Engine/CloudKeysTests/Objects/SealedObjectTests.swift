import CloudKeys
import CloudSync
import TestSupport
import Testing

/// The encryption of whole objects.
@Suite(.timeLimit(.minutes(2))) struct SealedObjectTests {
    private static let content = Array("A photo of the sea".utf8)

    @Test(arguments: ObjectCipher.allCases)
    func contentsSurvive(_ cipher: ObjectCipher) throws {
        let world = try CloudWorld()
        for count in [0, 1, 250, 251, 252, 257, 1000, 100_000] {
            let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = try SealedObject.seal(
                content,
                named: "snap/1/2",
                purpose: .snapshot,
                epoch: world.keyring.current,
                cipher: cipher
            )
            let opened = try SealedObject.open(
                sealed,
                named: "snap/1/2",
                purpose: .snapshot,
                keys: world.keyring
            )
            #expect(opened.content == content)
        }
    }

    /// Contents of 257 sizes may share one size of the object; at most an eighth is padding.
    @Test func sizesAreRounded() throws {
        let world = try CloudWorld()
        var sizes: Set<Int> = []
        for count in stride(from: 0, through: 4096, by: 7) {
            let sealed = try SealedObject.seal(
                [UInt8](repeating: 1, count: count),
                named: "pack/1/2",
                purpose: .pack,
                epoch: world.keyring.current
            )
            sizes.insert(sealed.count)
            #expect(sealed.count <= max(256, (count + 5) * 9 / 8) + 69 + 1)
        }
        // 256, then eight steps for each of four powers of two, and the first of the next.
        #expect(sizes.count == 1 + 4 * 8 + 1)
    }

    @Test func aNameAndAPurposeHaveTheirOwnObject() throws {
        let world = try CloudWorld()
        let sealed = try SealedObject.seal(
            Self.content,
            named: "snap/1/2",
            purpose: .snapshot,
            epoch: world.keyring.current
        )
        expectRefusal([.damaged]) {
            _ = try SealedObject.open(
                sealed,
                named: "snap/1/3",
                purpose: .snapshot,
                keys: world.keyring
            )
        }
        for purpose in KeyPurpose.allCases where purpose != .snapshot {
            expectRefusal([.damaged]) {
                _ = try SealedObject.open(
                    sealed,
                    named: "snap/1/2",
                    purpose: purpose,
                    keys: world.keyring
                )
            }
        }
        let other = try CloudWorld(seed: 9)
        expectRefusal([.unknownEpoch]) {
            _ = try SealedObject.open(
                sealed,
                named: "snap/1/2",
                purpose: .snapshot,
                keys: other.keyring
            )
        }
    }

    /// Equal contents under one name are equal objects; nothing else shares a key.
    @Test func sealingNeedsNoRandomNumbers() throws {
        let world = try CloudWorld()
        func seal(_ content: [UInt8], _ name: String) throws -> [UInt8] {
            try SealedObject.seal(
                content,
                named: name,
                purpose: .snapshot,
                epoch: world.keyring.current
            )
        }
        let sealed = try seal(Self.content, "snap/1/2")
        #expect(try seal(Self.content, "snap/1/2") == sealed)
        let others = [
            try seal(Self.content, "snap/1/3"), try seal(Self.content + [0], "snap/1/2"),
        ]
        for other in others {
            #expect(other[21..<53] != sealed[21..<53])
            // The ciphertexts of almost equal contents have nothing in common.
            let equal = zip(other[53...], sealed[53...]).filter(==).count
            #expect(equal < 20)
        }
    }

    @Test func everyFlippedByteAndEveryCutIsRefused() throws {
        let world = try CloudWorld()
        for cipher in ObjectCipher.allCases {
            let sealed = try SealedObject.seal(
                Self.content,
                named: "snap/1/2",
                purpose: .snapshot,
                epoch: world.keyring.current,
                cipher: cipher
            )
            var copies = Damage.flips(of: sealed).map(\.bytes)
            copies += (0..<sealed.count).map { Array(sealed.prefix($0)) }
            copies += [sealed + [0], [0] + sealed]
            for copy in copies {
                #expect(throws: CloudKeyError.self) {
                    try SealedObject.open(
                        copy,
                        named: "snap/1/2",
                        purpose: .snapshot,
                        keys: world.keyring
                    )
                }
            }
        }
    }

    @Test func theProcessorDecidesTheCipher() {
        let intel = "processor : 0\nflags\t\t: fpu vme aes avx\n"
        let pi = "processor : 0\nFeatures\t: half thumb fastmult vfp neon\n"
        let arm = "Features\t: fp asimd aes pmull sha1\n"
        #expect(ObjectCipher(processor: intel) == .aesGCM)
        #expect(ObjectCipher(processor: arm) == .aesGCM)
        #expect(ObjectCipher(processor: pi) == .chaChaPoly)
        #expect(ObjectCipher(processor: "") == .chaChaPoly)
    }
}
