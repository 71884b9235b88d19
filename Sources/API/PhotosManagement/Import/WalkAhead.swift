internal import LibraryService

/// A walk that reads the next folders on another thread while the library looks up the files of
/// earlier folders.
///
/// Only folders are read ahead; the files of a camera or phone arrive in the order of its own
/// calls.
struct WalkAhead {
    /// The items of consecutive folders, and the walk in its state after those folders.
    private struct Portion: Sendable {
        var walker: any ImportWalk
        var folders: [[FolderWalker.Item]] = []
        var isOver = false
        var failure: FolderWalker.TooManyOpenFiles?

        /// Creates a portion by reading folders until their items suffice for one lookup of known
        /// files, or until the limit of open folders is reached.
        init(_ walker: any ImportWalk, limits: ImportLimits, control: OperationControl? = nil) {
            self.walker = walker
            var count = 0
            while count < limits.knownFiles, folders.count < limits.openFolders,
                control?.isStopped != true
            {
                do throws(FolderWalker.TooManyOpenFiles) {
                    guard let items = try self.walker.next() else {
                        isOver = true
                        return
                    }
                    folders.append(items)
                    count += items.count
                } catch {
                    failure = error
                    return
                }
            }
        }
    }

    private let limits: ImportLimits
    private var walker: any ImportWalk
    /// The folders that were read and not returned yet, in reverse order.
    private var folders: [[FolderWalker.Item]] = []
    private var ahead: Parallel.Work<Portion, Never>?
    private let control = OperationControl()

    init(_ walker: any ImportWalk, limits: ImportLimits) {
        self.walker = walker
        self.limits = limits
    }

    /// Returns the items of the next folder; nil at the end of the walk.
    ///
    /// - Throws: `TooManyOpenFiles` if no folder can be opened before others are closed; the call
    ///   can then be repeated.
    mutating func next() throws(FolderWalker.TooManyOpenFiles) -> [FolderWalker.Item]? {
        guard type(of: walker).readsAhead else { return try walker.next() }
        if let items = folders.popLast() { return items }
        let portion = ahead?.wait() ?? Portion(walker, limits: limits)
        ahead = nil
        walker = portion.walker
        folders = portion.folders.reversed()
        if !portion.isOver, portion.failure == nil {
            let (limits, control) = (limits, control)
            ahead = Parallel.Work { [walker] in
                Portion(walker, limits: limits, control: control)
            }
        }
        if folders.isEmpty, let failure = portion.failure { throw failure }
        return folders.popLast()
    }

    /// Stops reading folders, and waits for the one that is being read.
    mutating func end() {
        control.stop()
        _ = ahead?.wait()
        ahead = nil
    }
}
