import CloudKeys
import CloudSync
import Crypto
import Foundation
import TestSupport
import Testing

/// A store sees neither words nor hashes of a library.
@Suite(.timeLimit(.minutes(3))) struct PlaintextScanTests {
    /// The forms in which a value could stand in an object.
    private static func forms(of value: Data) -> [Data] {
        let hexadecimal = value.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
        let encoded = value.base64EncodedString().filter { $0 != "=" }.dropLast(2)
        return [
            value, Data(value.reversed()), Data(hexadecimal.utf8),
            Data(hexadecimal.uppercased().utf8), Data(encoded.utf8),
        ]
    }

    @Test func noWordAndNoHashIsInAnyObject() async throws {
        let store = try await FilledStore()
        var secrets: [(what: String, bytes: Data)] = FilledStore.words.flatMap { word in
            [
                (word, Data(word.utf8)), (word, word.data(using: .utf16LittleEndian) ?? Data()),
                (word, Data(word.utf8.dropFirst(2))),
            ]
        }
        secrets += [
            ("SHA-256", Data(store.blob.content.bytes)),
            ("half of the SHA-256", Data(store.blob.content.first.bytes)),
            ("SHA-1", Data(Insecure.SHA1.hash(data: FilledStore.photo))),
            ("MD5", Data(Insecure.MD5.hash(data: FilledStore.photo))),
            ("epoch's key", Data(store.epochKey.bytes)),
            ("blob's key", Data(store.blob.record.key)),
            ("recovery code", Data(store.code.text.utf8)),
            ("signing key", Data(store.world.first.keys.signingSeed)),
            ("agreement key", Data(store.world.first.keys.agreementSeed)),
            ("signing public key", Data(store.world.first.keys.verificationKey.bytes)),
        ]
        let objects = try store.objects()
        #expect(objects.count == 7)
        for object in objects {
            for secret in secrets {
                for form in Self.forms(of: secret.bytes) {
                    #expect(object.bytes.range(of: form) == nil, "\(secret.what) in \(object.name)")
                    let name = Data(object.name.utf8)
                    #expect(name.range(of: form) == nil, "\(secret.what) in a name")
                }
            }
        }
        // The scan finds what is there: a folder of the same files without encryption.
        let plain = Data(store.segments.values.joined())
        for word in [FilledStore.title, FilledStore.file, "Ännis Laptop"] {
            #expect(plain.range(of: Data(word.utf8)) != nil)
        }
        #expect(plain.range(of: Data(store.blob.content.bytes)) != nil)
    }

    /// Encrypted bytes look random: each value of a byte is about equally frequent.
    @Test func theBlobLooksRandom() async throws {
        let store = try await FilledStore()
        let blob = try #require(try store.objects().first { $0.name.hasPrefix("blob/") })
        var counts = [Int](repeating: 0, count: 256)
        for byte in blob.bytes { counts[Int(byte)] += 1 }
        let mean = Double(blob.bytes.count) / 256
        let statistic = counts.reduce(0.0) { $0 + pow(Double($1) - mean, 2) / mean }
        // Chi-squared with 255 degrees of freedom exceeds this once in 10¹⁵.
        #expect(statistic < 500)
    }
}
