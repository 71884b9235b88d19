internal import CLinuxShim
internal import Glibc
internal import ImportSources
internal import LibraryService

/// A walk that finds the files to import and returns them in portions.
protocol ImportWalk: Sendable {
    /// Indicates whether folders may be read on another thread while earlier files are imported.
    static var readsAhead: Bool { get }

    /// Returns the next portion of files and other items; nil at the end.
    mutating func next() throws(FolderWalker.TooManyOpenFiles) -> [FolderWalker.Item]?
}

/// Walks files and folders, one folder at a time, without recursion and without following links to
/// folders.
///
/// Folders are opened relative to their open parents, so the walk stays below the root even while
/// another process moves folders and links.
struct FolderWalker: ImportWalk {
    static let readsAhead = true

    /// An item that the walk returns.
    enum Item: Sendable {
        /// A regular file, or a link to one. Adjacent files that may belong together have the same
        /// `group`.
        case file(SourceCandidate, group: [UInt8])
        /// An item that is not imported because its outcome is already known, such as an unreadable
        /// folder.
        case settled(FileOutcome)
        /// A folder that is skipped on purpose.
        case notEntered(SourcePath, reason: String)
    }

    /// The maximum depth of folders; each level keeps a descriptor open.
    static let maximumDepth = 256

    /// The error for a folder that cannot be opened because the limit of open files was reached.
    ///
    /// The walk keeps its position and resumes with that folder after other files were closed.
    struct TooManyOpenFiles: Error {}

    private struct Level {
        /// The open folder; nil after the last of its subfolders was entered.
        var folder: Descriptor?
        let path: SourcePath
        let identity: Identity
        /// A hash of the names in the folder, for detecting a folder that contains itself.
        let content: Int
        /// The names of the subfolders that are not entered yet, in reverse order.
        var pending: [[UInt8]]
    }

    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// The paths to import that are not visited yet, in reverse order.
    private var roots: [SourcePath]
    private var levels: [Level] = []
    /// The real path of the current root.
    private var realRoot: [UInt8] = []
    /// The symbolic links to files that were found below the current root.
    ///
    /// They are returned after all other items below the root, so that the files themselves are
    /// imported first.
    private var links: [Item] = []

    /// The check of whether a root is inside a photo library.
    private var surroundings: LibrarySurroundings
    private let excluded: Set<SourcePath>

    /// Creates a walk.
    ///
    /// - Parameters:
    ///   - roots: Files and folders, in order.
    ///   - excluded: The absolute paths of folders below the roots that are imported otherwise.
    ///   - removesSources: Whether the files are to be removed after the import.
    init(
        roots: [SourcePath],
        excluding excluded: Set<SourcePath> = [],
        removesSources: Bool = false
    ) {
        self.roots = roots.reversed().map { $0.absolute() }
        self.excluded = excluded
        surroundings = LibrarySurroundings(removesSources: removesSources)
    }

    /// Returns the items of the next folder; nil at the end of the walk.
    ///
    /// The result may be empty.
    mutating func next() throws(TooManyOpenFiles) -> [Item]? {
        while let level = levels.last {
            guard let name = level.pending.last, let folder = level.folder else {
                levels.removeLast()
                continue
            }
            let index = levels.count - 1
            let items = try enter(name, in: folder, path: level.path)
            levels[index].pending.removeLast()
            if levels[index].pending.isEmpty { levels[index].folder = nil }
            return items
        }
        if !links.isEmpty {
            defer { links = [] }
            return links
        }
        return try nextRoots()
    }

    // MARK: - Roots

    /// Returns the next items from the paths to import; nil after the last path.
    ///
    /// These are the files before the next folder among the paths. If there are none, they are the
    /// items of that folder.
    private mutating func nextRoots() throws(TooManyOpenFiles) -> [Item]? {
        var files: [(SourceCandidate, ImportSortKey)] = []
        var items: [Item] = []
        while let path = roots.last {
            var status = stat()
            guard path.withCString({ stat($0, &status) }) == 0 else {
                items.append(.settled(Self.missing(path, errno)))
                roots.removeLast()
                continue
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG where surroundings.reason(against: path) != nil:
                let reason = surroundings.reason(against: path)
                items.append(.settled(FileOutcome(path: path, kind: .failed, reason: reason)))
                roots.removeLast()
            case S_IFREG:
                let candidate = SourceCandidate(path: path, place: .path, status: status)
                files.append((candidate, ImportSortKey(name: path.lastComponent.bytes)))
                roots.removeLast()
            case S_IFDIR:
                // Files before the folder come first.
                if !files.isEmpty || !items.isEmpty { return items + Self.ordered(files) }
                let items = try enterRoot(path)
                roots.removeLast()
                return items
            default:
                items.append(.settled(Self.notAFile(path, mode: status.st_mode)))
                roots.removeLast()
            }
        }
        return files.isEmpty && items.isEmpty ? nil : items + Self.ordered(files)
    }

    private mutating func enterRoot(_ path: SourcePath) throws(TooManyOpenFiles) -> [Item] {
        let number = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { return [.settled(Self.unreadable(path, try Self.failure()))] }
        let folder = Descriptor(owning: number)
        let reason =
            SourceBundle.reason(against: path.lastComponent.bytes, folder: folder)
            ?? surroundings.reason(against: path)
        if let reason {
            return [.settled(FileOutcome(path: path, kind: .failed, reason: reason))]
        }
        realRoot = RealPath.of(number) ?? path.bytes
        return try visit(folder, path: path)
    }

