internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// A background job that creates missing renditions.
///
/// Sessions that may not see hidden photos receive counts without them.
final class RenditionsJob: Sendable {
    /// The numbers of created and failed renditions.
    private struct Counts {
        var made = 0
        var failed = 0
    }

    /// The library's rendition counts as first read during a run of the job.
    ///
    /// `made` is the number of renditions that the run had created by then.
    private struct FirstStatus {
        var status: LibraryRenditions.Status
        var made: Int
    }

    private struct State {
        /// The number of the job's current run.
        ///
        /// It identifies the run, since the counts of one run do not apply to the next.
        var run = 0
        var done = 0
        var total = 0
        /// The total number of renditions to create, excluding renditions of hidden photos.
        var unhiddenTotal = 0
        var all = Counts()
        /// The numbers of created and failed renditions, excluding renditions of hidden photos.
        var unhidden = Counts()
        /// The rendition counts first read during the run, keyed by whether they include hidden
        /// photos.
        var first: [Bool: FirstStatus] = [:]
        var message: String?

        func counts(showsHidden: Bool) -> Counts { showsHidden ? all : unhidden }

        /// Returns the progress of the job.
        ///
        /// Without hidden photos, it is estimated in proportion to the total.
        func progress(showsHidden: Bool) -> (done: Int, total: Int) {
            guard !showsHidden else { return (done, total) }
            return (total == 0 ? 0 : done * unhiddenTotal / total, unhiddenTotal)
        }
    }

    let job = LibraryJob()
    private let library: PhotoLibraryBundle
    private let unhidden: PhotoLibraryBundle
    private let events: EventHub
    /// The library's rendition counts, with and without hidden photos.
    private let counts = (
        all: RecomputedValue<LibraryRenditions.Status>(),
        unhidden: RecomputedValue<LibraryRenditions.Status>()
    )
    private let state = Mutex(State())

    init(
        library: PhotoLibraryBundle,
        withoutHidden unhidden: PhotoLibraryBundle,
        events: EventHub
    ) {
        self.library = library
        self.unhidden = unhidden
        self.events = events
        job.whenFinished { [weak self] in
            self?.forgetCounts()
            self?.notify()
        }
    }

    private func forgetCounts() {
        counts.all.forget()
        counts.unhidden.forget()
    }

    /// Starts creating missing renditions.
    func build() throws {
        let isFirst = job.start { [self] control in run(control) }
        guard isFirst else {
            throw RequestError(.refused, "Thumbnails are already being generated.")
        }
    }

    private func run(_ control: OperationControl) {
        state.withLock { $0 = State(run: $0.run + 1) }
        // What the job makes is added to the counts of its start.
        forgetCounts()
        do {
            let sizes = LibraryRenditions.Size.allCases
            let seen = try unhidden.fetchAssets(with: nil).count
            state.withLock { $0.unhiddenTotal = seen * sizes.count }
            _ = try LibraryRenditions(library: library).build(
                sizes: sizes,
                control: control,
                progress: { progress in
                    state.withLock { ($0.done, $0.total) = (progress.assets, progress.total) }
                    notify()
                },
                handler: { outcome in
                    let isHidden = unhidden.isMissing(outcome.localIdentifier)
                    let counter = outcome.error == nil ? \Counts.made : \Counts.failed
                    state.withLock { state in
                        state.all[keyPath: counter] += 1
                        if !isHidden { state.unhidden[keyPath: counter] += 1 }
                    }
                }
            )
        } catch {
            state.withLock { $0.message = LibraryFailure(error).description }
        }
    }

    /// Removes all renditions of the library.
    func drop() throws {
        guard !job.isRunning else {
            throw RequestError(
                .refused,
                "Thumbnails are being generated.",
                recovery: "Stop that, then delete them."
            )
        }
        try LibraryRenditions(library: library).drop()
        forgetCounts()
    }

    private func notify() {
        events.send("renditions", progress(showsHidden: true).line, to: .unlocked)
        events.send("renditions", progress(showsHidden: false).line, to: .locked)
    }

    private func progress(showsHidden: Bool) -> JSONObject {
        let isRunning = job.isRunning
        return state.withLock { state in
            let (done, total) = state.progress(showsHidden: showsHidden)
            let counts = state.counts(showsHidden: showsHidden)
            var object = JSONObject()
            object.add("running", isRunning)
            object.add("done", done)
            object.add("total", total)
            object.add("made", counts.made)
            object.add("missing", max(0, total - done))
            object.add("failed", counts.failed)
            object.add("message", state.message)
            return object
        }
    }

    /// Returns the library's rendition counts, and the number of renditions that the job created
    /// since those counts were read.
    ///
    /// The library caches its counts until its renditions change. While the job runs they change
    /// continually, so the first counts of the run are used.
    private func status(
        for view: GalleryView,
        isRunning: Bool
    ) throws -> (status: LibraryRenditions.Status, madeSince: Int) {
        let key = view.showsHidden
        let (run, known, made) = state.withLock {
            ($0.run, $0.first[key], $0.counts(showsHidden: key).made)
        }
        if isRunning, let known { return (known.status, made - known.made) }
        // The engine knows at once whether its counts are current.
        let status = try (key ? counts.all : counts.unhidden).value(
            renewed: { _ in nil },
            compute: LibraryRenditions(library: view.library).status
        )
        state.withLock { state in
            guard state.run == run else { return }
            state.first[key] = isRunning ? FirstStatus(status: status, made: made) : nil
        }
        return (status, 0)
    }

    /// Returns the state of the job and of the renditions as JSON, for a view of the library.
    func json(for view: GalleryView) throws -> JSONObject {
        let isRunning = job.isRunning
        let (status, madeSince) = try status(for: view, isRunning: isRunning)
        var object = JSONObject()
        let state = state.withLock(\.self)
        let (done, total) = state.progress(showsHidden: view.showsHidden)
        object.add("running", isRunning)
        object.add("done", done)
        object.add("total", total)
        object.add("made", status.counts.reduce(madeSince) { $0 + $1.current })
        object.add("failed", state.counts(showsHidden: view.showsHidden).failed)
        object.add("message", state.message)
        object.add("missing", status.counts.reduce(-madeSince) { $0 + $1.missing })
        // One file contains the renditions of all photos, including hidden ones.
        object.add("bytes", view.showsHidden ? status.bytes : nil)
        object.add("assets", status.assets)
        object.add(
            "sizes",
            status.counts.map { count in
                var size = JSONObject()
                size.add("size", count.size.rawValue)
                size.add("current", count.current)
                size.add("missing", count.missing)
                size.add("outdated", count.outdated)
                return size
            }
        )
        return object
    }
}

extension PhotoLibraryBundle {
    /// Indicates whether an asset is missing from this view of the library.
    fileprivate func isMissing(_ identifier: String) -> Bool {
        let options = PHFetchOptions()
        options.includeAllBurstAssets = true
        return using {
            PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: options).count == 0
        }
    }
}
