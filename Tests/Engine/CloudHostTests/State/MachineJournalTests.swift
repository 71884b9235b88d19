import CloudKeys
import CloudSync
import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudHost

/// The state on the disk after crashes and damage.
@Suite(.timeLimit(.minutes(1))) struct MachineJournalTests {
    private let folder: TemporaryFolder
    private let keyring: EpochKeyring
    private let keys: DeviceKeys

    init() throws {
        folder = try TemporaryFolder("photos-journal")
        var generator = SeededGenerator(seed: 5)
        keyring = EpochKeyring(EpochKey(library: CloudID(1, 1), using: &generator))
        keys = try DeviceKeys(using: &generator)
    }

    private var hashing: SegmentSealer { SegmentSealer(keyring: keyring, keys: keys) }

    private var journal: MachineJournal {
        MachineJournal(folder: folder.path, keyring: keyring)
    }

    private func machine() -> SyncMachine {
        SyncMachine(device: CloudID(2, 2), name: "Test", isCreator: true, hashing: hashing)
    }

    private static func title(_ text: String, _ now: UInt64) -> JournaledInput {
        JournaledInput(
            .commit(
                [.set(CloudID(9, 9), RegisterKey(.title), rank: 0, .text(text))],
                adding: []
            ),
            SyncEnvironment(now: now, fresh: CloudID(now, now))
        )
    }

    /// Writes a checkpoint and some inputs.
    ///
    /// - Returns: The machine after each input.
    private func write(_ count: UInt64) throws -> [[UInt8]] {
        var journal = journal
        var machine = machine()
        try journal.checkpoint(machine)
        var states = [machine.encoded]
        for number in 0..<count {
            let input = Self.title("Title \(number)", 1_000 + number)
            try journal.append(input, of: machine)
            _ = machine.step(input.input, input.environment)
            states.append(machine.encoded)
        }
        return states
    }

    private var file: URL {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return folder.file(try #require(names.first { $0.hasSuffix(".journal") }))
        }
    }

    @Test func aReplayMakesTheMachine() throws {
        let states = try write(5)
        var journal = journal
        let loaded = try #require(try journal.load(hashing: hashing))
        #expect(loaded.machine.encoded == states.last)
        #expect(!loaded.needsCheckpoint)
        try journal.checkpoint(loaded.machine)
        let again = try #require(try self.journal.loaded(hashing))
        #expect(again.machine.encoded == states.last && !again.needsCheckpoint)
    }

    /// A short journal is continued after the start of another process.
    @Test func aJournalIsContinued() throws {
        _ = try write(3)
        var expected: [UInt8] = []
        for number in UInt64(0)..<3 {
            var journal = journal
            let loaded = try #require(try journal.load(hashing: hashing))
            var machine = loaded.machine
            let input = Self.title("Later \(number)", 2_000 + number)
            try journal.append(input, of: machine)
            _ = machine.step(input.input, input.environment)
            expected = machine.encoded
        }
        let loaded = try #require(try journal.loaded(hashing))
        #expect(loaded.machine.encoded == expected && !loaded.needsCheckpoint)
    }

    /// A journal that ends early, or that takes long to replay, is replaced.
    @Test func otherJournalsNeedACheckpoint() throws {
        _ = try write(3)
        try Data(contentsOf: file).dropLast().write(to: file)
        let cut = try #require(try journal.loaded(hashing))
        #expect(cut.needsCheckpoint)
        _ = try write(400)
        let long = try #require(try journal.loaded(hashing))
        #expect(long.needsCheckpoint)
    }

    /// A crash while a record is written leaves the records before it.
    @Test func aCutRecordIsDropped() throws {
        let states = try write(3)
        let bytes = try Data(contentsOf: file)
        for length in stride(from: 0, to: bytes.count, by: 13) {
            try bytes.prefix(length).write(to: file)
            let loaded = try #require(try journal.loaded(hashing))
            #expect(states.contains(loaded.machine.encoded), "\(length)")
        }
    }

    /// When the power fails, the size of what was appended can be on the disk without its bytes.
    @Test func zerosAtTheEndAreNoRecords() throws {
        let states = try write(3)
        let bytes = try Data(contentsOf: file)
        var start = 0
        for state in states {
            // Within the next record; its last bytes cannot be told from those of a whole one.
            let prefix = bytes[start...].prefix(4)
            let end = start + 4 + prefix.reduce(0) { $0 << 8 | Int($1) }
            for length in stride(from: start, through: max(start, end - 16), by: 7) {
                for size in [bytes.count, length + 100_000] {
                    let zeros = Data(count: size - length)
                    try (bytes.prefix(length) + zeros).write(to: file)
                    let loaded = try #require(try journal.loaded(hashing))
                    #expect(loaded.machine.encoded == state, "\(length), \(size)")
                    #expect(loaded.needsCheckpoint == (size > length), "\(length), \(size)")
                }
            }
            start = min(end, bytes.count)
        }
    }

    /// Damage anywhere is noticed, and nothing is made up.
    @Test func damageIsNoticed() throws {
        let states = try write(3)
        let bytes = try Data(contentsOf: file)
        for place in stride(from: 4, to: bytes.count, by: 17) {
            var damaged = bytes
            damaged[place] ^= 0x10
            try damaged.write(to: file)
            do {
                let loaded = try #require(try journal.loaded(hashing))
                // A damaged length cuts the journal.
                #expect(states.contains(loaded.machine.encoded), "\(place)")
            } catch let error as LibraryError {
                #expect(error.code == .corrupt, "\(place)")
            }
        }
    }

    /// A machine that goes another way than before the crash is not used.
    @Test func anotherMachineIsNoticed() throws {
        var journal = journal
        var machine = machine()
        try journal.checkpoint(machine)
        let start = JournaledInput(.start, SyncEnvironment(now: 1, fresh: CloudID(1, 2)))
        try journal.append(start, of: machine)
        _ = machine.step(start.input, start.environment)
        let publish = JournaledInput(
            .perform(.publish),
            SyncEnvironment(now: 2, fresh: CloudID(1, 3))
        )
        try journal.append(publish, of: machine)
        _ = machine.step(publish.input, publish.environment)
        #expect(machine.requestCount > 0)
        // As if an earlier version had made no request by then.
        try journal.append(Self.title("Later", 3), of: self.machine())
        let error = #expect(throws: LibraryError.self) { try self.journal.loaded(hashing) }
        #expect(error?.code == .corrupt)
    }

    /// A snapshot of 100,000 photos is larger than an encrypted object may be.
    @Test func aLargeInputIsNotAppended() throws {
        let states = try write(2)
        var journal = journal
        let loaded = try #require(try journal.load(hashing: hashing))
        let input = Self.title(String(repeating: "x", count: 65 << 20), 3)
        let isAppended = try journal.append(input, of: loaded.machine)
        #expect(!isAppended)
        journal.maximumInputSize = 0
        let isSmallAppended = try journal.append(Self.title("Small", 4), of: loaded.machine)
        #expect(!isSmallAppended)
        let again = try #require(try self.journal.loaded(hashing))
        #expect(again.machine.encoded == states.last)
    }

    @Test func withoutKeysNothingIsRead() throws {
        _ = try write(1)
        var generator = SeededGenerator(seed: 6)
        let others = EpochKeyring(EpochKey(library: CloudID(1, 1), using: &generator))
        let foreign = MachineJournal(folder: folder.path, keyring: others)
        let error = #expect(throws: LibraryError.self) { try foreign.loaded(hashing) }
        #expect(error?.code == .corrupt)
    }
}

extension MachineJournal {
    /// Reads the state with a copy, as a process that starts.
    fileprivate func loaded(_ hashing: any SegmentHashing) throws -> Loaded? {
        var copy = self
        return try copy.load(hashing: hashing)
    }
}
