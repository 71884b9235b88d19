import Media
import Testing

/// Views of untrusted bytes, which answer any offset.
@Suite(.timeLimit(.minutes(1))) struct ByteViewTests {
    private static let bytes: [UInt8] = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x41, 0xa9,
    ]

    private func view<Value>(_ body: (ByteView) throws -> Value) rethrows -> Value {
        try Self.bytes.withUnsafeBytes { try body(ByteView($0)) }
    }

    private static let offsets = [Int.min, -1, 0, 3, 9, 10, 11, .max]

    @Test(arguments: offsets, offsets) func partsAreInsideOrNone(_ offset: Int, _ length: Int) {
        view { view in
            let range = 0...view.count
            let isInside =
                range.contains(offset) && length >= 0 && range.contains(length)
                && offset + length <= view.count
            let part = view.part(at: offset, length: length)
            #expect((part != nil) == isInside)
            if let part {
                #expect(Array(part.bytes) == Array(Self.bytes[offset..<offset + length]))
            }
            let available = view.available(at: offset, length: length)
            let expected =
                range.contains(offset) && length > 0
                ? Array(Self.bytes[offset...].prefix(length)) : []
            #expect(Array(available.bytes) == expected)
        }
    }

    @Test func numbersHaveTheirByteOrder() {
        view { view in
            #expect(view.number(at: 0, length: 8) == 0x0102_0304_0506_0708)
            #expect(view.number(at: 0, length: 8, isBigEndian: false) == 0x0807_0605_0403_0201)
            #expect(view.number(at: 1, length: 3) == 0x020304)
            #expect(view.integer16(at: 2) == 0x0304)
            #expect(view.integer16(at: 2, isBigEndian: false) == 0x0403)
            #expect(view.integer32(at: 4) == 0x0506_0708)
            #expect(view.integer32(at: 4, isBigEndian: false) == 0x0807_0605)
            for length in [0, 9, -1] { #expect(view.number(at: 0, length: length) == nil) }
            #expect(view.number(at: 9, length: 2) == nil && view.integer32(at: 8) == nil)
            #expect(view.byte(at: 9) == 0xa9)
            for offset in [-1, 10, .max] { #expect(view.byte(at: offset) == nil) }
        }
    }

    @Test func codesAreTexts() {
        view { view in
            #expect(view.code(at: 6) == "??A)")
            #expect(view.code(at: 7) == nil)
            #expect(view.starts(with: "A", at: 8) && !view.starts(with: "A"))
            #expect(!view.starts(with: "AAA", at: 8))
        }
        Array("moov©nam".utf8).withUnsafeBytes { bytes in
            #expect(ByteView(bytes).code(at: 0) == "moov")
        }
    }

    @Test func bytesAreFound() {
        view { view in
            #expect(view.index(of: 5) == 4 && view.index(of: 5, from: 4) == 4)
            #expect(view.index(of: 5, from: 5) == nil && view.index(of: 5, from: -1) == nil)
            #expect(view.index(of: 5, from: 10) == nil)
            #expect(view.index(of: [4, 5]) == 3 && view.index(of: [4, 6]) == nil)
            #expect(view.index(of: [0xa9, 1]) == nil && view.index(of: [] as [UInt8]) == nil)
            #expect(view.contains([8, 0x41] as [UInt8]) && view.contains("A"))
            #expect(!view.contains("B"))
        }
        // The beginning of a pattern may repeat.
        Array("aaab".utf8).withUnsafeBytes { bytes in
            #expect(ByteView(bytes).index(of: Array("aab".utf8)) == 1)
        }
    }

    @Test func partsKnowTheirPlace() throws {
        try view { view in
            let part = try #require(view.part(at: 3, length: 4))
            #expect(view.offset(of: part) == 3 && part.offset(of: view) == nil)
            #expect(view.offset(of: .empty) == nil && ByteView.empty.offset(of: part) == nil)
            #expect(ByteView.empty.isEmpty && ByteView.empty.index(of: 1) == nil)
        }
    }
}