    // MARK: - Folders

    private mutating func enter(
        _ name: [UInt8],
        in parent: Descriptor,
        path: SourcePath
    ) throws(TooManyOpenFiles) -> [Item] {
        let path = path.appending(name)
        if excluded.contains(path) { return [] }
        guard levels.count < Self.maximumDepth else {
            let reason =
                "It is nested in more than \(Self.maximumDepth) folders. Import it separately."
            return [.settled(FileOutcome(path: path, kind: .failed, reason: reason))]
        }
        let number = name.withCString {
            openat(parent.number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        guard number >= 0 else { return [.settled(Self.unreadable(path, try Self.failure()))] }
        let folder = Descriptor(owning: number)
        if let reason = SourceBundle.reason(against: name, folder: folder) {
            return [.notEntered(path, reason: reason)]
        }
        return try visit(folder, path: path)
    }

    /// Returns the error number of a failed system call, or throws if the number means too many
    /// open files.
    ///
    /// - Throws: `TooManyOpenFiles` for that error, which says nothing about the folder.
    private static func failure(_ number: Int32 = errno) throws(TooManyOpenFiles) -> Int32 {
        if FileAccessError(number).isTooManyOpenFiles { throw TooManyOpenFiles() }
        return number
    }

    /// Reads a folder: returns its files, and appends a level with its subfolders to `levels`.
    private mutating func visit(_ folder: Descriptor, path: SourcePath) throws(TooManyOpenFiles)
        -> [Item]
    {
        var status = stat()
        guard fstat(folder.number, &status) == 0 else {
            return [.settled(Self.unreadable(path, errno))]
        }
        let identity = Identity(status)
        var names: [[UInt8]] = []
        var items: [Item] = []
        if let failure = folder.readNames(into: &names) {
            items.append(.settled(Self.unreadable(path, try Self.failure(failure))))
        }
        // Folders list their names in any order.
        let content = names.reduce(0) { $0 &+ $1.hashValue }
        let repetitions = levels.count { $0.identity == identity && $0.content == content }
        guard repetitions < Self.maximumRepetitions(folder) else {
            return [.notEntered(path, reason: "It contains itself.")]
        }
        var links: [Item] = []
        var files: [(SourceCandidate, ImportSortKey)] = []
        var folders: [[UInt8]] = []
        for name in names {
            var status = stat()
            let failed = name.withCString {
                fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) != 0
            }
            if failed {
                items.append(.settled(Self.missing(path.appending(name), errno)))
                continue
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                let place = SourceCandidate.Place.entry(folder: folder, name: name)
                let candidate = SourceCandidate(
                    path: path.appending(name),
                    place: place,
                    status: status
                )
                files.append((candidate, ImportSortKey(name: name)))
            case S_IFDIR: folders.append(name)
            case S_IFLNK:
                switch try link(name, in: folder, path: path.appending(name)) {
                case .file(let candidate, let group):
                    links.append(.file(candidate, group: group))
                case let item: items.append(item)
                }
            default:
                items.append(
                    .settled(Self.notAFile(path.appending(name), mode: status.st_mode))
                )
            }
        }
        folders.sort { $1.lexicographicallyPrecedes($0) }
        self.links += links
        levels.append(
            Level(
                folder: folder,
                path: path,
                identity: identity,
                content: content,
                pending: folders
            )
        )
        return items + Self.ordered(files)
    }

    /// Returns the number of enclosing folders that must be identical to a folder for it to be
    /// skipped as part of a loop.
    ///
    /// Folders are identical if they have the same inode and the same names in them.
    ///
    /// On file systems that a program serves, several are required: all folders may have the same
    /// inode number there, and a folder with only `DCIM` may contain another such folder.
    private static func maximumRepetitions(_ folder: Descriptor) -> Int {
        cphotos_is_served_by_program(folder.number) != 0 ? 8 : 1
    }

    /// Resolves a symbolic link found in a folder.
    ///
    /// A link to a file below the root is imported like a file. Other links are not followed.
    private func link(
        _ name: [UInt8],
        in folder: Descriptor,
        path: SourcePath
    ) throws(TooManyOpenFiles) -> Item {
        func refuse(_ reason: String) -> Item {
            .settled(FileOutcome(path: path, kind: .unsupported, reason: reason))
        }
        var status = stat()
        guard name.withCString({ fstatat(folder.number, $0, &status, 0) }) == 0 else {
            return errno == EACCES
                ? refuse("It is a link to something that this user has no permission to access.")
                : refuse("It is a link to something that does not exist.")
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .notEntered(path, reason: "It is a link to a folder.")
        case S_IFREG:
            let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
            let number = name.withCString { openat(folder.number, $0, flags) }
            guard number >= 0 else {
                let failure = FileAccessError(try Self.failure())
                return refuse(
                    "It is a link to a file that cannot be opened: \(failure.words)."
                )
            }
            defer { close(number) }
            guard RealPath.isFile(number, below: realRoot) else {
                return refuse("It is a link to a file outside the imported folder.")
            }
            let place = SourceCandidate.Place.link(root: realRoot)
            let candidate = SourceCandidate(path: path, place: place, status: status)
            return .file(candidate, group: path.bytes)
        default: return refuse("It is a link to something that is not a file.")
        }
    }

    private static func ordered(_ files: [(SourceCandidate, ImportSortKey)]) -> [Item] {
        ImportSortKey.positions(of: files.map(\.1)).map { position in
            .file(files[position].0, group: files[position].1.group)
        }
    }
}
