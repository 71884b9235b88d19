import ChangeFollowing
import Foundation
import Photos

/// A program without permission for hidden photos that follows the changes of another process.
///
/// For each `check` on its input, it waits until it has received all changes. It then compares its
/// lists with fresh fetches, and results that it holds with their former content, and prints `ok`
/// or the errors.
final class RestrictedRun: NSObject, PHPhotoLibraryChangeObserver {
    /// A fetch, and two results of it that are updated by change details.
    private struct Query {
        let name: String
        let fetch: () -> PHFetchResult<PHAsset>
        /// All objects of this result are read.
        var list: FollowedList<PHAsset>
        /// Only the objects that details name are read of this result.
        var unread: FollowedIdentifiers
    }

    /// A result of which nothing was read, and its expected content.
    private struct Held {
        let name: String
        let result: PHFetchResult<PHAsset>
        let identifiers: [String]
        /// The number of checks after which it is read.
        var patience: Int
    }

    // Guards the state: the library's queue updates it, the main thread compares it.
    private let lock = NSCondition()
    private var queries: [Query]
    private var held: [Held] = []
    private var problems: [String] = []
    private var calls = 0
    private var details = 0
    private var checks = 0

    override init() {
        queries = Self.fetches().map { name, fetch in
            Query(
                name: name,
                fetch: fetch,
                list: FollowedList(fetch(), describe: Self.describe),
                unread: FollowedIdentifiers(fetch())
            )
        }
        super.init()
    }

    func run() {
        PHPhotoLibrary.shared().register(self)
        ObservingClient.say("ready")
        while let line = readLine(), line == "check" {
            let problems = check()
            ObservingClient.say(problems.isEmpty ? "ok" : problems.joined(separator: "; "))
        }
        PHPhotoLibrary.shared().unregisterChangeObserver(self)
        ObservingClient.say("details", "\(lock.withLock { details })")
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        lock.withLock {
            defer {
                calls += 1
                lock.broadcast()
            }
            for index in queries.indices {
                let name = queries[index].name
                if let problem = queries[index].list.follow(changeInstance) {
                    problems.append("\(name): \(problem)")
                }
                guard let told = changeInstance.changeDetails(for: queries[index].unread.result)
                else { continue }
                details += 1
                problems += queries[index].unread.follow(told).map { "\(name), unread: \($0)" }
            }
        }
    }

    // MARK: - Fetches

    private static func fetches() -> [(String, () -> PHFetchResult<PHAsset>)] {
        func assets(_ configure: @escaping (PHFetchOptions) -> Void) -> () -> PHFetchResult<PHAsset>
        {
            {
                let options = PHFetchOptions()
                configure(options)
                return PHAsset.fetchAssets(with: options)
            }
        }
        let newestFirst = [NSSortDescriptor(key: "creationDate", ascending: false)]
        var fetches: [(String, () -> PHFetchResult<PHAsset>)] = [
            ("all", assets { _ in }),
            ("newest", assets { $0.sortDescriptors = newestFirst }),
            ("asked for hidden ones", assets { $0.includeHiddenAssets = true }),
            ("favorites", assets { $0.predicate = NSPredicate(format: "isFavorite == YES") }),
            ("reload", assets { $0.wantsIncrementalChangeDetails = false }),
            (
                "limit",
                assets {
                    $0.sortDescriptors = newestFirst
                    $0.fetchLimit = 9
                }
            ),
            ("block", assets { $0.predicate = NSPredicate { asset, _ in asset is PHAsset } }),
        ]
        let albums = PHAssetCollection.fetchAssetCollections(
            with: .album,
            subtype: .albumRegular,
            options: nil
        )
        for index in 0..<albums.count {
            let album = albums[index]
            fetches.append(("album \(index)", { PHAsset.fetchAssets(in: album, options: nil) }))
        }
        return fetches
    }

    private static func describe(_ asset: PHAsset) -> String {
        let date = asset.creationDate?.timeIntervalSinceReferenceDate ?? 0
        return "\(asset.localIdentifier) \(asset.mediaType.rawValue) \(asset.isHidden)"
            + " \(asset.isFavorite) \(date)"
    }

    // MARK: - Checking

    private func check() -> [String] {
        let deadline = Date(timeIntervalSinceNow: 30)
        while true {
            let seen = lock.withLock { calls }
            let late = lock.withLock { queries.filter { !isCurrent($0) }.map(\.name) }
            if late.isEmpty { break }
            guard Date() < deadline else {
                return lock.withLock { problems } + ["not what a fetch gives: \(late)"]
            }
            lock.withLock {
                while calls == seen, lock.wait(until: deadline) {}
            }
        }
        return lock.withLock {
            checks += 1
            checkHeld()
            for index in queries.indices { hold(index) }
            defer { problems = [] }
            return problems
        }
    }

    private func isCurrent(_ query: Query) -> Bool {
        let fresh = query.fetch()
        guard query.list.rows == FollowedList.rows(of: fresh, Self.describe) else { return false }
        let unread = query.unread.identifiers
        return unread == nil || unread == (0..<fresh.count).map { fresh[$0].localIdentifier }
    }

    private func checkHeld() {
        for item in held where item.patience == 0 {
            let found = (0..<item.result.count).map { item.result[$0] }
            let names = found.map(\.localIdentifier)
            if names != item.identifiers {
                problems.append("\(item.name), held: \(names) for \(item.identifiers)")
            }
            if found.contains(where: { FollowedIdentifiers.isWrong($0) }) {
                problems.append("\(item.name), held: an asset without its values")
            }
            let types = [PHAssetMediaType.image, .video]
            let counted = types.map { item.result.countOfAssets(with: $0) }
            if counted.reduce(0, +) != item.result.count {
                problems.append("\(item.name), held: \(counted) of \(item.result.count)")
            }
        }
        held = held.filter { $0.patience > 0 }
        for index in held.indices { held[index].patience -= 1 }
    }

    /// Retains unread results of a query, and follows a new one at intervals.
    private func hold(_ index: Int) {
        let query = queries[index]
        let identifiers = query.list.rows.map { String($0.prefix { $0 != " " }) }
        let patience = (checks + index) % 4
        for result in [query.unread.result, query.fetch()] {
            held.append(
                Held(
                    name: query.name,
                    result: result,
                    identifiers: identifiers,
                    patience: patience
                )
            )
        }
        if query.unread.identifiers == nil || (checks + index) % 6 == 0 {
            queries[index].unread = FollowedIdentifiers(query.fetch(), identifiers)
        }
    }
}
