import CloudSync
import Testing

@testable import CloudSimulation

/// The time at which a device was last seen, when a snapshot of another device contains its log.
@Suite(.timeLimit(.minutes(1))) struct ReadingTimeTests {
    /// The author of snapshots, another computer that publishes, and their store.
    private struct World {
        var store = SimulatedStore()
        var author = TestComputer(1, isCreator: true)
        var other = TestComputer(3, isCreator: false)

        init() throws {
            try publishAuthor()
            try author.perform(.pollAll, &store)
            try #require(author.machine.isFull)
        }

        mutating func publishAuthor() throws {
            author.importPhotos([[]])
            try author.publish(&store)
        }

        /// Publishes a photo of the other computer, and returns its last segment.
        mutating func publishOther() throws -> LogPosition {
            other.importPhotos([[]])
            try other.publish(&store)
            return try #require(other.machine.logs[other.machine.device]?.tip)
        }

        /// Makes a snapshot with all logs, and deletes all segments in it except the last ones.
        mutating func compact() throws {
            try author.perform(.pollAll, &store)
            try author.perform(.snapshot, &store)
            try #require(!store.snapshots.isEmpty)
            for (device, progress) in author.machine.logs {
                let tip = progress.tip?.sequence ?? 0
                for (sequence, hash) in progress.hashes where sequence < tip {
                    let position = LogPosition(sequence: sequence, hash: hash)
                    store.delete(.segment(device, position))
                }
            }
        }
    }

    private static let silent = CloudID(3, 1)

    @Test func aComputerInASnapshotHasNotBeenSeen() throws {
        var world = try World()
        _ = try world.publishOther()
        let tip = try world.publishOther()
        try #require(tip.sequence > 1)
        try world.compact()
        var reader = TestComputer(2, isCreator: false)
        try reader.perform(.pollAll, &world.store)
        let progress = try #require(reader.machine.logs[Self.silent])
        #expect(progress.tip == tip)
        #expect(progress.readAt == 0)
    }

    @Test func aSnapshotWithoutNewsDoesNotChangeTheTime() throws {
        var world = try World()
        let tip = try world.publishOther()
        var reader = TestComputer(2, isCreator: false)
        try reader.perform(.pollAll, &world.store)
        let before = try #require(reader.machine.logs[Self.silent]?.readAt)
        #expect(before > 0)
        // The reader misses segments of the author, so it reads the snapshot.
        for _ in 0..<2 { try world.publishAuthor() }
        try world.compact()
        try reader.perform(.pollAll, &world.store)
        #expect(reader.machine.vector[CloudID(1, 1)] == world.author.machine.vector[CloudID(1, 1)])
        #expect(reader.machine.logs[Self.silent]?.tip == tip)
        #expect(reader.machine.logs[Self.silent]?.readAt == before)
    }

    @Test func newsInASnapshotIsSeen() throws {
        var world = try World()
        _ = try world.publishOther()
        var reader = TestComputer(2, isCreator: false)
        try reader.perform(.pollAll, &world.store)
        let before = try #require(reader.machine.logs[Self.silent]?.readAt)
        _ = try world.publishOther()
        let tip = try world.publishOther()
        try world.compact()
        try reader.perform(.pollAll, &world.store)
        let progress = try #require(reader.machine.logs[Self.silent])
        #expect(progress.tip == tip)
        #expect(progress.readAt > before)
    }
}
