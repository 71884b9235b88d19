import ChangeFollowing
import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Random change blocks, and lists that follow them by change details only.
///
/// `PHOTOS_OBSERVED_STEPS` sets the number of blocks, by default 150; after each of them, a dozen
/// lists are compared with fresh fetches. `PHOTOS_TEST_SEED` repeats a run.
@Suite(.timeLimit(.minutes(60))) struct RandomChangeTests {
    private static let steps =
        ProcessInfo.processInfo.environment["PHOTOS_OBSERVED_STEPS"].flatMap(Int.init) ?? 150

    @Test("Followed lists always are what a fresh fetch gives (pains 11, 15)")
    func followedLists() throws {
        let seed =
            ProcessInfo.processInfo.environment["PHOTOS_TEST_SEED"].flatMap(UInt64.init)
            ?? UInt64.random(in: 0...UInt64.max)
        let library = try ChangingLibrary(assets: 80)
        let world = RandomWorld(library, seed: seed)
        for number in 0..<3 { try world.addAlbum("\(number)") }
        let follower = Follower(world.queries(12))
        library.photos.register(follower as any PHPhotoLibraryChangeObserver)
        library.photos.register(follower as any PHPhotoLibraryPersistentChangesObserver)
        for step in 0..<Self.steps {
            if step % 25 == 24 { follower.start(world.queries(12)) }
            let token = library.photos.currentChangeToken
            let calls = follower.commits
            try world.change()
            guard library.photos.currentChangeToken != token else { continue }
            // Called after the change, and for each commit.
            wait(for: "step \(step) is told, seed \(seed)") { follower.commits > calls }
            let problems = follower.compare(isLast: step % 25 == 23)
            #expect(problems.isEmpty, "step \(step), seed \(seed): \(problems)")
            guard problems.isEmpty else { return }
        }
    }
}

/// A repeatable fetch, and whether its list skips changes.
private struct Query: Sendable {
    let name: String
    let fetch: @Sendable () -> PHFetchResult<PHAsset>
    /// The number of notifications after which it follows.
    let period: Int
}

/// Follows changes by details only.
private final class Follower: NSObject, PHPhotoLibraryChangeObserver,
    PHPhotoLibraryPersistentChangesObserver, @unchecked Sendable
{
    // The lock guards all of it.
    private let lock = NSLock()
    private var lists: [(query: Query, list: FollowedList<PHAsset>)] = []
    private var problems: [String] = []
    private var calls = 0
    private var told = 0
    private var last: PHChange?

    init(_ queries: [Query]) {
        super.init()
        start(queries)
    }

    var commits: Int { lock.withLock { told } }

    func start(_ queries: [Query]) {
        let lists = queries.map { query in
            (query: query, list: FollowedList(query.fetch(), describe: Self.describe))
        }
        lock.withLock { self.lists = lists }
    }

    private static func describe(_ asset: PHAsset) -> String {
        let date = asset.creationDate?.timeIntervalSinceReferenceDate ?? 0
        return "\(asset.localIdentifier.prefix(8)) \(asset.isFavorite) \(asset.isHidden) \(date)"
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        lock.withLock {
            calls += 1
            last = changeInstance
            for index in lists.indices where calls % lists[index].query.period == 0 {
                follow(index, changeInstance)
            }
        }
    }

    private func follow(_ index: Int, _ change: PHChange) {
        let before = lists[index].list.result
        let old = (0..<before.count).map { before[$0] }
        let difference = change.changeDetails(for: before)?.difference
        if let problem = lists[index].list.follow(change) {
            problems.append("\(lists[index].query.name): \(problem)")
        }
        let after = lists[index].list.result
        guard let difference else { return }
        if old.applying(difference) != (0..<after.count).map({ after[$0] }) {
            problems.append("\(lists[index].query.name): the difference does not fit")
        }
    }

    func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) {
        lock.withLock { told += 1 }
        Signals.send()
    }

    /// Compares the lists with fresh fetches.
    ///
    /// - Parameter isLast: Whether lists that skip changes catch up first.
    /// - Returns: The errors.
    func compare(isLast: Bool) -> [String] {
        lock.withLock {
            if isLast, let last { for index in lists.indices { follow(index, last) } }
            for (query, list) in lists where query.period == 1 || isLast {
                let fresh = FollowedList(query.fetch(), describe: Self.describe)
                if fresh.rows != list.rows {
                    problems.append(
                        "\(query.name): followed \(list.rows), and there are \(fresh.rows)"
                    )
                }
            }
            return problems
        }
    }
}

/// Makes random changes to a library.
private final class RandomWorld {
    private let library: ChangingLibrary
    private var random: Generator

    init(_ library: ChangingLibrary, seed: UInt64) {
        self.library = library
        random = Generator(seed: seed)
    }

