import FoundationEssentials
import LibraryService
import PhotoModel
import Testing

@Suite(.timeLimit(.minutes(2))) struct RowIDBufferTests {
    @Test func encodesAsRawLittleEndianBytes() throws {
        let buffer = RowIDBuffer([1, -2, 0x0102_0304_0506_0708])
        let json = try JSONEncoder().encode(["ids": buffer])
        let texts = try JSONDecoder().decode([String: String].self, from: json)
        let bytes = try #require(texts["ids"].flatMap { Data(base64Encoded: $0) })
        #expect(
            Array(bytes) == [
                1, 0, 0, 0, 0, 0, 0, 0,
                0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                8, 7, 6, 5, 4, 3, 2, 1,
            ]
        )
    }

    @Test func keepsOrderAndRepeats() throws {
        try expectRoundTrip(RowIDBuffer([3, 1, 3, .min, .max, 0]))
        try expectRoundTrip(RowIDBuffer())
    }

    @Test func costsEightBytesPerID() throws {
        let buffer = RowIDBuffer(0..<100_000 as Range<Int64>)
        let list = PropertyListEncoder()
        list.outputFormat = .binary
        #expect(try list.encode([buffer]).count < 800_200)
        try expectRoundTrip(buffer)
    }

    @Test(arguments: [1, 7, 9, 15]) func refusesAPartOfAnID(_ count: Int) throws {
        let json = try JSONEncoder().encode([Data(count: count)])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([RowIDBuffer].self, from: json)
        }
    }

    @Test func refusesAListOfNumbers() throws {
        let json = try JSONEncoder().encode([[1, 2, 3]])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([RowIDBuffer].self, from: json)
        }
    }
}
