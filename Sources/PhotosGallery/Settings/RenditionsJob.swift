internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The making of small pictures ahead.
final class RenditionsJob: Sendable {
    private struct State {
        var done = 0
        var total = 0
        var made = 0
        var failed = 0
        var message: String?
    }

    let job = LibraryJob()
    private let library: PhotoLibraryBundle
    private let events: EventHub
    private let state = Mutex(State())

    init(library: PhotoLibraryBundle, events: EventHub) {
        self.library = library
        self.events = events
        job.whenFinished { [weak self] in self?.tell() }
    }

    /// Begins to make what is missing.
    func build() throws {
        let isFirst = job.start { [self] control in run(control) }
        guard isFirst else { throw Refusal(.refused, "Small pictures are being made already.") }
    }

    private func run(_ control: OperationControl) {
        state.withLock { $0 = State() }
        do {
            _ = try LibraryRenditions(library: library).build(
                sizes: LibraryRenditions.Size.allCases,
                control: control,
                progress: { progress in
                    state.withLock { ($0.done, $0.total) = (progress.assets, progress.total) }
                    tell()
                },
                handler: { outcome in
                    state.withLock { state in
                        if outcome.error == nil { state.made += 1 } else { state.failed += 1 }
                    }
                }
            )
        } catch {
            state.withLock { $0.message = LibraryFailure(error).description }
        }
    }

    /// Removes them all.
    func drop() throws {
        guard !job.isRunning else {
            throw Refusal(
                .refused,
                "Small pictures are being made.",
                recovery: "Stop that, then drop them."
            )
        }
        try LibraryRenditions(library: library).drop()
    }

    private func tell() { events.send("renditions", progress.line) }

    private var progress: JSONObject {
        let isRunning = job.isRunning
        return state.withLock { state in
            var object = JSONObject()
            object.add("running", isRunning)
            object.add("done", state.done)
            object.add("total", state.total)
            object.add("made", state.made)
            object.add("missing", max(0, state.total - state.done))
            object.add("failed", state.failed)
            object.add("message", state.message)
            return object
        }
    }

    /// How it stands, and what there is.
    func json() throws -> JSONObject {
        let status = try LibraryRenditions(library: library).status()
        var object = JSONObject()
        let (isRunning, state) = (job.isRunning, state.withLock(\.self))
        object.add("running", isRunning)
        object.add("done", state.done)
        object.add("total", state.total)
        object.add("made", status.counts.reduce(0) { $0 + $1.current })
        object.add("failed", state.failed)
        object.add("message", state.message)
        object.add("missing", status.counts.reduce(0) { $0 + $1.missing })
        object.add("bytes", status.bytes)
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
