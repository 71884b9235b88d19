internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The check of the library, and what it found last.
final class CheckJob: Sendable {
    /// Findings that are told; more are counted.
    private static let findingLimit = 1_000

    private struct State {
        var progress = 0.0
        var findings: [JSONObject] = []
        var summary: LibraryCheck.Summary?
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

    /// Begins a check.
    func start(full: Bool, repair: Bool) throws {
        var options = LibraryCheck.Options()
        options.readsEverything = full
        options.repairs = repair
        let isFirst = job.start { [self, options] control in run(options, control) }
        guard isFirst else { throw Refusal(.refused, "A check goes on already.") }
    }

    private func run(_ options: LibraryCheck.Options, _ control: OperationControl) {
        state.withLock { $0 = State() }
        let check = LibraryCheck(library: library, options: options, control: control)
        do {
            let summary = try check.run(
                progress: { progress in
                    state.withLock { $0.progress = progress }
                    tell()
                },
                handler: { finding in
                    state.withLock { state in
                        guard state.findings.count < Self.findingLimit else { return }
                        state.findings.append(Self.json(finding))
                    }
                }
            )
            state.withLock { $0.summary = summary }
        } catch {
            state.withLock { $0.message = LibraryFailure(error).description }
        }
    }

    private func tell() { events.send("check", json.line) }

    /// How it stands.
    var json: JSONObject {
        let isRunning = job.isRunning
        return state.withLock { state in
            var object = JSONObject()
            object.add("running", isRunning)
            object.add("progress", state.progress)
            object.add("findings", state.findings)
            object.add("notes", state.summary?.notes)
            object.add("damages", state.summary?.damages)
            object.add("repaired", state.summary?.repaired)
            object.add("finished", state.summary.map { !$0.wasStopped } ?? false)
            object.add("message", state.message)
            return object
        }
    }

    private static func json(_ finding: LibraryCheck.Finding) -> JSONObject {
        var object = JSONObject()
        object.add("severity", finding.severity.rawValue)
        object.add("kind", finding.kind)
        object.add("message", finding.message)
        object.add("advice", finding.advice)
        object.add("path", finding.path)
        object.add("id", finding.localIdentifier.map { String($0.prefix { $0 != "/" }) })
        object.add("repaired", finding.isRepaired)
        return object
    }
}
