import CloudSync
import Testing

@testable import CloudSimulation

/// Polls of several logs, of which one cannot be read.
@Suite(.timeLimit(.minutes(1))) struct PollTests {
    private static let first = CloudID(1, 1)
    private static let second = CloudID(2, 1)

    private static func content(_ number: UInt64) -> ContentID {
        ContentID(CloudID(1, number), CloudID(2, number))
    }

    /// Two computers that have published, and one that has read nothing.
    private struct Computers {
        var store = SimulatedStore()
        var writers = [TestComputer(1, isCreator: true), TestComputer(2, isCreator: false)]
        var reader = TestComputer(3, isCreator: false)

        init() throws {
            for index in writers.indices { try importPhoto(UInt64(index), on: index) }
        }

        /// Imports a photo on a computer, and publishes it in a segment of its own.
        mutating func importPhoto(_ number: UInt64, on index: Int) throws {
            writers[index].importPhotos([[PollTests.content(number)]])
            try writers[index].publish(&store)
        }

        /// Answers the first request for a segment of the first writer as a damaged object.
        mutating func damageSegment() throws {
            let index = reader.requests.firstIndex { _, request in
                if case .get(.segment(PollTests.first, _)) = request { true } else { false }
            }
            reader.answer(try #require(index), with: .damaged)
        }

        mutating func answerAll() throws {
            while !reader.requests.isEmpty { try reader.answer(0, &store) }
        }

        /// The last segment of a writer that the reader has applied.
        func position(of writer: CloudID) -> LogPosition? { reader.machine.vector[writer] }

        /// The last segment that a writer has published.
        func published(by index: Int) -> LogPosition? {
            writers[index].machine.vector[writers[index].machine.device]
        }

        /// The bytes of the reader's machine after they were read as those of a checkpoint.
        func restored() throws -> [UInt8] {
            let bytes = reader.machine.encoded
            return try SyncMachine(decoding: bytes, hashing: SimulatedHashing()).encoded
        }
    }

    @Test func aDamagedSegmentStopsOnlyItsLog() throws {
        var computers = try Computers()
        computers.reader.step(.perform(.pollAll))
        try computers.reader.answer(0, &computers.store)
        try computers.damageSegment()
        let restored = try computers.restored()
        #expect(restored == computers.reader.machine.encoded)
        try computers.answerAll()
        #expect(computers.position(of: Self.first) == nil)
        #expect(computers.position(of: Self.second) == computers.published(by: 1))
        #expect(computers.reader.alarms == [.damagedSegment(Self.first)])
        // Nothing is under way any more, so the next poll begins.
        try computers.reader.perform(.pollAll, &computers.store)
        #expect(computers.position(of: Self.first) == computers.published(by: 0))
        #expect(computers.reader.alarms.count == 1)
    }

    @Test func aMissingSegmentIsReported() throws {
        var computers = try Computers()
        for number in UInt64(20)..<22 { try computers.importPhoto(number, on: 0) }
        let (name, body) = try Self.removeSegment(from: &computers.store)
        try computers.reader.perform(.pollAll, &computers.store)
        let alarm = SyncAlarm.missingSegment(Self.first, after: 1)
        #expect(computers.reader.alarms == [alarm])
        #expect(computers.position(of: Self.first)?.sequence == 1)
        #expect(computers.position(of: Self.second) == computers.published(by: 1))
        try computers.reader.perform(.pollAll, &computers.store)
        #expect(computers.reader.alarms == [alarm, alarm])
        computers.store.put(name, body)
        try computers.reader.perform(.pollAll, &computers.store)
        #expect(computers.reader.alarms.count == 2)
        #expect(computers.position(of: Self.first) == computers.published(by: 0))
    }

    @Test func aSnapshotReplacesAMissingSegment() throws {
        var store = SimulatedStore()
        var writer = TestComputer(1, isCreator: true)
        var reader = TestComputer(3, isCreator: false)
        for number in UInt64(0)..<3 {
            writer.importPhotos([[Self.content(number)]])
            try writer.publish(&store)
        }
        try writer.perform(.pollAll, &store)
        try writer.perform(.snapshot, &store)
        _ = try Self.removeSegment(from: &store)
        try reader.perform(.pollAll, &store)
        #expect(reader.alarms.isEmpty)
        #expect(reader.machine.vector[Self.first] == writer.machine.vector[Self.first])
    }

    /// Removes the second segment of the first writer, and returns it.
    private static func removeSegment(
        from store: inout SimulatedStore
    ) throws -> (name: ObjectName, body: CloudObjectBody) {
        let position = store.logs[first]?.first { $0.sequence == 2 }
        let name = ObjectName.segment(first, try #require(position))
        let body = store.objects[name]
        store.delete(name)
        return (name, try #require(body))
    }

    @Test func theHeadsOfOtherLogsCanBeRead() throws {
        var computers = try Computers()
        try computers.reader.perform(.pollAll, &computers.store)
        let known = try #require(computers.position(of: Self.first))
        for index in 0..<2 { try computers.importPhoto(10 + UInt64(index), on: index) }
        computers.reader.step(.perform(.pollHeads))
        for _ in 0..<2 { try computers.reader.answer(0, &computers.store) }
        try computers.damageSegment()
        try computers.answerAll()
        #expect(computers.position(of: Self.first) == known)
        computers.reader.step(.perform(.pollOtherHeads(than: [Self.first])))
        let restored = try computers.restored()
        #expect(restored == computers.reader.machine.encoded)
        try computers.answerAll()
        #expect(computers.position(of: Self.first) == known)
        #expect(computers.position(of: Self.second) == computers.published(by: 1))
    }
}
