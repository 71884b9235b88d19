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
    /// The sessions that see the library as it is followed here.
    private let audience: EventHub.Audience
    private let version: Mutex<Int64>

    init(
        library: PhotoLibraryBundle,
        lists: ListStore,
        assets: AssetMemory,
        events: EventHub,
        audience: EventHub.Audience
    ) throws {
        self.library = library
        self.lists = lists
        self.assets = assets
        self.events = events
        self.audience = audience
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
        let author = lastAuthor
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
        if let present = news.version { version.withLock { $0 = present } }
        var object = JSONObject()
        if let assets = news.assets {
            object.add("ids", assets)
        } else {
            object.add("ids", json: "null")
        }
        events.send("asset", object.line, to: audience)
        events.send("collections", "{}", to: audience)
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

    /// Who made the last change; nil when the history does not tell.
    private var lastAuthor: String? { try? library.latestHistory(limit: 1).last?.author }

    /// Which assets were changed since the last time.
    ///
    /// The assets are nil where any may have been: they are more than an event names, or the history
    /// no longer reaches back. The version is nil where the library cannot be read; then what follows
    /// is reported with the next change.
    private func news() -> (version: Int64?, assets: [String]?) {
        let since = version.withLock(\.self)
        guard let present = try? library.version else { return (nil, nil) }
        guard present != since else { return (present, []) }
        var seen: Set<String> = []
        var names: [String] = []
        do {
            try library.readHistory(since: library.historyToken(at: since)) { entries in
                for change in entries.lazy.flatMap(\.changes) where change.object == .asset {
                    let name = String(change.localIdentifier.prefix { $0 != "/" })
                    guard seen.insert(name).inserted else { continue }
                    guard names.count < Self.idLimit else { throw TooMany() }
                    names.append(name)
                }
            }
        } catch {
            return (present, nil)
        }
        return (present, names)
    }

    /// Ends the reading of history: more assets were changed than an event names.
    private struct TooMany: Error {}
}
