internal import Dispatch
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Counts the files to import while the import runs, so that the remaining time can be estimated.
final class ImportCounter: Sendable {
    private struct State {
        var files = 0
        var bytes: Int64 = 0
        var isComplete = false
    }

    private let state = Mutex(State())
    private let control = OperationControl()

    /// Starts counting on a background thread.
    func start(_ roots: [SourcePath], excluding excluded: Set<SourcePath>) {
        DispatchQueue.global(qos: .utility).async {
            var walker = FolderWalker(roots: roots, excluding: excluded)
            do {
                while !self.control.isStopped, let items = try walker.next() {
                    self.add(items)
                }
            } catch {
                // The import needs the descriptors more, so the total stays unknown.
                return
            }
            self.state.withLock { $0.isComplete = true }
        }
    }

    func stop() { control.stop() }

    /// Sets the totals of the progress to the numbers counted so far.
    func complete(_ progress: inout ImportProgress) {
        let state = state.withLock { $0 }
        progress.totalFiles = state.files
        progress.totalBytes = state.bytes
        progress.isTotalKnown = state.isComplete
    }

    private func add(_ items: [FolderWalker.Item]) {
        var files = 0
        var bytes: Int64 = 0
        for item in items {
            switch item {
            case .file(let candidate, _):
                files += 1
                bytes = bytes.addingSaturated(candidate.source.size)
            case .settled: files += 1
            case .notEntered: break
            }
        }
        state.withLock { [files, bytes] state in
            state.files += files
            state.bytes = state.bytes.addingSaturated(bytes)
        }
    }
}
