import CloudKeys
import CloudSync
import SamplePhotos
import TestSupport
import Testing

/// Noticing that a store shows less than before.
@Suite(.timeLimit(.minutes(1))) struct SeenStateTests {
    private static func position(_ sequence: UInt64, _ hash: UInt64 = 1) -> LogPosition {
        LogPosition(sequence: sequence, hash: CloudID(hash, sequence))
    }

    private static let print = Fingerprint(bytes: [UInt8](repeating: 5, count: 32))

    private static func found() throws -> SeenState.Found {
        SeenState.Found(
            logs: [CloudID(1, 1): [position(4), position(5)], CloudID(2, 2): [position(1)]],
            members: [CloudID(1, 1): try #require(print), CloudID(2, 2): try #require(print)],
            epochs: [CloudID(9, 9)]
        )
    }

    @Test func aStoreThatOnlyGrowsHasNoLosses() throws {
        var seen = SeenState()
        var found = try Self.found()
        #expect(seen.losses(in: found).isEmpty)
        seen.advance(to: found)
        #expect(seen.losses(in: found).isEmpty)
        // Old segments were deleted after a snapshot, new ones arrived.
        found.logs[CloudID(1, 1)] = [Self.position(7)]
        found.logs[CloudID(3, 3)] = [Self.position(1)]
        found.epochs.insert(CloudID(8, 8))
        #expect(seen.losses(in: found).isEmpty)
        seen.advance(to: found)
        #expect(seen.vector[CloudID(1, 1)] == Self.position(7))
        seen.remove([CloudID(2, 2)])
        seen.remove([CloudID(3, 3)])
        #expect(seen.removed == [CloudID(2, 2), CloudID(3, 3)])
        #expect(try SeenState(decoding: seen.encoded) == seen)
    }

    /// A state of a version that did not record removed devices: three empty fields.
    @Test func statesOfEarlierVersionsAreRead() throws {
        let earlier = bytes("0003 0001 00000000 0002 00000000 0003 00000000")
        #expect(try SeenState(decoding: earlier) == SeenState())
    }

    @Test func eachLossIsNamed() throws {
        var seen = SeenState()
        let all = try Self.found()
        seen.advance(to: all)
        var found = all
        found.logs[CloudID(1, 1)] = [Self.position(4)]
        #expect(seen.losses(in: found) == [.log(CloudID(1, 1), seen: Self.position(5))])
        found.logs[CloudID(1, 1)] = nil
        #expect(seen.losses(in: found) == [.log(CloudID(1, 1), seen: Self.position(5))])
        // Another segment with the same number, and the seen one is gone.
        found.logs[CloudID(1, 1)] = [Self.position(5, 2)]
        #expect(seen.losses(in: found) == [.log(CloudID(1, 1), seen: Self.position(5))])
        // A fork: both are there.
        found.logs[CloudID(1, 1)] = [Self.position(5, 2), Self.position(5)]
        #expect(seen.losses(in: found).isEmpty)
        found = all
        found.members[CloudID(2, 2)] = nil
        found.members[CloudID(1, 1)] = Fingerprint(bytes: [UInt8](repeating: 6, count: 32))
        found.epochs = []
        #expect(
            seen.losses(in: found) == [
                .replacedMember(CloudID(1, 1)), .member(CloudID(2, 2)), .epoch(CloudID(9, 9)),
            ]
        )
    }

    /// Advancing to a store and comparing with it finds nothing; comparing with an older one finds
    /// something unless they are equal.
    @Test func olderStatesAreFound() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let print = try #require(Self.print)
        for _ in 0..<300 {
            var states: [SeenState.Found] = []
            var found = SeenState.Found(logs: [:], members: [:], epochs: [])
            for _ in 0..<6 {
                let device = CloudID(UInt64.random(in: 1...4, using: &generator), 0)
                let next = (found.logs[device]?.map(\.sequence).max() ?? 0) + 1
                found.logs[device, default: []].insert(Self.position(next))
                found.members[device] = print
                if Bool.random(using: &generator) { found.epochs.insert(CloudID(next, 7)) }
                states.append(found)
            }
            var seen = SeenState()
            for state in states {
                #expect(seen.losses(in: state).isEmpty, seed.comment)
                seen.advance(to: state)
            }
            for state in states.dropLast() {
                #expect(!seen.losses(in: state).isEmpty, seed.comment)
            }
            #expect(try SeenState(decoding: seen.encoded) == seen, seed.comment)
        }
    }

    @Test func damageIsAnErrorOrAnotherState() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var seen = SeenState()
        seen.advance(to: try Self.found())
        seen.remove([CloudID(2, 2)])
        for _ in 0..<5_000 {
            _ = try? SeenState(decoding: Damage.mutate(seen.encoded, using: &generator))
        }
    }
}
