import CloudSync
import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Names of objects as text.
@Suite(.timeLimit(.minutes(1))) struct CloudIDTests {
    @Test func aNameIsTheUUIDOfItsBytes() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<200 {
            let halves = [generator.next(), generator.next()]
            let bytes = halves.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
            let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            let id = try #require(CloudID(uuid: uuid.uuidString), seed.comment)
            #expect([id.high, id.low] == halves, seed.comment)
            #expect(id.uuid == uuid.uuidString, seed.comment)
            #expect(CloudID(hexadecimal: id.hexadecimal) == id, seed.comment)
            let digits = uuid.uuidString.filter { $0 != "-" }.lowercased()
            #expect(id.hexadecimal == digits, seed.comment)
        }
    }

    @Test(
        arguments: [
            "", "0", "0123ABCD-0000-4000-8000-00000000000", "0123ABCD-0000-4000-8000-0000000000000",
            "0123abcd-0000-4000-8000-000000000000", "0123ABCD00004000800000000000000000",
            "0123ABCD0-000-4000-8000-000000000000", "0123ABCG-0000-4000-8000-000000000000",
            "0123ABCD-0000-4000-8000-000000000000-", "0123ABCD00000400008000000000000000000",
        ]
    )
    func anotherTextIsNoUUID(text: String) {
        #expect(CloudID(uuid: text) == nil)
    }

    @Test(
        arguments: [
            "", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
            "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdeg0123456789abcdef",
        ]
    )
    func anotherTextIsNoName(text: String) {
        #expect(CloudID(hexadecimal: text) == nil)
    }
}
