import CloudKeys
import Crypto
import Foundation
import TestSupport
import Testing

/// The published vectors of the primitives that the formats use.
@Suite(.timeLimit(.minutes(2))) struct PublishedVectorTests {
    /// RFC 7914, section 12.
    @Test(arguments: [
        (
            "", "", 16, 1, 1,
            """
            77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
            fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
            """
        ),
        (
            "password", "NaCl", 1024, 8, 16,
            """
            fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
            2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
            """
        ),
        (
            "pleaseletmein", "SodiumChloride", 16384, 8, 1,
            """
            7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
            d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
            """
        ),
    ])
    func scrypt(
        _ password: String,
        _ salt: String,
        _ rounds: Int,
        _ blockSize: Int,
        _ parallelism: Int,
        _ expected: String
    ) throws {
        let key = try #require(
            Scrypt.key(
                from: Array(password.utf8),
                salt: Array(salt.utf8),
                rounds: UInt64(rounds),
                blockSize: UInt64(blockSize),
                parallelism: UInt64(parallelism),
                count: 64
            )
        )
        #expect(key.withUnsafeBytes { Array($0) } == bytes(expected))
    }

    /// RFC 5869, appendices A.1 and A.3.
    @Test func hkdf() {
        let secret = SymmetricKey(data: [UInt8](repeating: 0x0B, count: 22))
        let first = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret,
            salt: bytes("000102030405060708090a0b0c"),
            info: bytes("f0f1f2f3f4f5f6f7f8f9"),
            outputByteCount: 42
        )
        let expected = bytes(
            """
            3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf
            34007208d5b887185865
            """
        )
        #expect(first.withUnsafeBytes { Array($0) } == expected)
        let third = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret,
            salt: [UInt8](),
            info: [UInt8](),
            outputByteCount: 42
        )
        let plain = bytes(
            """
            8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d
            9d201395faa4b61a96c8
            """
        )
        #expect(third.withUnsafeBytes { Array($0) } == plain)
    }

    /// The specification of GCM by McGrew and Viega, test cases 13 and 16.
    @Test func aesGCM() throws {
        let zero = try AES.GCM.seal(
            [UInt8](),
            using: SymmetricKey(data: [UInt8](repeating: 0, count: 32)),
            nonce: AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12))
        )
        #expect(Array(zero.tag) == bytes("530f8afbc74536b9a963b4f1c4cb738b"))
        let key = "feffe9928665731c6d6a8f9467308308"
        let box = try AES.GCM.seal(
            bytes(
                """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
                """
            ),
            using: SymmetricKey(data: bytes(key + key)),
            nonce: AES.GCM.Nonce(data: bytes("cafebabefacedbaddecaf888")),
            authenticating: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        )
        let expected = bytes(
            """
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
            8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
            """
        )
        #expect(Array(box.ciphertext) == expected)
        #expect(Array(box.tag) == bytes("76fc6ece0f4e1768cddf8853bb2d551b"))
    }

    /// RFC 8439, section 2.8.2.
    @Test func chaCha20Poly1305() throws {
        let text =
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for"
            + " the future, sunscreen would be it."
        let box = try ChaChaPoly.seal(
            Array(text.utf8),
            using: SymmetricKey(data: (0x80..<0xA0).map { UInt8($0) }),
            nonce: ChaChaPoly.Nonce(data: bytes("070000004041424344454647")),
            authenticating: bytes("50515253c0c1c2c3c4c5c6c7")
        )
        #expect(Array(box.ciphertext.prefix(8)) == bytes("d31a8d34648e60db"))
        #expect(Array(box.tag) == bytes("1ae10b594f09e26a7e902ecbd0600691"))
    }

    /// RFC 8032, section 7.1, test 1.
    ///
    /// Signatures must not depend on random numbers.
    @Test func ed25519() throws {
        let key = try Curve25519.Signing.PrivateKey(
            rawRepresentation: bytes(
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
            )
        )
        let expected = bytes(
            """
            e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
            5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
            """
        )
        #expect(try Array(key.signature(for: [UInt8]())) == expected)
    }

    private struct Vectors: Decodable {
        struct Message: Decodable { var context, plaintext, ciphertext: String }
        struct Export: Decodable { var context, secret: String }
        struct HPKECase: Decodable {
            var aead: Int
            var info, privateKey, encapsulated: String
            var messages: [Message]
            var exports: [Export]
        }
        struct XWingCase: Decodable { var seed, publicKeySHA256, encapsulated, secret: String }
        var hpke: [HPKECase]
        var xWing: [XWingCase]

        static func read() throws -> Vectors {
            let file = SharedData.packageRoot
                .appendingPathComponent("Tests/Resources/hpke-vectors.json")
            return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        }
    }

    /// RFC 9180, appendix A: the key schedule, the cipher and the exported secrets.
    @Test func hpke() throws {
        for vector in try Vectors.read().hpke {
            var recipient = try HPKE.Recipient(
                privateKey: Curve25519.KeyAgreement.PrivateKey(
                    rawRepresentation: bytes(vector.privateKey)
                ),
                ciphersuite: HPKE.Ciphersuite(
                    kem: .Curve25519_HKDF_SHA256,
                    kdf: .HKDF_SHA256,
                    aead: vector.aead == 2 ? .AES_GCM_256 : .chaChaPoly
                ),
                info: Data(bytes(vector.info)),
                encapsulatedKey: Data(bytes(vector.encapsulated))
            )
            for message in vector.messages {
                let plain = try recipient.open(
                    bytes(message.ciphertext),
                    authenticating: bytes(message.context)
                )
                #expect(Array(plain) == bytes(message.plaintext))
            }
            for export in vector.exports {
                let secret = try recipient.exportSecret(
                    context: bytes(export.context),
                    outputByteCount: 32
                )
                #expect(secret.withUnsafeBytes { Array($0) } == bytes(export.secret))
            }
        }
    }

    /// The draft of X-Wing, appendix C.
    @Test func xWing() throws {
        for vector in try Vectors.read().xWing {
            let key = try XWingMLKEM768X25519.PrivateKey(
                seedRepresentation: bytes(vector.seed),
                publicKey: nil
            )
            let hash = SHA256.hash(data: key.publicKey.rawRepresentation)
            #expect(Array(hash) == bytes(vector.publicKeySHA256))
            let secret = try key.decapsulate(Data(bytes(vector.encapsulated)))
            #expect(secret.withUnsafeBytes { Array($0) } == bytes(vector.secret))
        }
    }
}
