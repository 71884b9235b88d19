internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The progress of a commit: a step for each file that is examined, and one for each operation.
///
/// It is reported to the call's context at most a hundred times, from any thread. A cancellation
/// ends the commit as long as its files are examined; a transaction that has begun is completed.
final class CommitProgress: Sendable {
    private let context: CallContext?
    private let total: Int64
    private let completed = Mutex<Int64>(0)

    /// Creates the progress of a change set by counting its steps.
    ///
    /// The progress is reported to the call that the current thread performs.
    init(_ changes: ChangeSet) {
        context = CallContext.current
        let files = changes.operations.reduce(0) { count, operation in
            switch operation.action {
            case .createAsset(let creation):
                count + creation.resources.count + (creation.content?.renderings.count ?? 0)
            case .editContent(_, let edit): count + edit.renderings.count
            default: count
            }
        }
        total = Int64(files + changes.operations.count)
    }

    /// Checks for a cancellation before a file is examined.
    ///
    /// - Throws: `cancelled` if the call was canceled.
    func beginFile() throws(LibraryError) { try context?.checkCancellation() }

    /// Counts a completed step, and reports the progress when another percent is completed.
    func step() {
        // A single step is the end of the call, and a report would wake the client for nothing.
        guard total > 1, let report = context?.progress else { return }
        let done = completed.withLock { completed in
            let former = completed
            completed += 1
            // The last step is the end of the call.
            let isNews = completed * 100 / total != former * 100 / total
            return isNews ? completed : nil
        }
        if let done { report(CallProgress(completed: done, total: total)) }
    }
}
