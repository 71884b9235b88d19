internal import LibraryService

/// The files of watch folders that wait to become ready or to be imported.
///
///     seen ──unchanged for 5 s──▶ ready ──import──▶ forgotten
///      ▲  └──changed: again──┘    ▲   └──no photo──▶ set aside
///      renamed into place ────────┴───photo imported─────┘
///
/// The type decides by times and facts that its caller provides, and reads no file.
struct WatchCandidates {
    /// The time for which a file must not change before it is imported.
    let stability: Duration

    private struct Candidate {
        var file: SourceFile
        /// The time at which to check the file again; the file is ready if it has not changed by
        /// then.
        var due: SuspendingClock.Instant
        /// The index of the watch folder.
        var folder: Int
        /// The number of times that `tryAgain` postponed it.
        var attempts = 0
    }

    /// The common part of the paths of the files of one shot.
    private struct Shot: Hashable {
        let parent: [UInt8]
        let group: [UInt8]

        init(path: [UInt8]) {
            parent = path.parentPath
            group = ImportSortKey(name: path.lastComponent).group
        }
    }

    private var candidates: [[UInt8]: Candidate] = [:]
    /// The sidecars without a photo or movie, by their paths, of each shot.
    private var aside: [Shot: [[UInt8]: (file: SourceFile, folder: Int)]] = [:]
    /// The number of waiting files of each watch folder.
    private var counts: [Int: Int] = [:]
    /// The files that are due, in reverse order of import, so that the next file is the last
    /// element.
    private var queue: [Place] = []
    /// A lower bound of the due times of all files that are not in `queue`.
    private var next: SuspendingClock.Instant?

    init(stability: Duration = .seconds(5)) { self.stability = stability }

    /// The number of waiting files.
    var count: Int { candidates.count }

    /// The indexes of the watch folders that have waiting files.
    var folders: Set<Int> { Set(counts.filter { $0.value > 0 }.keys) }

    /// The time at which the next files are due; nil if there are none.
    var nextDue: SuspendingClock.Instant? {
        if candidates.isEmpty { return nil }
        return queue.isEmpty ? next : .now
    }

    /// Adds a file, or restarts the waiting time of a file that has changed.
    ///
    /// - Parameters:
    ///   - file: The file as it is.
    ///   - folder: The index of its watch folder.
    ///   - isInPlace: Whether it was renamed into place, and so is complete.
    ///   - now: The present time.
    mutating func see(
        _ file: SourceFile,
        in folder: Int,
        isInPlace: Bool,
        at now: SuspendingClock.Instant
    ) {
        if let known = candidates[file.path], known.file.isSame(as: file), !isInPlace { return }
        if isAside(file) { return }
        let due = isInPlace ? now : now + stability
        forget(file.path)
        candidates[file.path] = Candidate(file: file, due: due, folder: folder)
        counts[folder, default: 0] += 1
        next = min(next ?? due, due)
    }

    /// Removes a file that was imported or that no longer exists.
    mutating func forget(_ path: [UInt8]) {
        forgetSidecar(path)
        guard let candidate = candidates.removeValue(forKey: path) else { return }
        counts[candidate.folder, default: 0] -= 1
    }

    /// Removes the files below a folder that no longer exists.
    mutating func forgetAll(below path: [UInt8]) {
        let prefix = path + [UInt8(ascii: "/")]
        for path in candidates.keys where path.starts(with: prefix) { forget(path) }
        aside = aside.filter { $0.key.parent != path && !$0.key.parent.starts(with: prefix) }
    }

    /// Removes all files of a watch folder.
    mutating func forgetAll(in folder: Int) {
        for (path, candidate) in candidates where candidate.folder == folder { forget(path) }
        aside = aside.filter { !$0.value.values.contains { $0.folder == folder } }
    }

    /// Postpones a file that cannot be imported at present.
    mutating func postpone(_ path: [UInt8], to time: SuspendingClock.Instant) {
        candidates[path]?.due = time
        next = min(next ?? time, time)
    }

