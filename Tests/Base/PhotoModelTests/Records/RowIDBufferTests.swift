import Foundation
import PhotoModel
import TestSupport
import Testing

/// Row ids as bytes.
@Suite(.timeLimit(.minutes(1))) struct RowIDBufferTests {
    @Test func idsComeBackFromTheirBytes() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for count in [0, 1, 2, 100] {
            let ids = (0..<count).map { _ in Int64.random(in: .min ... .max, using: &generator) }
            let buffer = RowIDBuffer(ids)
            let data = try JSONEncoder().encode([buffer])
            #expect(try JSONDecoder().decode([RowIDBuffer].self, from: data) == [buffer])
            #expect(Array(buffer) == ids && buffer.count == count)
        }
    }

    @Test func bytesAreLittleEndian() throws {
        let data = try JSONEncoder().encode([RowIDBuffer([0x0102, -1])])
        let text = Data([2, 1, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 255, count: 8))
            .base64EncodedString()
        #expect(try JSONDecoder().decode([String].self, from: data) == [text])
    }

    @Test(arguments: [1, 7, 9, 15])
    func otherLengthsAreRefused(_ length: Int) throws {
        let text = Data(repeating: 1, count: length).base64EncodedString()
        let data = try JSONEncoder().encode([text])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([RowIDBuffer].self, from: data)
        }
    }
}
