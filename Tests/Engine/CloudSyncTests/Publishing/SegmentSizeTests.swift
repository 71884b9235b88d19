import CloudSync
import PhotoModel
import Testing

@testable import CloudSimulation

/// Segments stay below the size that other computers accept.
@Suite(.timeLimit(.minutes(2))) struct SegmentSizeTests {
    private static let caption = RegisterKey(.caption)
    private static let megabyte = String(repeating: "x", count: 1 << 20)

    private static func asset(_ number: Int) -> CloudID { CloudID(9, UInt64(number)) }

    /// The captions of assets, each of a megabyte.
    private static func captions(_ numbers: Range<Int>) -> [CloudOperation] {
        numbers.map { .set(asset($0), caption, rank: 0, .text("\($0) " + megabyte)) }
    }

    private static func segments(_ store: SimulatedStore) -> [Segment] {
        store.objects.values.compactMap {
            if case .segment(let sealed) = $0 { sealed.segment } else { nil }
        }.sorted { $0.sequence < $1.sequence }
    }

    /// The assets whose captions are in segments, in their order.
    private static func published(_ segments: [Segment]) -> [CloudID] {
        segments.flatMap(\.transactions).flatMap(\.operations).compactMap {
            if case .set(let asset, caption, _, _) = $0 { asset } else { nil }
        }
    }

    @Test("A change that is too large for a segment is published in parts")
    func largeChange() throws {
        var store = SimulatedStore()
        var computer = TestComputer(1, isCreator: true)
        try computer.publish(&store)
        computer.step(.commit(Self.captions(0..<30), adding: []))
        try computer.publish(&store)
        let segments = Self.segments(store)
        for segment in segments {
            let bytes = segment.encoded()
            #expect(bytes.count <= Segment.maximumSize)
            #expect(try Segment(decoding: bytes) == segment)
        }
        #expect(Self.published(segments) == (0..<30).map(Self.asset))
        let stamps = segments.flatMap(\.transactions)
            .filter { !Self.published([Segment($0)]).isEmpty }
            .map(\.time)
        #expect(stamps.count == 3 && Set(stamps).count == 1)
        #expect(computer.machine.backlog.isEmpty)
    }

    @Test("A segment ends before a change that it has no room for")
    func severalChanges() throws {
        var store = SimulatedStore()
        var computer = TestComputer(1, isCreator: true)
        try computer.publish(&store)
        let before = Self.segments(store).count
        for start in stride(from: 0, to: 20, by: 5) {
            computer.step(.commit(Self.captions(start..<start + 5), adding: []))
        }
        try computer.publish(&store)
        let segments = Self.segments(store).dropFirst(before)
        // Twelve megabytes have room for two changes of five.
        #expect(segments.map(\.transactions.count) == [2, 2])
        #expect(segments.allSatisfy { $0.encoded().count <= Segment.maximumSize })
        #expect(Self.published(Array(segments)) == (0..<20).map(Self.asset))
    }
}

extension Segment {
    /// A segment with one transaction, for reading its operations.
    fileprivate init(_ transaction: CloudTransaction) {
        self.init(
            device: transaction.author,
            sequence: 1,
            previous: Segment.origin,
            vector: [:],
            transactions: [transaction]
        )
    }
}
