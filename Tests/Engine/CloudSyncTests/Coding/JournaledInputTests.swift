import CloudSimulation
import CloudSync
import PhotoModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct JournaledInputTests {
    private static func id(_ number: UInt64) -> CloudID { CloudID(number, number &* 77) }

    private static func content(_ number: UInt64) -> ContentID { ContentID(id(number), id(9)) }

    private static func transaction(_ time: UInt64) -> CloudTransaction {
        CloudTransaction(
            time: HybridTime(rawValue: time),
            author: id(1),
            operations: [.condemn(BlobName(device: id(1), id: id(time)))]
        )
    }

    private static func segment(_ sequence: UInt64, hash: UInt64) -> SealedSegment {
        let segment = Segment(
            device: id(1),
            sequence: sequence,
            previous: id(2),
            vector: [id(3): LogPosition(sequence: 4, hash: id(5)), id(4): segmentPosition],
            transactions: [transaction(5)]
        )
        return SealedSegment(segment: segment, hash: id(hash))
    }

    private static let segmentPosition = LogPosition(sequence: 7, hash: id(6))

    private static func existing(
        isFavorite: Bool,
        _ time: UInt64,
        defaults: Bool = false
    ) -> ExistingObject {
        ExistingObject(
            id: id(1),
            creation: Creation(kind: .asset, isImported: true),
            values: [(RegisterKey(.isFavorite), .flag(isFavorite), HybridTime(rawValue: time))],
            defaults: defaults ? [(RegisterKey(.rating), .number(0))] : [],
            created: HybridTime(rawValue: 3)
        )
    }

    /// A snapshot with everything that a state can have.
    private static func snapshot(seed: UInt64) throws -> CloudSnapshot {
        var found: CloudSnapshot?
        _ = ObservedRun.run(seed: seed, actions: 150) { step in
            for case .request(_, .put(_, .snapshot(let snapshot))) in step.outputs {
                found = snapshot
            }
        }
        return try #require(found)
    }

    /// Inputs of which each two differ in something.
    private static func inputs() throws -> [SyncInput] {
        let blob = BlobName(device: id(1), id: id(2))
        let simple: [Duty] = [
            .publish, .pollAll, .pollHeads, .pollOtherHeads(than: [id(1)]),
            .pollOtherHeads(than: [id(1), id(2)]), .poll(id(1)), .poll(id(2)), .evict([content(1)]),
            .evict([content(1), content(2)]), .evict([]), .download(content(1)),
            .download(content(2)), .snapshot, .compact, .retire(id(1)), .retire(id(2)),
            .removeAbandoned([]), .removeAbandoned([blob]),
            .removeAbandoned([blob, BlobName(device: id(1), id: id(3))]),
        ]
        let duties: [Duty] = simple + [0, 1, 2, 1_000].flatMap { limitedDuties($0) }
        let results: [StoreResult] = [
            .done, .stored(key: []), .stored(key: [1]), .found(.head(1)), .found(.head(2)),
            .found(.blob(content(1))), .found(.blob(content(2))),
            .found(.segment(segment(2, hash: 8))), .found(.segment(segment(3, hash: 8))),
            .found(.segment(segment(2, hash: 9))), .found(.snapshot(try snapshot(seed: 13))),
            .found(.snapshot(try snapshot(seed: 5))), .damaged, .missing, .listed([]),
            .listed([.segment(id(1), LogPosition(sequence: 2, hash: id(3)))]),
            .listed([.segment(id(1), LogPosition(sequence: 3, hash: id(3)))]),
            .listed([.head(id(1)), .blob(blob)]), .listed([.snapshot(id(1))]), .heads([:]),
            .heads([id(1): 1, id(2): 2]), .heads([id(1): 2, id(2): 2]), .failed,
        ]
        return [
            .start, .commit([], adding: []), .commit([.final(id(1))], adding: []),
            .commit([.final(id(1))], adding: [content(1)]),
            .export([], adding: []), .export([], adding: [], isComplete: false),
            .export([transaction(1)], adding: []), .export([transaction(2)], adding: []),
            .export([], adding: [content(1)]), .adopt([]),
            .adopt([existing(isFavorite: true, 1)]), .adopt([existing(isFavorite: false, 1)]),
            .adopt([existing(isFavorite: true, 2)]),
            .adopt([existing(isFavorite: true, 2, defaults: true)]),
            .answer(request: 4, .done), .answer(request: -1, .done),
        ] + duties.map { .perform($0) } + results.map { .answer(request: 5, $0) }
    }

    /// The duties that have a limit, with that limit.
    private static func limitedDuties(_ limit: Int) -> [Duty] {
        [
            .replenish(limit: limit), .condemn(limit: limit), .collect(limit: limit),
            .finishPurges(limit: limit), .pairTwins(limit: limit),
        ]
    }

    /// An encoding that left something out would make two of them equal.
    @Test func everyInputIsReadBack() throws {
        let environment = SyncEnvironment(now: 1_700_000_000_000, fresh: Self.id(7))
        let inputs = try Self.inputs()
        var known: Set<[UInt8]> = []
        for input in inputs {
            let bytes = JournaledInput(input, environment).encoded
            #expect(known.insert(bytes).inserted, "\(input) has the bytes of another one")
            let decoded = try JournaledInput(decoding: bytes)
            #expect(decoded.encoded == bytes, "\(input)")
            #expect(decoded.environment.now == environment.now)
            #expect(decoded.environment.fresh == environment.fresh)
        }
        let later = SyncEnvironment(now: 1_700_000_000_001, fresh: Self.id(7))
        let other = SyncEnvironment(now: 1_700_000_000_000, fresh: Self.id(8))
        for environment in [later, other] {
            #expect(known.insert(JournaledInput(.start, environment).encoded).inserted)
        }
    }

    /// Returns the duty with the given bytes, and checks that it is written with the same bytes.
    private static func duty(_ bytes: [UInt8]) throws -> Duty? {
        // The last byte of this input is the code of its duty.
        let input = JournaledInput(.perform(.publish), SyncEnvironment(now: 1, fresh: id(7)))
        let encoded = Array(input.encoded.dropLast()) + bytes
        let decoded = try JournaledInput(decoding: encoded)
        #expect(decoded.encoded == encoded)
        guard case .perform(let duty) = decoded.input else { return nil }
        return duty
    }

    /// Earlier versions wrote these codes for duties that handled one object.
    @Test func aDutyWithoutALimitHasTheLimitOne() throws {
        for (duty, code) in zip(Self.limitedDuties(1), UInt8(7)...11) {
            let decoded = try Self.duty([code])
            #expect(decoded == duty)
        }
    }

    @Test func aLimitIsReadBack() throws {
        let codes: [UInt8] = [16, 17, 18, 19, 15]
        for (duty, code) in zip(Self.limitedDuties(258), codes) {
            let decoded = try Self.duty([code, 0, 0, 1, 2])
            #expect(decoded == duty)
            // The limit 1 has one form.
            #expect(throws: CloudFormatError.self) { try Self.duty([code, 0, 0, 0, 1]) }
        }
    }

    /// Names of blobs have one order, and each is there once.
    @Test func namesOfBlobsAreInAscendingOrder() throws {
        func bytes(_ numbers: [UInt64]) -> [UInt8] {
            var writer = SegmentWriter()
            writer.append(UInt8(20))
            writer.append(UInt32(numbers.count))
            for number in numbers {
                writer.append(BlobName(device: Self.id(1), id: Self.id(number)))
            }
            return writer.bytes
        }
        let blobs = [2, 3].map { BlobName(device: Self.id(1), id: Self.id($0)) }
        let decoded = try Self.duty(bytes([2, 3]))
        #expect(decoded == .removeAbandoned(Set(blobs)))
        #expect(throws: CloudFormatError.self) { try Self.duty(bytes([3, 2])) }
        #expect(throws: CloudFormatError.self) { try Self.duty(bytes([2, 2])) }
    }

    @Test func aSnapshotIsReadBack() throws {
        for seed in [UInt64(5), 13, 29] {
            let snapshot = try Self.snapshot(seed: seed)
            let decoded = try CloudSnapshot(decoding: snapshot.encoded)
            #expect(decoded.state == snapshot.state)
            #expect(decoded.vector == snapshot.vector)
            #expect(decoded.named == snapshot.named)
            #expect(decoded.time == snapshot.time)
            for (device, progress) in snapshot.logs {
                var progress = progress
                progress.readAt = 0
                #expect(decoded.logs[device] == progress)
            }
        }
    }

    @Test func otherFormatsAreErrors() throws {
        let machine = SyncMachine(
            device: Self.id(1),
            name: "Büro",
            isCreator: true,
            hashing: SimulatedHashing()
        )
        var bytes = machine.encoded
        #expect(throws: CloudFormatError.self) { try JournaledInput(decoding: bytes) }
        #expect(throws: CloudFormatError.self) { try CloudSnapshot(decoding: bytes) }
        // A later version.
        bytes[3] = UInt8(ascii: "2")
        #expect(throws: CloudFormatError.self) {
            try SyncMachine(decoding: bytes, hashing: SimulatedHashing())
        }
    }

    /// Keys are sorted without encoding them, in the order of their bytes.
    @Test func theOrderOfKeysIsThatOfTheirBytes() {
        let seed = TestSeed()
        var random = SimulationRandom(seed: seed.value)
        func key() -> RegisterKey {
            let group = RegisterGroup(rawValue: UInt16(random.below(3) * 200))
            switch random.below(3) {
            case 0: return RegisterKey(group)
            case 1: return RegisterKey(group, .object(CloudID(random.next() % 3, random.next())))
            default:
                let letters = ["a", "b", "é", "ß", ""]
                let word = (0..<random.below(4)).map { _ in letters[random.below(5)] }.joined()
                return RegisterKey(group, .word(word))
            }
        }
        func bytes(_ key: RegisterKey) -> [UInt8] {
            var writer = SegmentWriter()
            writer.append(UInt8(key.group.rawValue >> 8))
            writer.append(UInt8(key.group.rawValue & 255))
            writer.append(key.item)
            return writer.bytes
        }
        for _ in 0..<2_000 {
            let (left, right) = (key(), key())
            let expected = bytes(left).lexicographicallyPrecedes(bytes(right))
            #expect((left < right) == expected, "\(left) and \(right), \(seed.description)")
        }
    }
}
