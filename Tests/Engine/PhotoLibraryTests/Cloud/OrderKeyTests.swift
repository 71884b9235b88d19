import CloudSync
import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(1))) struct OrderKeyTests {
    private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }

    /// Random insertions, compared with a plain list.
    @Test func keysKeepTheOrderOfAnyInsertions() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var keys: [[UInt8]] = []
        var renewals = 0
        for _ in 0..<3_000 {
            let place =
                Int.random(in: 0..<3, using: &generator) == 0
                ? keys.count : Int.random(in: 0...min(keys.count, 4), using: &generator)
            let count = Int.random(in: 1...3, using: &generator)
            let new = OrderKey.keys(
                after: place > 0 ? keys[place - 1] : nil,
                before: place < keys.count ? keys[place] : nil,
                count: count,
                using: &generator
            )
            guard let new else {
                renewals += 1
                keys =
                    OrderKey.keys(after: nil, before: nil, count: keys.count, using: &generator)
                    ?? []
                continue
            }
            #expect(new.count == count, seed.comment)
            keys.insert(contentsOf: new, at: place)
        }
        for (left, right) in zip(keys, keys.dropFirst()) {
            #expect(precedes(left, right), seed.comment)
        }
        #expect(keys.allSatisfy { $0.count <= OrderKey.maximumLength }, seed.comment)
        #expect(renewals < 30, seed.comment)
    }

    @Test func appendingDoesNotLengthenKeys() throws {
        var generator = SystemRandomNumberGenerator()
        let first = try #require(
            OrderKey.keys(after: nil, before: nil, count: 100_000, using: &generator)
        )
        let more = OrderKey.keys(after: first.last, before: nil, count: 9, using: &generator)
        #expect(Set((first + (more ?? [])).map(\.count)) == [8])
        #expect(more?.first.map { precedes(first[99_999], $0) } == true)
    }

    /// Two devices that insert at one place choose different keys.
    @Test func insertionsAtOnePlaceDiffer() throws {
        var generator = SystemRandomNumberGenerator()
        let ends = try #require(OrderKey.keys(after: nil, before: nil, count: 2, using: &generator))
        let keys = (0..<20).compactMap { _ in
            OrderKey.keys(after: ends[0], before: ends[1], count: 1, using: &generator)?[0]
        }
        #expect(Set(keys).count == 20)
        #expect(keys.allSatisfy { precedes(ends[0], $0) && precedes($0, ends[1]) })
    }

    @Test func keysOfOthersThatLeaveNoRoomAreRefused() {
        var generator = SystemRandomNumberGenerator()
        func keys(_ lower: [UInt8]?, _ upper: [UInt8]?) -> [[UInt8]]? {
            OrderKey.keys(after: lower, before: upper, count: 1, using: &generator)
        }
        #expect(keys([5], [5, 0]) == nil)
        #expect(keys([6], [5]) == nil)
        #expect(keys(Array(repeating: 255, count: 60), nil) == nil)
        #expect(keys(nil, [0, 0]) == nil)
        #expect(keys([], [1])?.count == 1)
    }

    @Test func stampsAreReadAsTheyWereWritten() throws {
        let (here, there) = (CloudID(1, 2), CloudID(3, 4))
        func stamp(_ time: UInt64, _ device: CloudID) -> ChangeStamp {
            ChangeStamp(time: HybridTime(rawValue: time), device: device)
        }
        var stamps = CloudStamps()
        stamps.created = stamp(5, there)
        stamps.touch(RegisterKey(.title), at: stamp(7, here))
        stamps.touch(RegisterKey(.time), rank: 2, at: stamp(8, here))
        stamps.touch(RegisterKey(.keyword, .word("ä")), at: stamp(9, there))
        stamps.touch(RegisterKey(.original, .object(CloudID(9, 9))), at: stamp(9, there))
        #expect(try CloudStamps(decoding: stamps.encoded) == stamps)
        #expect(stamps.encoded == (try CloudStamps(decoding: stamps.encoded)).encoded)
        // A rank never decreases.
        stamps.touch(RegisterKey(.time), rank: 1, at: stamp(10, here))
        #expect(stamps.entries[RegisterKey(.time)]?.rank == 2)
        for count in 0..<stamps.encoded.count where count > 2 {
            _ = try? CloudStamps(decoding: stamps.encoded.prefix(count))
        }
    }

    @Test func namesOfObjectsAreTheirUUIDs() throws {
        let uuid = UUID().uuidString
        #expect(CloudID(uuid: uuid)?.uuid == uuid)
        #expect(CloudID(uuid: uuid.lowercased()) == nil)
        #expect(CloudID(uuid: "x") == nil)
    }
}
