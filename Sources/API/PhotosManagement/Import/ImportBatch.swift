internal import LibraryService
internal import PhotoModel

/// A part of an import whose outcomes are reported together.
struct ImportBatch: Sendable {
    enum Entry: Sendable {
        /// An outcome that is already known, either from the walk or because the library recognized
        /// the file by its metadata.
        case settled(FileOutcome, bytes: Int64)
        case notEntered(SourcePath, reason: String)
        /// A file to be read.
        case pending(SourceCandidate)
    }

    /// The entries in the order in which they are reported.
    var entries: [Entry] = []

    /// The number of files, each of which gets one outcome.
    var fileCount: Int {
        entries.count { entry in
            if case .notEntered = entry { false } else { true }
        }
    }

    /// Indicates whether any file to be read is on a camera or phone and is imported from a
    /// temporary copy.
    var isOfDevice: Bool {
        entries.contains { entry in
            if case .pending(let candidate) = entry, case .device = candidate.place {
                true
            } else {
                false
            }
        }
    }
}

/// Splits the items of a walk into batches, and looks up which files the library already has.
///
/// Files that may belong together stay in one batch. This type opens no files.
struct ImportBatchSource {
    private struct Found {
        var entry: ImportBatch.Entry
        /// The group of adjacent files that may belong together; nil for an item on its own.
        var group: Group?
    }

    private struct Group: Hashable {
        let folder: Int
        let name: [UInt8]
    }

    private var walk: WalkAhead
    private let service: any LibraryService
    private let session: Int64
    private let limits: ImportLimits
    /// Indicates whether to ask the library which files it already has.
    ///
    /// Otherwise every file is read.
    private let asksForKnownFiles: Bool

    private var found: [Found] = []
    private var position = 0
    private var leftOfFolder: ArraySlice<FolderWalker.Item> = []
    private var folderNumber = 0

    init(
        walker: any ImportWalk,
        service: any LibraryService,
        session: Int64,
        limits: ImportLimits = ImportLimits(),
        asksForKnownFiles: Bool
    ) {
        walk = WalkAhead(walker, limits: limits)
        self.service = service
        self.session = session
        self.limits = limits
        self.asksForKnownFiles = asksForKnownFiles
    }

    /// Returns the next batch, which may be empty; nil at the end of the walk.
    ///
    /// - Throws: The library's error from looking up known files. `tooManyOpenFiles` when a folder
    ///   cannot be opened before descriptors of earlier batches are closed; the call can then be
    ///   repeated.
    mutating func next() throws(LibraryError) -> ImportBatch? {
        var batch = ImportBatch()
        var pending = 0
        var bytes: Int64 = 0
        while true {
            if position == found.count {
                // Known outcomes are reported before more files are looked up.
                if pending == 0, !batch.entries.isEmpty { return batch }
                let isOver: Bool
                do {
                    isOver = try !findMore()
                } catch {
                    guard error.code == .tooManyOpenFiles, !batch.entries.isEmpty else {
                        throw error
                    }
                    return batch
                }
                if isOver { return batch.entries.isEmpty ? nil : batch }
                // Folders without files end a batch, so that a walk through many of them can be
                // stopped.
                if found.isEmpty { return batch }
            }
            let end = endOfGroup(at: position)
            let group = found[position..<end]
            let (count, size) = Self.weight(of: group)
            let isFull =
                pending + count > limits.files || bytes.addingSaturated(size) > limits.bytes
            if isFull, pending > 0, count > 0 { return batch }
            // A group beyond the limits is split, since thousands of files may share a stem.
            let taken = count > limits.files ? group.prefix(limits.files) : group
            batch.entries.append(contentsOf: taken.map(\.entry))
            position += taken.count
            pending += Self.weight(of: taken).count
            bytes = bytes.addingSaturated(size)
            if batch.entries.count >= limits.knownFiles { return batch }
        }
    }

