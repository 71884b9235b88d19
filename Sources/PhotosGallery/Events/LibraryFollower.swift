internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Hears of each change of the library, whoever makes it, and tells the browsers.
///
/// A change is told in two calls, one after the other on one queue: the first, which only comes when
/// something is concerned that is fetched, brings the lists on; the second comes for every commit.
final class LibraryFollower: NSObject, PHPhotoLibraryChangeObserver,
    PHPhotoLibraryPersistentChangesObserver, Sendable
{
    /// How many assets an `asset` event names.
    private static let idLimit = 500

    private let library: PhotoLibraryBundle
    private let lists: ListStore
    private let assets: AssetMemory
    private let events: EventHub
    private let version: Mutex<Int64>

    init(library: PhotoLibraryBundle, lists: ListStore, assets: AssetMemory, events: EventHub)
        throws
    {
        self.library = library
        self.lists = lists
        self.assets = assets
        self.events = events
        version = Mutex(try library.version)
        super.init()
    }

    func start() {
        library.photoLibrary.register(self as any PHPhotoLibraryChangeObserver)
        library.photoLibrary.register(self as any PHPhotoLibraryPersistentChangesObserver)
    }

    func stop() {
        library.photoLibrary.unregisterChangeObserver(self)
        library.photoLibrary.unregisterPersistentChangesObserver(self)
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        assets.forget()
        let author = news().author
        let lines = AssetLines(library: library, assets: assets)
        for list in lists.living(followed: events.followed) {
            do {
                let step = try list.advance(with: changeInstance, by: author, lines: lines)
                if let step { events.send("changes", step.data, list: list.name) }
            } catch {
                // Who asks for it again gets it anew, or hears why not.
                lists.drop(list)
                events.close()
            }
        }
    }

    func photoLibraryPersistentChangesDidUpdate(_ photoLibrary: PHPhotoLibrary) {
        let news = news()
        if let present = news.version { version.withLock { $0 = max($0, present) } }
        var object = JSONObject()
        object.add("ids", news.assets)
        events.send("asset", object.line)
        events.send("collections", "{}")
    }

    /// Waits until the lists stand where the library does, so that whoever made a change sees it; a second
    /// at most.
    func catchUp() async throws {
        let present = try await Blocking.run { [library] in try library.version }
        let deadline = ContinuousClock.now + .seconds(1)
        while version.withLock({ $0 < present }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Who made the last change, and which assets were changed since the last time.
    private func news() -> (version: Int64?, author: String?, assets: [String]) {
        let since = version.withLock(\.self)
        guard let present = try? library.version, present > since,
            let token = try? library.historyToken(at: since),
            let entries = try? library.history(since: token, limit: 64)
        else { return (nil, nil, []) }
        var seen: Set<String> = []
        var names: [String] = []
        for change in entries.lazy.flatMap(\.changes) where change.object == .asset {
            let name = String(change.localIdentifier.prefix { $0 != "/" })
            if names.count < Self.idLimit, seen.insert(name).inserted { names.append(name) }
        }
        return (present, entries.last?.author, names)
    }
}
