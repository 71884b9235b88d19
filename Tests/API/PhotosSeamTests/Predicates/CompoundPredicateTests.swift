import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct CompoundPredicateTests {
    private let one = NSPredicate(format: "a = 1")
    private let two = NSPredicate(format: "b = 2")
    private static let a = compare("a", .equal, .integer(1))
    private static let b = compare("b", .equal, .integer(2))

    @Test func compoundsOfFormatsAreOneTree() throws {
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [one, two])
        let neither = NSCompoundPredicate(notPredicateWithSubpredicate: either)
        let all = NSCompoundPredicate(type: .and, subpredicates: [neither, one])
        #expect(try tree(all) == .and([.not(.or([Self.a, Self.b])), Self.a]))
    }

    @Test func emptyConjunctionIsTrueAndEmptyDisjunctionFalse() throws {
        #expect(try tree(NSCompoundPredicate(andPredicateWithSubpredicates: [])) == .and([]))
        #expect(try tree(NSCompoundPredicate(orPredicateWithSubpredicates: [])) == .or([]))
    }

    @Test func constantsAreConstants() throws {
        #expect(try tree(NSPredicate(value: true)) == .constant(true))
        #expect(try tree(NSPredicate(value: false)) == .constant(false))
    }

    @Test func copiesOfFormatsKeepTheirTree() throws {
        let copy = try #require(one.copy() as? NSPredicate)
        #expect(try tree(copy) == Self.a)
    }

    @Test func compoundsOfOneKindDoNotNest() throws {
        var predicate = one
        for _ in 0..<900 {
            predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, two])
        }
        guard case .and(let nodes) = try tree(predicate) else {
            Issue.record("no conjunction")
            return
        }
        #expect(nodes.count == 901)
    }

    @Test(arguments: [200, 5_000]) func tooDeepCompoundsAreErrors(_ depth: Int) {
        var predicate = one
        for _ in 0..<depth {
            predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        }
        #expect(failure(predicate)?.code == .malformedPredicate)
    }

    // MARK: - Closures

    private func fetch(_ predicate: NSPredicate, from library: FakeLibrary) throws -> PredicateNode?
    {
        let options = PHFetchOptions()
        options.predicate = predicate
        return try library.use {
            _ = try PHAsset.fetchAssetsChecked(options: options)
            return library.requests.last?.predicate
        }
    }

    private static func isEven(_ object: Any?) -> Bool {
        ((object as? PHAsset)?.creationDate?.timeIntervalSinceReferenceDate ?? 1)
            .truncatingRemainder(dividingBy: 2) == 0
    }

    private let even = NSPredicate { object, _ in isEven(object) }

    @Test func closuresBecomeRowIDs() throws {
        let library = FakeLibrary(assets: 5)
        #expect(try fetch(even, from: library) == .rowIDs(RowIDBuffer([1, 3, 5])))
    }

    @Test func closuresAreAskedOnlyAboutWhatCanStillMatch() throws {
        let library = FakeLibrary(assets: 3)
        let options = PHFetchOptions()
        options.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            one, even,
            NSCompoundPredicate(andPredicateWithSubpredicates: [two, even]),
        ])
        options.sortDescriptors = [NSSortDescriptor(key: "duration", ascending: true)]
        options.fetchLimit = 1
        _ = library.use { PHAsset.fetchAssets(with: options) }
        let requests = library.requests
        #expect(requests.count == 2)
        // Neither order nor limit may narrow down the candidates.
        #expect(requests.first?.predicate == .and([Self.a, Self.b]))
        #expect(requests.first?.limit == 0)
        #expect(requests.first?.sort.isEmpty == true)
        let yes = PredicateNode.rowIDs(RowIDBuffer([1, 3]))
        #expect(requests.last?.predicate == .and([Self.a, yes, .and([Self.b, yes])]))
        #expect(requests.last?.limit == 1)
        #expect(requests.last?.sort.count == 1)
    }

    @Test func disjunctionsDoNotNarrowDown() throws {
        let library = FakeLibrary(assets: 3)
        let mixed = NSCompoundPredicate(orPredicateWithSubpredicates: [one, even])
        #expect(try fetch(mixed, from: library) == .or([Self.a, .rowIDs(RowIDBuffer([1, 3]))]))
        #expect(library.requests.first?.predicate == nil)
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: mixed)
        #expect(
            try fetch(not, from: library) == .not(.or([Self.a, .rowIDs(RowIDBuffer([1, 3]))]))
        )
    }

    @Test func compoundsOfClosuresStopEarly() throws {
        let library = FakeLibrary(assets: 4)
        let asked = Mutex(0)
        let second = NSPredicate { _, _ in
            asked.withLock { $0 += 1 }
            return true
        }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [even, second])
        #expect(try fetch(both, from: library) == .rowIDs(RowIDBuffer([1, 3])))
        // Once for each object that the first closure accepted.
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func swiftPredicatesWork() throws {
        let library = FakeLibrary(assets: 6)
        let date = Date(timeIntervalSinceReferenceDate: 3)
        let video = PHAssetMediaType.video
        let predicate = #Predicate<PHAsset> { asset in
            asset.mediaType == video && !asset.isFavorite && (asset.creationDate ?? date) >= date
        }
        #expect(
            try fetch(NSPredicate(predicate), from: library) == .rowIDs(RowIDBuffer([4]))
        )
    }

    @Test func closuresRunOnMoreThanOneBatch() throws {
        let library = FakeLibrary(assets: 1_000)
        let all = NSPredicate { object, _ in object is PHAsset }
        guard case .rowIDs(let ids) = try fetch(all, from: library) else {
            Issue.record("no row ids")
            return
        }
        #expect(ids.count == 1_000)
        #expect(library.state.withLock(\.loads).allSatisfy { $0 <= 256 })
    }

    // MARK: - Evaluating

    @Test func evaluatingAFormatAsksTheLibrary() throws {
        let library = FakeLibrary(assets: 2)
        let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).firstObject })
        #expect(one.evaluate(with: asset))
        let request = try #require(library.requests.last)
        #expect(request.scope == .rowIDs(RowIDBuffer([1])))
        #expect(request.predicate == Self.a)
        #expect(request.includesHidden && request.includesAllBurstMembers)
    }

    @Test func evaluatingAFormatWithSomethingElseIsFalseAndLogged() {
        let library = FakeLibrary()
        library.use {
            #expect(!one.evaluate(with: "text"))
            #expect(!one.evaluate(with: nil))
            #expect(!one.evaluate(with: PHAsset()))
        }
        #expect(library.log.messages.count == 3)
    }
}
