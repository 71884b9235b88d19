internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// A background search for duplicate photos.
final class DuplicatesJob: Sendable {
    private struct State {
        var remaining = 0
        var total = 0
        /// The local identifiers of the photos in each group; nil before the first search.
        ///
        /// The first photo of a group is the one that is suggested for keeping.
        var groups: [[String]]?
        /// The number of completed searches.
        var searches = 0
        var message: String?
    }

    /// The duplicate groups at one version of the library, without photos that no longer exist.
    private struct Present {
        var version: Int64
        var searches: Int
        var groups: [[PHAsset]]
    }

    let job = LibraryJob()
    private let library: PhotoLibraryBundle
    private let events: EventHub
    /// Fetches photos by local identifier.
    private let fetch: @Sendable ([String]) throws -> [PHAsset]
    private let state = Mutex(State())
    private let known = Mutex<Present?>(nil)
    private let fetched = Atomic(0)

    /// The total number of photos fetched by checks for photos that were deleted or hidden.
    var fetchedPhotos: Int { fetched.load(ordering: .relaxed) }

    /// Creates a job that has not searched yet.
    ///
    /// - Parameters:
    ///   - library: The library that is searched.
    ///   - events: The receiver of the job's events.
    ///   - fetch: Fetches photos by local identifier; by default from `library`.
    init(
        library: PhotoLibraryBundle,
        events: EventHub,
        fetch: (@Sendable ([String]) throws -> [PHAsset])? = nil
    ) {
        self.library = library
        self.events = events
        if let fetch {
            self.fetch = fetch
        } else {
            self.fetch = { try library.fetchAssets(withLocalIdentifiers: $0).all }
        }
        job.whenFinished { [weak self] in self?.notify() }
    }

    /// Starts a search.
    func find() { job.start { [self] control in run(control) } }

    private func run(_ control: OperationControl) {
        do {
            let found = try library.duplicatePhotos(control: control) { remaining, total in
                state.withLock { ($0.remaining, $0.total) = (remaining, total) }
                notify()
            }
            let groups = found.map { $0.photos.map(\.localIdentifier) }
            if !control.isStopped { keep(groups) }
        } catch {
            state.withLock { $0.message = LibraryFailure(error).description }
        }
    }

    /// Stores the groups that a completed search found.
    func keep(_ groups: [[String]]) {
        state.withLock { state in
            state.groups = groups
            state.searches += 1
        }
    }

    /// The local identifiers of the photos in each group that the last search found, without photos
    /// that were deleted or hidden since; empty before the first search.
    var groups: [[String]] {
        get throws { try presentGroups().map { $0.map(\.localIdentifier) } }
    }

    /// Indicates whether one of the groups contains all of some photos.
    func areTogether(_ photos: [PHAsset]) throws -> Bool {
        let names = Set(photos.map(\.localIdentifier))
        return try groups.contains { names.isSubset(of: $0) }
    }

    /// The number of redundant photos; nil before the first search, and if the library cannot be
    /// read.
    var count: Int? {
        let isKnown = state.withLock { $0.groups != nil }
        guard isKnown, let present = try? presentGroups() else { return nil }
        return present.reduce(0) { $0 + $1.count - 1 }
    }

    /// Returns the found groups, without photos that were deleted or hidden since the search.
    ///
    /// The photos are fetched only once per version of the library, since each request of the
    /// sidebar counts them. A fetch that fails is repeated by the next request.
    private func presentGroups() throws -> [[PHAsset]] {
        let (groups, searches) = state.withLock { ($0.groups ?? [], $0.searches) }
        guard !groups.isEmpty else { return [] }
        let version = try library.version
        if let known = known.withLock(\.self), known.version == version,
            known.searches == searches
        {
            return known.groups
        }
        let found = try fetch(groups.flatMap(\.self))
        fetched.add(found.count, ordering: .relaxed)
        let byName = Dictionary(found.map { ($0.localIdentifier, $0) }) { first, _ in first }
        let present = groups.map { $0.compactMap { byName[$0] } }.filter { $0.count > 1 }
        known.withLock { $0 = Present(version: version, searches: searches, groups: present) }
        return present
    }

    private func notify() { events.send("duplicates", json.line) }

    /// The state of the search, without the groups.
    var json: JSONObject { json(try? presentGroups()) }

    /// Returns the state of the search with its groups, which contain only photos that still exist.
    func json(with lines: AssetLines) throws -> JSONObject {
        let present = try presentGroups()
        var object = json(present)
        let groups = try present.map { photos in
            let texts = try lines.lines(photos).joined(separator: ",")
            return "{\"suggested\":\"\(photos[0].bareIdentifier)\",\"assets\":[\(texts)]}"
        }
        object.add("groups", json: "[" + groups.joined(separator: ",") + "]")
        return object
    }

    private func json(_ present: [[PHAsset]]?) -> JSONObject {
        let isRunning = job.isRunning
        return state.withLock { state in
            var object = JSONObject()
            object.add("state", isRunning ? "running" : state.groups == nil ? "idle" : "done")
            object.add("remaining", state.remaining)
            object.add("total", state.total)
            object.add("count", state.groups == nil ? nil : present?.count)
            object.add("message", state.message)
            return object
        }
    }
}
