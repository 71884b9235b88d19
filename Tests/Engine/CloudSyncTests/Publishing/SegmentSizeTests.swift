import CloudSync
import PhotoModel
import TestSupport
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

    /// Changes are published while others are made, with checkpoints in between.
    @Test("Segments have the bytes of the next changes, one after the other")
    func bytesOfSegments() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var store = SimulatedStore()
        var computer = TestComputer(1, isCreator: true)
        computer.machine.uploadsAtOnce = 4
        try computer.publish(&store)
        var published = Self.segments(store)
        var queued: [CloudTransaction] = []
        var number = 0
        for round in 0..<40 {
            let count = Int.random(in: 0..<90, using: &generator)
            for _ in 0..<(round == 0 ? 900 : count) {
                number += 1
                let length = Int.random(in: 0..<3_000, using: &generator)
                let text = String(repeating: number % 3 == 0 ? "é" : "e", count: length)
                let asset = Self.asset(number)
                let change = CloudOperation.set(asset, Self.caption, rank: 0, .text(text))
                computer.step(.commit([change], adding: []))
                queued.append(try #require(computer.machine.unexported.last))
            }
            if round % 5 == 0 {
                let checkpoint = computer.machine.encoded
                computer.machine = try SyncMachine(
                    decoding: checkpoint,
                    hashing: SimulatedHashing()
                )
                #expect(computer.machine.encoded == checkpoint)
            }
            let former = try #require(published.last)
            let next = Self.takeNext(from: &queued)
            try computer.perform(.publish, &store)
            published = Self.segments(store)
            let last = try #require(published.last)
            let areQueued = Array(computer.machine.unexported) == queued
            #expect(areQueued, seed.comment)
            guard !next.isEmpty else {
                #expect(last == former, seed.comment)
                continue
            }
            #expect(last.sequence == former.sequence + 1, seed.comment)
            let bytes = Self.bytes(
                of: next,
                sequence: last.sequence,
                previous: SimulatedHashing().hash(of: former),
                device: computer.machine.device
            )
            let isEqual = last.encoded() == bytes
            #expect(isEqual, seed.comment)
        }
        #expect(published.count > 10, seed.comment)
    }

    /// Removes the transactions of the next segment from an array.
    private static func takeNext(from queued: inout [CloudTransaction]) -> [CloudTransaction] {
        var taken: [CloudTransaction] = []
        var size = 0
        while let next = queued.first {
            // Stamp and count are taken for 32 bytes.
            let length = bytes(of: next).count + 4
            guard taken.count < 16 || size + length <= 256 << 10 else { break }
            size += length
            taken.append(queued.removeFirst())
        }
        return taken
    }

    // MARK: - The format

    /// The encoding of a segment of the only computer, whose vector is therefore empty.
    private static func bytes(
        of transactions: [CloudTransaction],
        sequence: UInt64,
        previous: CloudID,
        device: CloudID
    ) -> [UInt8] {
        let parts: [[UInt8]] = [
            Array("sps1".utf8), device.bytes, bytes(sequence), previous.bytes, bytes(UInt32(0)),
            bytes(UInt32(transactions.count)), transactions.flatMap { bytes(of: $0) },
        ]
        return parts.flatMap(\.self)
    }

    /// The encoding of a transaction that sets texts.
    private static func bytes(of transaction: CloudTransaction) -> [UInt8] {
        let parts: [[UInt8]] = [
            bytes(transaction.time.rawValue), transaction.author.bytes,
            bytes(UInt32(transaction.operations.count)),
        ]
        return parts.flatMap(\.self) + transaction.operations.flatMap { bytes(of: $0) }
    }

    private static func bytes(of operation: CloudOperation) -> [UInt8] {
        guard case .set(let object, let key, let rank, .text(let text)) = operation else {
            return []
        }
        let parts: [[UInt8]] = [
            object.bytes, bytes(key.group.rawValue), [0], bytes(rank), [4],
            bytes(UInt32(text.utf8.count)), Array(text.utf8),
        ]
        let body = parts.flatMap(\.self)
        return [2] + bytes(UInt32(body.count)) + body
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
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
