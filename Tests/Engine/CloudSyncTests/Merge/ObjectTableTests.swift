import PhotoModel
import TestSupport
import Testing

@testable import CloudSync

@Suite(.timeLimit(.minutes(1))) struct ObjectTableTests {
    private static func id(_ number: UInt64) -> CloudID { CloudID(0, number) }

    private static func stamp(_ time: UInt64) -> ChangeStamp {
        ChangeStamp(time: HybridTime(rawValue: time), device: id(1))
    }

    /// Objects grow beyond the limit up to which they are kept encoded, disappear and return.
    @Test func aTableIsADictionary() {
        let seed = TestSeed()
        var generator = seed.generator
        var table = ObjectTable()
        var model: [CloudID: CloudObject] = [:]
        for time in 1...4_000 as ClosedRange<UInt64> {
            let id = Self.id(UInt64.random(in: 0..<6, using: &generator))
            switch Int.random(in: 0..<200, using: &generator) {
            case 0:
                table.remove(id)
                model[id] = nil
            case 1...20: table.close()
            default:
                let member = Self.id(UInt64.random(in: 0..<60, using: &generator))
                let key = RegisterKey(.member, .object(member))
                let register = Register(stamp: Self.stamp(time), value: .number(Int64(time)))
                table.change(id) { $0.set(key, register) }
                model[id, default: CloudObject()].set(key, register)
            }
            #expect(table[id] == model[id], seed.comment)
        }
        table.close()
        #expect(table.count == model.count, seed.comment)
        #expect(Dictionary(uniqueKeysWithValues: table.map { ($0.id, $0.object) }) == model)
        let counts = model.values.map(\.registers.count)
        #expect(counts.contains { $0 > ObjectTable.encodedLimit }, seed.comment)
        // Equal objects make equal tables, whatever led to them.
        var other = ObjectTable()
        for (id, object) in model {
            other.change(id) { $0 = object }
            other.close()
        }
        #expect(other == table && other.hashValue == table.hashValue, seed.comment)
    }

    @Test func anEmptyObjectIsThere() {
        var table = ObjectTable()
        #expect(table.isEmpty && table[Self.id(1)] == nil && !table.contains(Self.id(1)))
        table.change(Self.id(1)) { _ in }
        table.close()
        #expect(table.contains(Self.id(1)) && table[Self.id(1)] == CloudObject())
    }

    // MARK: - Contents

    /// The index has whatever an object ever named, and knows what of it is former.
    @Test func referrersAreAllThatEverNamedAContent() throws {
        let seed = TestSeed()
        var generator = seed.generator
        var states = [LibraryState(), LibraryState()]
        var named: [[CloudID: Set<ContentID>]] = [[:], [:]]
        for time in 1...1_500 as ClosedRange<UInt64> {
            let side = Int.random(in: 0...1, using: &generator)
            let id = Self.id(UInt64.random(in: 0..<8, using: &generator))
            let contents = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                ContentID(Self.id(0), Self.id(UInt64.random(in: 0..<5, using: &generator)))
            }
            let files = contents.map { CloudResource(id: $0.second, content: $0) }
            let operation: CloudOperation =
                switch Int.random(in: 0..<500, using: &generator) {
                case 0: .final(id)
                case 1...125: .create(id, Creation(kind: .asset, originals: files))
                case 126...250: .set(id, RegisterKey(.title), rank: 0, .text("\(time)"))
                case 251...375: .set(id, RegisterKey(.content), rank: 0, .version([1], files))
                // Only a member with other software would set such a value.
                case 376...400: .set(id, RegisterKey(.trash), rank: 0, .resources(files))
                case 401...420: .purge(id, trash: Self.stamp(time), date: .none)
                default:
                    .set(
                        id,
                        RegisterKey(.original, .word("\(time % 3)")),
                        rank: 0,
                        .resources(files)
                    )
                }
            // Some arrive late, so that they lose against what is there.
            let late = Bool.random(using: &generator) ? time : time / 2 + 1
            states[side].apply(
                CloudTransaction(
                    time: HybridTime(rawValue: late),
                    author: Self.id(1),
                    operations: [operation]
                ),
                at: nil
            )
            if case .final = operation {
                named[side][id] = nil
            } else if !states[side].finals.contains(id) {
                named[side][id, default: []].formUnion(operation.contents)
            }
            if time % 100 == 0 { try Self.check(states[side], named[side], seed) }
        }
        states[0].merge(states[1])
        var united = named[0].merging(named[1]) { $0.union($1) }
        for id in states[0].finals { united[id] = nil }
        try Self.check(states[0], united, seed)
        #expect(!states[0].formerContents.isEmpty, seed.comment)
    }

    private static func check(
        _ state: LibraryState,
        _ named: [CloudID: Set<ContentID>],
        _ seed: TestSeed
    ) throws {
        var expected: [ContentID: Set<CloudID>] = [:]
        for (id, contents) in named {
            for content in contents { expected[content, default: []].insert(id) }
            let current = Set(state.objects[id]?.contents ?? [])
            let former = state.formerContents[id, default: []]
            #expect(current.isDisjoint(with: former), seed.comment)
            #expect(current.union(former) == contents, seed.comment)
        }
        #expect(state.referrers.mapValues(Set.init) == expected, seed.comment)
        var writer = SegmentWriter()
        writer.append(state)
        var reader = SegmentReader(writer.bytes)
        #expect(try LibraryState(from: &reader) == state, seed.comment)
    }
}