    private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    func addAlbum(_ title: String) throws {
        let assets = library.assets()
        let members = (0..<number(0..<12)).map { _ in assets[number(0..<assets.count)] }
        var unique: [PHAsset] = []
        for asset in members where !unique.contains(asset) { unique.append(asset) }
        _ = try library.addAlbum(title, unique)
    }

    // MARK: - Fetches

    func queries(_ count: Int) -> [Query] {
        let albums = library.albums()
        return (0..<count).map { index in
            let period = index % 4 == 3 ? number(2..<6) : 1
            if index % 3 == 2, albums.count > 0 {
                let album = albums[number(0..<albums.count)]
                let hasBlock = number(0..<2) == 0
                let library = library
                return Query(
                    name: "album \(album.localizedTitle ?? "") block \(hasBlock)",
                    fetch: {
                        let options = PHFetchOptions()
                        if hasBlock {
                            options.predicate = NSPredicate { object, _ in
                                (object as? PHAsset)?.isFavorite != true
                            }
                        }
                        return library.members(of: album, options)
                    },
                    period: period
                )
            }
            return assetQuery(period)
        }
    }

    private static let formats = [
        nil, "isFavorite == YES", "isFavorite == NO", "mediaType == 1", "NOT (mediaType == 2)",
        "creationDate > CAST('2023-06-01', 'NSDate')",
        "isFavorite == YES OR creationDate < CAST('2023-05-01', 'NSDate')",
        "block",
    ]

    private func assetQuery(_ period: Int) -> Query {
        let format = Self.formats[number(0..<Self.formats.count)]
        let keys = ["creationDate", "isFavorite", "modificationDate", "mediaType"]
        let sort = (0..<number(0..<3)).map { _ in
            (key: keys[number(0..<keys.count)], ascending: Bool.random(using: &random))
        }
        let limit = number(0..<4) == 0 ? number(1..<20) : 0
        let (hidden, wantsSteps) = (number(0..<3) == 0, number(0..<8) != 0)
        let library = library
        return Query(
            name: "\(format ?? "all") \(sort) limit \(limit) hidden \(hidden)",
            fetch: {
                library.assets { options in
                    options.predicate =
                        format == "block"
                        ? NSPredicate { object, _ in
                            (object as? PHAsset)?.isFavorite != true
                        } : format.map { NSPredicate(format: $0) }
                    options.sortDescriptors = sort.map {
                        NSSortDescriptor(key: $0.key, ascending: $0.ascending)
                    }
                    options.fetchLimit = limit
                    options.includeHiddenAssets = hidden
                    options.wantsIncrementalChangeDetails = wantsSteps
                }
            },
            period: period
        )
    }

    // MARK: - Changes

    func change() throws {
        let assets = library.assets { $0.includeHiddenAssets = true }
        let albums = library.albums()
        guard assets.count > 10 else { return }
        // Each asset once, because a block cannot change an asset that it deletes.
        var some: [PHAsset] = []
        for _ in 0..<number(1..<8) {
            let asset = assets[number(0..<assets.count)]
            if !some.contains(asset) { some.append(asset) }
        }
        let (chosen, count) = (some, some.count)
        let kinds = (0..<count).map { _ in number(0..<8) }
        let days = (0..<count).map { _ in number(0..<400) }
        let album = albums.count > 0 ? albums[number(0..<albums.count)] : nil
        let kind = number(0..<6)
        let (from, to) = (number(0..<1_000), number(0..<1_000))
        let library = library
        if number(0..<20) == 0 { return try addAlbum("\(to)") }
        try library.change {
            for (index, asset) in chosen.enumerated() {
                switch kinds[index] {
                case 0...2: PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite
                case 3, 4:
                    PHAssetChangeRequest(for: asset).creationDate = RowsLibrary.date(days[index])
                case 5: PHAssetChangeRequest(for: asset).isHidden = !asset.isHidden
                case 6 where index == 0 && days[0] % 9 == 0:
                    PHAssetChangeRequest.deleteAssets([asset] as NSArray)
                default: break
                }
            }
            // A block cannot add an asset that it deletes to an album.
            guard let album, kinds[0] != 6 else { return }
            let members = library.members(of: album)
            let request = PHAssetCollectionChangeRequest(for: album, assets: members)
            switch kind {
            case 0: request?.addAssets([chosen[0]] as NSArray)
            case 1 where members.count > 0:
                request?.removeAssets(at: [from % members.count])
            case 2 where members.count > 1:
                request?.moveAssets(at: [from % members.count], to: to % (members.count - 1))
            case 3: request?.insertAssets([chosen[0]] as NSArray, at: [0])
            case 4: request?.title = "\(to)"
            default: break
            }
        }
    }
}
