internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// A background verification of the library, with its latest findings.
final class CheckJob: Sendable {
    /// The maximum number of reported findings; further ones are only counted.
    private static let findingLimit = 1_000

    private struct State {
        var progress = 0.0
        var findings: [LibraryCheck.Finding] = []
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
        job.whenFinished { [weak self] in self?.notify() }
    }

    /// Starts a verification.
    func start(full: Bool, repair: Bool) throws {
        var options = LibraryCheck.Options()
        options.readsEverything = full
        options.repairs = repair
        let isFirst = job.start { [self, options] control in run(options, control) }
        guard isFirst else { throw RequestError(.refused, "A verification is already running.") }
    }

    private func run(_ options: LibraryCheck.Options, _ control: OperationControl) {
        state.withLock { $0 = State() }
        let check = LibraryCheck(library: library, options: options, control: control)
        do {
            let summary = try check.run(
                progress: { progress in
                    state.withLock { $0.progress = progress }
                    notify()
                },
                handler: { finding in
                    state.withLock { state in
                        guard state.findings.count < Self.findingLimit else { return }
                        state.findings.append(finding)
                    }
                }
            )
            state.withLock { $0.summary = summary }
        } catch {
            state.withLock { $0.message = LibraryFailure(error).description }
        }
    }

    private func notify() {
        events.send("check", json(showsHidden: true).line, to: .unlocked)
        events.send("check", json(showsHidden: false).line, to: .locked)
    }

    /// Returns the state of the verification as JSON.
    ///
    /// Without hidden photos, findings about them are neither reported nor counted.
    func json(showsHidden: Bool) -> JSONObject {
        let isRunning = job.isRunning
        let all = state.withLock { $0.findings }
        let named = Set(all.compactMap(Self.asset))
        let hidden = showsHidden ? [] : HiddenAssets.among(named, in: library)
        let findings = all.filter { finding in
            Self.asset(finding).map { !hidden.contains($0) } ?? true
        }
        func left(_ count: Int?, where matches: (LibraryCheck.Finding) -> Bool) -> Int? {
            count.map { $0 - (all.count(where: matches) - findings.count(where: matches)) }
        }
        return state.withLock { state in
            var object = JSONObject()
            object.add("running", isRunning)
            object.add("progress", state.progress)
            object.add("findings", findings.map(Self.json))
            object.add(
                "notes",
                left(state.summary?.notes) { $0.severity == .note && !$0.isRepaired }
            )
            object.add(
                "damages",
                left(state.summary?.damages) { $0.severity == .damage && !$0.isRepaired }
            )
            object.add("repaired", left(state.summary?.repaired) { $0.isRepaired })
            object.add("finished", state.summary.map { !$0.wasStopped } ?? false)
            object.add("message", state.message)
            return object
        }
    }

    /// Returns the UUID of the asset that a finding names; nil if it names none.
    ///
    /// Findings about albums, folders and the database's rows of files name no asset, nor its file.
    private static func asset(_ finding: LibraryCheck.Finding) -> String? {
        HiddenAssets.uuid(of: finding.localIdentifier)
    }

    private static func json(_ finding: LibraryCheck.Finding) -> JSONObject {
        var object = JSONObject()
        object.add("severity", finding.severity.rawValue)
        object.add("kind", finding.kind)
        object.add("message", finding.message)
        object.add("advice", finding.advice)
        object.add("path", finding.path)
        object.add("id", asset(finding))
        object.add("repaired", finding.isRepaired)
        return object
    }
}
