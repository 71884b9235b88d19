import CloudSync
import PhotoModel
import TestSupport
import Testing

/// Segments come from other devices, so decoding never trusts them.
@Suite(.timeLimit(.minutes(2))) struct SegmentCodingTests {
    private static func id(_ number: UInt64) -> CloudID { CloudID(number, number &* 77) }

    private static let content = ContentID(id(1), id(2))
    private static let blob = BlobName(device: id(3), id: id(4))

    /// A segment with an operation of each kind and a value of each type.
    private static var segment: Segment {
        let record = CloudResource(id: id(5), content: content)
        let creation = Creation(
            kind: .asset,
            isImported: true,
            originals: [record],
            constants: [1, 2, 3]
        )
        let values: [RegisterValue] = [
            .none, .flag(true), .number(-5), .pair(1, -2), .text("Ü"), .parent(id(6), order: [7]),
            .parent(nil, order: []), .member(order: [8]), .member(order: nil),
            .resources([record]), .bytes([9]), .version([10, 11], [record, record]),
        ]
        var operations: [CloudOperation] = values.enumerated().map { index, value in
            let items: [RegisterItem] = [.whole, .object(id(7)), .word("sea")]
            let group = RegisterGroup(rawValue: UInt16(index * 40))
            return .set(id(8), RegisterKey(group, items[index % 3]), rank: UInt64(index), value)
        }
        operations += [
            .create(id(8), creation), .same(id(1), id(2)), .stored(content, blob: blob, key: [4]),
            .verified(blob, day: 9), .condemn(blob), .gone(blob),
            .purge(
                id(8),
                trash: ChangeStamp(time: HybridTime(rawValue: 5), device: id(9)),
                date: .number(6)
            ),
            .final(id(8)), .join(name: "Büro"), .retire(id(3)), .epoch(id(4)),
            .unknown(kind: 99, [1, 2]),
        ]
        return Segment(
            device: id(10),
            sequence: 2,
            previous: id(11),
            vector: [id(12): LogPosition(sequence: 4, hash: id(13))],
            transactions: [
                CloudTransaction(
                    time: HybridTime(rawValue: 12),
                    author: id(10),
                    operations: operations
                ),
                CloudTransaction(time: HybridTime(rawValue: 13), author: id(10), operations: []),
            ]
        )
    }

    @Test func everyOperationSurvives() throws {
        let bytes = Self.segment.encoded()
        let decoded = try Segment(decoding: bytes)
        #expect(decoded == Self.segment)
        #expect(decoded.encoded() == bytes)
    }

    /// The size is counted without encoding, and is that of the encoding.
    @Test func everyOperationIsMeasured() {
        let operations = Self.segment.transactions.flatMap(\.operations)
        #expect(operations.contains { !$0.contents.isEmpty })
        for operation in operations {
            let transaction = CloudTransaction(
                time: HybridTime(rawValue: 12),
                author: Self.id(10),
                operations: [operation]
            )
            // Each content may be announced in 256 bytes, and the beginning has four to spare.
            let size = transaction.encoded.count + 256 * operation.contents.count + 4
            #expect(transaction.maximumSize == size, "\(operation)")
        }
        for transaction in Self.segment.transactions {
            let contents = transaction.operations.flatMap(\.contents)
            let size = transaction.encoded.count + 256 * contents.count + 4
            #expect(transaction.maximumSize == size)
        }
    }

    @Test func everyTruncationIsAnError() {
        let bytes = Self.segment.encoded()
        for count in 0..<bytes.count {
            #expect(throws: CloudFormatError.self) {
                try Segment(decoding: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: CloudFormatError.self) { try Segment(decoding: bytes + [0]) }
    }

    /// Damaged bytes are an error or another segment, and never stop the program.
    @Test func damageNeverTraps() {
        let seed = TestSeed()
        var generator = seed.generator
        let bytes = Self.segment.encoded()
        for _ in 0..<20_000 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                damaged[index] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let decoded = try? Segment(decoding: damaged) else { continue }
            #expect((try? Segment(decoding: decoded.encoded())) == decoded, seed.comment)
        }
    }

    @Test func claimedCountsAreBounded() {
        var bytes = Self.segment.encoded()
        // The number of vector entries follows format, device, sequence and previous hash.
        for index in 44..<48 { bytes[index] = 0xFF }
        #expect(throws: CloudFormatError.self) { try Segment(decoding: bytes) }
    }

    @Test func timesAboveTheLimitAreErrors() {
        var segment = Self.segment
        segment.transactions[0].time = HybridTime(rawValue: HybridTime.limit)
        #expect(throws: CloudFormatError.self) { try Segment(decoding: segment.encoded()) }
        // A purge brings the stamp of its trash, which no change could replace either.
        segment = Self.segment
        let stamp = ChangeStamp(time: HybridTime(rawValue: HybridTime.limit), device: Self.id(9))
        segment.transactions[0].operations = [.purge(Self.id(8), trash: stamp, date: .number(6))]
        #expect(throws: CloudFormatError.self) { try Segment(decoding: segment.encoded()) }
    }

    @Test func aDeviceIsNamedOnce() {
        var segment = Self.segment
        segment.transactions = []
        var bytes = segment.encoded()
        // Another entry with the same device.
        bytes.replaceSubrange(44..<48, with: [0, 0, 0, 2])
        bytes.insert(contentsOf: bytes[48..<88], at: 88)
        #expect(throws: CloudFormatError.self) { try Segment(decoding: bytes) }
    }
}