    /// Postpones a file whose import failed for a reason that may pass, longer each time.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - pause: The first pause, which doubles up to 64 times as much.
    ///   - now: The present time.
    mutating func tryAgain(_ path: [UInt8], after pause: Duration, at now: SuspendingClock.Instant)
    {
        guard let attempts = candidates[path]?.attempts else { return }
        candidates[path]?.attempts += 1
        postpone(path, to: now + pause * (1 << min(attempts, 6)))
    }

    /// Returns the next files that are due, with the files of one shot adjacent.
    ///
    /// They stay in the list until they are forgotten. The caller looks at each: one that has
    /// changed is seen again.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - limit: The number of files; a shot is not split unless it has more.
    /// - Returns: The files, all of one watch folder.
    mutating func takeDue(
        at now: SuspendingClock.Instant,
        limit: Int
    ) -> [(file: SourceFile, folder: Int)] {
        if queue.isEmpty { fillQueue(at: now) }
        var taken: [(file: SourceFile, folder: Int)] = []
        var last: Place?
        while let place = queue.last, taken.count < 2 * limit {
            let isSplit = taken.count >= limit && !place.isSameShot(as: last)
            if isSplit || (taken.first.map { $0.folder != place.folder } ?? false) { break }
            queue.removeLast()
            guard let candidate = candidates[place.path], candidate.due <= now else { continue }
            taken.append((candidate.file, candidate.folder))
            last = place
        }
        return taken
    }

    /// Fills `queue` with the files that are due.
    ///
    /// They are thus sorted only once for many batches.
    private mutating func fillQueue(at now: SuspendingClock.Instant) {
        guard let next, next <= now else { return }
        queue = candidates.values.filter { $0.due <= now }
            .map { Place(path: $0.file.path, folder: $0.folder) }
            .sorted { $1 < $0 }
        self.next = candidates.values.lazy.map(\.due).filter { $0 > now }.min()
    }

    // MARK: - Sidecars

    /// Keeps a sidecar without a photo or movie apart until a file of its shot is imported.
    ///
    /// It no longer counts as a waiting file.
    mutating func setAside(_ file: SourceFile, in folder: Int) {
        forget(file.path)
        aside[Shot(path: file.path), default: [:]][file.path] = (file: file, folder: folder)
    }

    /// Readies the sidecars that were kept apart, after a file of their shot was imported.
    mutating func recallSidecars(of path: [UInt8], at now: SuspendingClock.Instant) {
        guard !aside.isEmpty, let sidecars = aside.removeValue(forKey: Shot(path: path)) else {
            return
        }
        for (file, folder) in sidecars.values { see(file, in: folder, isInPlace: true, at: now) }
    }

    private mutating func forgetSidecar(_ path: [UInt8]) {
        guard !aside.isEmpty else { return }
        let shot = Shot(path: path)
        aside[shot]?[path] = nil
        if aside[shot]?.isEmpty == true { aside[shot] = nil }
    }

    private func isAside(_ file: SourceFile) -> Bool {
        guard !aside.isEmpty, let known = aside[Shot(path: file.path)]?[file.path] else {
            return false
        }
        return known.file.isSame(as: file)
    }

    // MARK: - Order

    /// The position of a file in the order of import.
    private struct Place: Comparable {
        let path: [UInt8]
        let folder: Int
        let parent: [UInt8]
        let key: ImportSortKey

        init(path: [UInt8], folder: Int) {
            self.path = path
            self.folder = folder
            parent = path.parentPath
            key = ImportSortKey(name: path.lastComponent)
        }

        func isSameShot(as other: Place?) -> Bool {
            parent == other?.parent && key.group == other?.key.group
        }

        static func < (left: Place, right: Place) -> Bool {
            if left.folder != right.folder { return left.folder < right.folder }
            if left.parent != right.parent {
                return left.parent.lexicographicallyPrecedes(right.parent)
            }
            return left.key < right.key
        }
    }
}

extension SourceFile {
    /// Returns whether both values describe the same file with the same size and modification time.
    func isSame(as other: SourceFile) -> Bool {
        size == other.size && modificationTime == other.modificationTime && inode == other.inode
            && device == other.device
    }
}
