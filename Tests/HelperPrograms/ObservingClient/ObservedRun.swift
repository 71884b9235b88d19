import ChangeFollowing
import Foundation
import Photos

/// Makes many small changes to objects that all processes share, while observers keep lists up to
/// date by change details only.
///
/// Prints `told NUMBER` and `state DIGEST` at the end, after the changes of all processes were
/// received.
final class ObservedRun: NSObject, PHPhotoLibraryChangeObserver {
    private struct Lists {
        var assets: FollowedList<PHAsset>
        var albums: FollowedList<PHAssetCollection>
        var members: [FollowedList<PHAsset>]
        var problems: [String] = []
        var calls = 0
    }

    private let name: String
    private let count: Int
    private let total: Int
    private var random: Generator
    private let start = PHPhotoLibrary.shared().currentChangeToken
    // Guards the lists: the library's queue updates them, the main thread compares them.
    private let lock = NSCondition()
    private var lists: Lists

    init(name: String, count: Int, total: Int, seed: UInt64) {
        self.name = name
        self.count = count
        self.total = total
        random = Generator(seed: seed)
        lists = Self.fetched()
        super.init()
    }

    func run() throws {
        PHPhotoLibrary.shared().register(self)
        ObservingClient.say("ready")
        guard readLine() != nil else { throw ClientError("Nobody said go.") }
        for number in 0..<count { try change(number) }
        try waitForAll()
        let fresh = Self.fetched()
        let followed = lock.withLock { lists }
        guard followed.problems.isEmpty else { throw ClientError("\(followed.problems)") }
        guard Self.state(of: followed) == Self.state(of: fresh) else {
            throw ClientError("What was followed is not what there is.")
        }
        ObservingClient.say("told", "\(followed.calls)")
        ObservingClient.say("state", Self.digest(of: Self.state(of: fresh)))
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        lock.withLock {
            lists.calls += 1
            var problems = [
                lists.assets.follow(changeInstance), lists.albums.follow(changeInstance),
            ]
            for index in lists.members.indices {
                problems.append(lists.members[index].follow(changeInstance))
            }
            lists.problems += problems.compactMap(\.self)
            lock.broadcast()
        }
    }

    // MARK: - Changing

    private func change(_ number: Int) throws {
        let assets = PHAsset.fetchAssets(with: nil)
        let albums = PHAssetCollection.fetchAssetCollections(
            with: .album,
            subtype: .albumRegular,
            options: nil
        )
        guard assets.count > 0, albums.count > 0 else { throw ClientError("Nothing is there.") }
        let asset = assets[Int.random(in: 0..<assets.count, using: &random)]
        let other = assets[Int.random(in: 0..<assets.count, using: &random)]
        let album = albums[Int.random(in: 0..<albums.count, using: &random)]
        let kind = Int.random(in: 0..<5, using: &random)
        let day = Double.random(in: 0..<10_000, using: &random)
        let name = name
        try PHPhotoLibrary.shared().performChangesAndWait {
            // Moves the asset, and ensures that there is something to commit.
            PHAssetChangeRequest(for: asset).creationDate = Date(
                timeIntervalSinceReferenceDate: day * 86_400
            )
            switch kind {
            case 0: PHAssetCollectionChangeRequest(for: album)?.addAssets([other] as NSArray)
            case 1: PHAssetCollectionChangeRequest(for: album)?.removeAssets([other] as NSArray)
            case 2:
                PHAssetCollectionChangeRequest(for: album)?
                    .insertAssets([other] as NSArray, at: [0])
            case 3: PHAssetCollectionChangeRequest(for: album)?.title = "\(name) \(number)"
            default: PHAssetChangeRequest(for: other).isFavorite = !other.isFavorite
            }
        }
    }

    // MARK: - Waiting

    /// Waits until all changes of all processes are committed, and the observer has received the
    /// last one.
    private func waitForAll() throws {
        let deadline = Date(timeIntervalSinceNow: 600)
        while true {
            guard Date() < deadline else { throw ClientError("Changes did not arrive.") }
            let calls = lock.withLock { lists.calls }
            if try hasReceivedAll() { return }
            lock.withLock {
                while lists.calls == calls, lock.wait(until: deadline) {}
            }
        }
    }

    private func hasReceivedAll() throws -> Bool {
        let changes = try PHPhotoLibrary.shared().fetchPersistentChanges(since: start)
        guard changes.reduce(0, { count, _ in count + 1 }) >= total else { return false }
        let fresh = Self.state(of: Self.fetched())
        return lock.withLock { Self.state(of: lists) } == fresh
    }

    // MARK: - States

    private static func fetched() -> Lists {
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        options.includeHiddenAssets = true
        let titles = PHFetchOptions()
        titles.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
        let albums = PHAssetCollection.fetchAssetCollections(
            with: .album,
            subtype: .albumRegular,
            options: titles
        )
        var byName: [String: PHAssetCollection] = [:]
        for index in 0..<albums.count { byName[albums[index].localIdentifier] = albums[index] }
        return Lists(
            assets: FollowedList(PHAsset.fetchAssets(with: options)) { asset in
                let date = asset.creationDate?.timeIntervalSinceReferenceDate ?? 0
                return "\(asset.localIdentifier) \(asset.isFavorite) \(date)"
            },
            albums: FollowedList(albums) { album in
                "\(album.localIdentifier) \(album.localizedTitle ?? "")"
                    + " \(album.estimatedAssetCount)"
            },
            members: byName.sorted { $0.key < $1.key }.map { _, album in
                FollowedList(PHAsset.fetchAssets(in: album, options: nil)) { asset in
                    "\(asset.localIdentifier) \(asset.isFavorite)"
                }
            }
        )
    }

    private static func state(of lists: Lists) -> [String] {
        lists.assets.rows + lists.albums.rows + lists.members.flatMap { ["album"] + $0.rows }
    }

    /// Returns a text that is equal for equal states.
    private static func digest(of state: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in state.joined(separator: "\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }
}