    private static func weight(of group: ArraySlice<Found>) -> (count: Int, size: Int64) {
        group.reduce(into: (0, 0)) { sum, found in
            guard case .pending(let candidate) = found.entry else { return }
            sum.0 += 1
            sum.1 = sum.1.addingSaturated(candidate.source.size)
        }
    }

    private func endOfGroup(at start: Int) -> Int {
        guard let group = found[start].group else { return start + 1 }
        return found[start...].firstIndex { $0.group != group } ?? found.count
    }

    /// Stops the walk's background reading; must be called at the end of the import.
    mutating func end() { walk.end() }

    // MARK: - Finding

    /// Continues the walk, and looks up which of the found files the library already has.
    ///
    /// Returns false at the end of the walk. Files found before descriptors ran out are kept.
    private mutating func findMore() throws(LibraryError) -> Bool {
        found.removeAll(keepingCapacity: true)
        position = 0
        var folders = 0
        var isOver = false
        while found.count < limits.knownFiles, folders < limits.openFolders, !isOver {
            if leftOfFolder.isEmpty {
                let next: [FolderWalker.Item]?
                do {
                    next = try walk.next()
                } catch {
                    guard !found.isEmpty else { throw Self.tooManyOpenFiles }
                    break
                }
                guard let items = next else {
                    isOver = true
                    continue
                }
                folders += 1
                folderNumber += 1
                leftOfFolder = items[...]
            }
            take()
        }
        if asksForKnownFiles { try resolveKnownFiles() }
        return !found.isEmpty || !isOver
    }

    private static let tooManyOpenFiles = LibraryError(
        .tooManyOpenFiles,
        "A folder cannot be opened.",
        reason: "The process has reached its limit of open files.",
        recovery: LibraryError.moreOpenFiles
    )

    /// Adds items of the current folder to `found`, until it has `limits.knownFiles` entries.
    ///
    /// A group that has begun is added completely, unless that doubles the number of entries.
    private mutating func take() {
        while let item = leftOfFolder.first {
            let next: Found
            switch item {
            case .file(let candidate, let group):
                let group = Group(folder: folderNumber, name: group)
                next = Found(entry: .pending(candidate), group: group)
            case .settled(let outcome): next = Found(entry: .settled(outcome, bytes: 0))
            case .notEntered(let path, let reason):
                next = Found(entry: .notEntered(path, reason: reason))
            }
            let continues = next.group != nil && next.group == found.last?.group
            if found.count >= limits.knownFiles, !continues || found.count >= 2 * limits.knownFiles
            {
                return
            }
            found.append(next)
            leftOfFolder.removeFirst()
        }
    }

    private mutating func resolveKnownFiles() throws(LibraryError) {
        var indices: [Int] = []
        var files: [SourceFile] = []
        for (index, found) in found.enumerated() {
            guard case .pending(let candidate) = found.entry else { continue }
            indices.append(index)
            files.append(candidate.source)
        }
        guard !files.isEmpty else { return }
        let reply = try service.knownFiles(KnownFilesRequest(session: session, files: files))
        for (index, outcome) in zip(indices, reply.outcomes) {
            guard let outcome, case .pending(let candidate) = found[index].entry else { continue }
            found[index].entry = .settled(
                FileOutcome(path: candidate.path, outcome),
                bytes: candidate.source.size
            )
        }
    }
}

extension FileOutcome {
    init(path: SourcePath, _ outcome: ImportOutcome) {
        let kind: Kind =
            switch outcome.kind {
            case .imported: .imported
            case .duplicate: .duplicate
            case .paired: .paired
            case .unsupported: .unsupported
            case .failed: .failed
            }
        self.init(
            path: path,
            kind: kind,
            localIdentifier: outcome.localIdentifier,
            reason: outcome.reason,
            notes: outcome.notes.map(Note.init)
        )
    }
}

extension FileOutcome.Note {
    init(_ note: MigrationNote) {
        self.init(code: note.code, isError: note.level == .error, text: note.text)
    }
}
