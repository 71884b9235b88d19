import CloudSync
import Testing

@testable import CloudSimulation

/// The host's record of a blob's key reaches all devices.
@Suite(.timeLimit(.minutes(1))) struct BlobKeyTests {
    private static func content(_ number: UInt64) -> ContentID {
        ContentID(CloudID(1, number), CloudID(2, number))
    }

    @Test func aSegmentBringsTheKey() throws {
        var store = SimulatedStore()
        var first = TestComputer(1, isCreator: true)
        first.importPhotos([[Self.content(1)]])
        try first.publish(&store)
        var second = TestComputer(2, isCreator: false)
        try second.perform(.pollAll, &store)
        for machine in [first.machine, second.machine] {
            let blob = try #require(machine.state.usableBlob(of: Self.content(1)))
            #expect(machine.state.blobs[blob]?.key == TestComputer.key(of: blob))
        }
    }

    /// An upload that replaces a condemned blob has another key.
    @Test func aCopyBringsItsKey() throws {
        var store = SimulatedStore()
        var first = TestComputer(1, isCreator: true)
        first.importPhotos([[Self.content(1)]])
        try first.publish(&store)
        let condemned = try #require(first.machine.state.usableBlob(of: Self.content(1)))
        first.step(.commit([.condemn(condemned)], adding: []))
        try first.perform(.replenish(limit: 1), &store)
        try first.publish(&store)
        var second = TestComputer(2, isCreator: false)
        try second.perform(.pollAll, &store)
        let blob = try #require(second.machine.state.usableBlob(of: Self.content(1)))
        #expect(blob != condemned)
        #expect(second.machine.state.blobs[blob]?.key == TestComputer.key(of: blob))
    }

    /// The second computer cannot read the log any more.
    @Test func aSnapshotBringsTheKey() throws {
        var store = SimulatedStore()
        var first = TestComputer(1, isCreator: true)
        first.importPhotos([[Self.content(1)]])
        try first.publish(&store)
        try first.perform(.pollAll, &store)
        try first.perform(.snapshot, &store)
        let hashes = first.machine.logs[first.machine.device]?.hashes ?? [:]
        let hash = try #require(hashes[1])
        first.importPhotos([[]])
        try first.publish(&store)
        for (sequence, hash) in hashes {
            let position = LogPosition(sequence: sequence, hash: hash)
            store.delete(.segment(first.machine.device, position))
        }
        var second = TestComputer(2, isCreator: false)
        try second.perform(.pollAll, &store)
        #expect(second.machine.logs[first.machine.device]?.applied.contains(hash) == true)
        let blob = try #require(second.machine.state.usableBlob(of: Self.content(1)))
        #expect(second.machine.state.blobs[blob]?.key == TestComputer.key(of: blob))
    }

    /// Some blobs wait until they are announced; a checkpoint keeps their keys.
    @Test func aCheckpointKeepsTheKey() throws {
        var store = SimulatedStore()
        var first = TestComputer(1, isCreator: true)
        first.importPhotos([[Self.content(1), Self.content(2)]])
        for _ in 0..<20 where first.machine.backlog.uploads > 0 || store.blobs.isEmpty {
            try first.perform(.publish, &store)
        }
        first.machine = try SyncMachine(
            decoding: first.machine.encoded,
            hashing: SimulatedHashing()
        )
        first.step(.start)
        try first.publish(&store)
        for number in [UInt64(1), 2] {
            let blob = try #require(first.machine.state.usableBlob(of: Self.content(number)))
            #expect(first.machine.state.blobs[blob]?.key == TestComputer.key(of: blob))
        }
    }
}
