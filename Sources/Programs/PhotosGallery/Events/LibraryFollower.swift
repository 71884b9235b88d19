internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Observes library changes made by any program, and notifies the browsers.
///
/// PhotoKit reports each change in up to two calls, in order, on one queue. The first call updates
/// the lists, and is made only if fetched objects are affected. The second call is made for every
/// commit.
final class LibraryFollower: NSObject, PHPhotoLibraryChangeObserver,
    PHPhotoLibraryPersistentChangesObserver, Sendable
{
    /// The maximum number of assets in an `asset` event.
    private static let idLimit = 500

    private let library: PhotoLibraryBundle
    private let lists: ListStore
    private let assets: AssetMemory
    private let events: EventHub
    /// The sessions that use the observed view of the library (with or without hidden photos) and
    /// therefore receive its `asset` and `collections` events.
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

    /// The library version that was last announced to the sessions.
    ///
    /// Data that is read afterward has at least this version. If a client's event stream begins
    /// with a different version than its data, the client has missed a change.
    var announced: Int64 { version.withLock(\.self) }

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
        for list in lists.living() {
            do {
                let step = try list.advance(with: changeInstance, by: author, lines: lines)
                if let step { events.send("changes", step.data, list: list.name) }
            } catch {
                // A client that requests the list again gets a new one, or the error.
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
        var collections = JSONObject()
        collections.add("version", announced)
        events.send("collections", collections.line, to: audience)
    }

    /// Waits, for at most a second, until the lists reflect the library's current version.
    ///
    /// Clients then see their own changes.
    func catchUp() async throws {
        let present = try await Blocking.run { [library] in try library.version }
        let deadline = ContinuousClock.now + .seconds(1)
        while version.withLock({ $0 < present }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The author of the last change; nil if the history does not record it.
    private var lastAuthor: String? { try? library.latestHistory(limit: 1).last?.author }

    /// Returns the version of the library that the present notification leads to, and the UUIDs of
    /// the assets that changed since the last call.
    ///
    /// The lists are at that version. The library may already be at a later one, which the next
    /// notification announces.
    ///
    /// The assets are nil if any asset may have changed: if there are more changed assets than an
    /// event can name, or the history no longer reaches back. The version is nil if it is unknown.
    /// The changes are then reported with the next change.
    private func news() -> (version: Int64?, assets: [String]?) {
        let since = version.withLock(\.self)
        guard let present = library.notifiedVersion else { return (nil, nil) }
        guard present != since else { return (present, []) }
        var seen: Set<String> = []
        var names: [String] = []
        do {
            try library.readHistory(since: library.historyToken(at: since)) { entries in
                let reached = entries.lazy.filter { $0.version <= present }
                for change in reached.flatMap(\.changes) where change.object == .asset {
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

    /// The error that stops the reading of the history once more assets have changed than an event
    /// can name.
    private struct TooMany: Error {}
}
