import Foundation
import Photos
import PhotosManagement
import Testing

/// Albums and folders compared with a plain array (behaviors 128 and 129).
///
/// `PHOTOS_ORDER_CASES` sets the number of random blocks.
@Suite(.timeLimit(.minutes(30))) struct ListOrderTests {
    private static var cases: Int {
        ProcessInfo.processInfo.environment["PHOTOS_ORDER_CASES"].flatMap { Int($0) } ?? 60
    }

    /// A random step, applied to the array and as a call.
    private enum Step {
        case add([Int])
        case insert([Int], IndexSet)
        case remove([Int])
        case removeAt(IndexSet)
        case replace(IndexSet, [Int])
        case move(IndexSet, Int)

        /// Applies the step to an array as the documentation describes, as the model.
        func apply(to list: inout [Int]) {
            switch self {
            case .add(let new):
                list += new.filter { !list.contains($0) }
            case .insert(let new, let indexes):
                list.removeAll(where: new.contains)
                for (element, index) in zip(new, indexes) { list.insert(element, at: index) }
            case .remove(let old):
                list.removeAll(where: old.contains)
            case .removeAt(let indexes):
                for index in indexes.reversed() { list.remove(at: index) }
            case .replace(let indexes, let new):
                for (index, element) in zip(indexes, new) { list[index] = element }
            case .move(let indexes, let target):
                let moved = indexes.map { list[$0] }
                for index in indexes.reversed() { list.remove(at: index) }
                list.insert(contentsOf: moved, at: target)
            }
        }

        static func random(
            for list: [Int],
            among all: Int,
            using generator: inout some RandomNumberGenerator
        ) -> Step {
            let some = Array((1...all).shuffled(using: &generator).prefix(.random(in: 1...3)))
            let fresh = some.filter { !list.contains($0) }
            let places = IndexSet(
                list.indices.shuffled(using: &generator).prefix(.random(in: 1...3))
            )
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: return .add(some)
            case 1:
                let rest = list.count { !some.contains($0) }
                let slots = (0..<rest + some.count).shuffled(using: &generator)
                return .insert(some, IndexSet(slots.prefix(some.count)))
            case 2: return .remove(some)
            case 3 where !places.isEmpty: return .removeAt(places)
            case 4 where !fresh.isEmpty && list.count >= fresh.count:
                let slots = list.indices.shuffled(using: &generator).prefix(fresh.count)
                return .replace(IndexSet(slots), fresh)
            case 5 where !places.isEmpty:
                let last = list.count - places.count
                return .move(places, .random(in: 0...last, using: &generator))
            default: return .add(some)
            }
        }
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var word = state
            word ^= word >> 33
            word = word &* 0xff51_afd7_ed55_8ccd
            return word ^ (word >> 33)
        }
    }

    private static func seed() -> UInt64 {
        ProcessInfo.processInfo.environment["PHOTOS_TEST_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 1...UInt64.max)
    }

    @Test(arguments: [false, true]) func albumsFollowTheModel(tiedToResult: Bool) throws {
        let world = try ChangeWorld(photos: 12)
        let assets = world.assets
        let album = try world.album()
        let seed = Self.seed()
        var generator = Generator(state: seed)
        var model: [Int] = []
        for number in 0..<Self.cases {
            var steps: [Step] = []
            var expected = model
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let step = Step.random(for: expected, among: 12, using: &generator)
                step.apply(to: &expected)
                steps.append(step)
            }
            let result = PHAsset.fetchAssets(in: album, options: nil)
            try world.change {
                let request =
                    tiedToResult
                    ? PHAssetCollectionChangeRequest(for: album, assets: result)
                    : PHAssetCollectionChangeRequest(for: album)
                guard let request else { return }
                for step in steps { Self.apply(step, to: request, assets) }
            }
            model = expected
            let found = world.numbers(in: album)
            #expect(found == model, "seed \(seed), block \(number): \(steps)")
            guard found == model else { return }
        }
    }

    private static func apply(
        _ step: Step,
        to request: PHAssetCollectionChangeRequest,
        _ assets: [PHAsset]
    ) {
        func objects(_ numbers: [Int]) -> [PHAsset] { numbers.map { assets[$0 - 1] } }
        switch step {
        case .add(let new): request.addAssets(objects(new))
        case .insert(let new, let indexes): request.insertAssets(objects(new), at: indexes)
        case .remove(let old): request.removeAssets(objects(old))
        case .removeAt(let indexes): request.removeAssets(at: indexes)
        case .replace(let indexes, let new):
            request.replaceAssets(at: indexes, withAssets: objects(new))
        case .move(let indexes, let target): request.moveAssets(at: indexes, to: target)
        }
    }

    /// The root folder receives the children that another folder loses, so only steps that keep all
    /// are random.
    @Test func theRootFolderFollowsTheModel() throws {
        let world = try ChangeWorld()
        for number in 1...8 { try world.album("\(number)") }
        let albums = world.albums
        let seed = Self.seed()
        var generator = Generator(state: seed)
        var model = Array(1...8)
        for number in 0..<Self.cases / 2 {
            let places = IndexSet(model.indices.shuffled(using: &generator).prefix(2))
            let step = Step.move(
                places,
                .random(in: 0...model.count - places.count, using: &generator)
            )
            let children = world.bundle.using {
                PHCollection.fetchTopLevelUserCollections(with: nil)
            }
            try world.change {
                guard case .move(let indexes, let target) = step else { return }
                PHCollectionListChangeRequest(forTopLevelCollectionListUserCollections: children)?
                    .moveChildCollections(at: indexes, to: target)
            }
            step.apply(to: &model)
            let found = world.topLevel.compactMap { album in
                albums.firstIndex { $0 == album }.map { $0 + 1 }
            }
            #expect(found == model, "seed \(seed), block \(number): \(step)")
            guard found == model else { return }
        }
    }

    /// Behavior 128.
    @Test func indexesCountInWhatWasFetched() throws {
        let world = try ChangeWorld(photos: 5)
        let album = try world.album(with: world.assets)
        let result = PHAsset.fetchAssets(in: album, options: nil)
        // Another client removes the first two.
        try world.change {
            PHAssetCollectionChangeRequest(for: album)?.removeAssets(at: IndexSet([0, 1]))
        }
        try world.change {
            PHAssetCollectionChangeRequest(for: album, assets: result)?
                .removeAssets(at: IndexSet(integer: 4))
        }
        #expect(world.numbers(in: album) == [3, 4])
    }

    @Test func indexesOutOfRangeAreErrors() throws {
        let world = try ChangeWorld(photos: 2)
        let album = try world.album(with: world.assets)
        let failure = world.failure {
            PHAssetCollectionChangeRequest(for: album)?.removeAssets(at: IndexSet(integer: 2))
        }
        #expect(failure?.localizedDescription.contains("removeAssets(at:)") == true)
        #expect(failure?.failureReason?.isEmpty == false)
        #expect(world.numbers(in: album) == [1, 2])
    }
}
