internal import GRDB
internal import Glibc
internal import PhotoModel

/// The library at the path to which a backup is restored.
///
/// Its database is read from a copy, so that a damaged one stays as it is.
struct FormerLibrary {
    /// The state of the library: absent, readable or damaged.
    private enum State {
        case none
        case readable(CommittedVersion, HistoryPoint?)
        /// The error for a library whose database cannot be read.
        case damaged(LibraryError)
    }

    private let bundle: LibraryBundle
    private let state: State
    /// The record of the last commit, as it was when the library was inspected; nil if there was
    /// none.
    private let noted: CommittedVersion?

    /// Determines whether a library exists at a bundle's path, and reads its state.
    ///
    /// - Throws: `alreadyExists` for anything but a library or an empty folder; `newerFormat`,
    ///   `noPermission`.
    init(_ bundle: LibraryBundle) throws(LibraryError) {
        self.bundle = bundle
        noted = CommittedVersion(of: bundle)
        switch FileSystem.status(of: bundle.root) {
        case .failure(let error) where error.number == ENOENT:
            state = .none
            return
        case .failure(let error): throw error.libraryError(doing: "access")
        case .success(let status) where !FileSystem.isFolder(status): throw Self.taken(bundle)
        case .success: break
        }
        if case .success(let names) = FileSystem.entries(of: bundle.root), names.isEmpty {
            state = .none
            return
        }
        do {
            state = try Self.read(bundle)
        } catch {
            let error = LibraryError(error, library: bundle.root)
            switch error.code {
            case .corrupt: state = .damaged(error)
            case .notALibrary: throw Self.taken(bundle)
            default: throw error
            }
        }
    }

    private static func read(_ bundle: LibraryBundle) throws -> State {
        try LibraryStore.check(bundle)
        let copy = try TemporaryCopy(of: bundle, mayBeOpen: true)
        defer { withExtendedLifetime(copy) {} }
        let queue = try DatabaseQueue(path: copy.database)
        defer { try? queue.close() }
        return try queue.read { database in
            _ = try LibraryStore.isCurrent(database, bundle)
            return .readable(
                try CommittedVersion(in: database),
                try HistoryPoint(last: database)
            )
        }
    }

    /// Indicates whether a library is at the path.
    var exists: Bool {
        if case .none = state { false } else { true }
    }

    /// Throws an error if the library must not be replaced.
    ///
    /// - Parameters:
    ///   - version: The library and version of the backup.
    ///   - backup: The backup, for messages.
    ///   - discardsNewer: Whether changes that the backup does not have may be replaced.
    ///   - isPast: Returns whether a change is part of the backup's history.
    /// - Throws: `changeNotSupported`, and the errors of `isPast`.
    func check(
        _ version: CommittedVersion,
        replacedBy backup: LibraryBundle,
        _ discardsNewer: Bool,
        isPast: (HistoryPoint) throws -> Bool
    ) throws {
        let option = "--discard-newer"
        switch state {
        case .none: return
        case .damaged(let error):
            guard !discardsNewer else { return }
            throw LibraryError(
                .changeNotSupported,
                "The library at \(bundle.root) cannot be compared with the backup.",
                reason: error.message,
                recovery: "Use \(option) to replace it; it is moved aside, not removed. Nothing"
                    + " was changed.",
                path: bundle.root
            )
        case .readable(let present, let last):
            guard present.libraryUUID == version.libraryUUID else {
                throw LibraryError(
                    .changeNotSupported,
                    "\(bundle.root) is another library than the one in \(backup.root).",
                    reason: "Its identifier is \(present.libraryUUID), not"
                        + " \(version.libraryUUID).",
                    recovery: "Restore to another path with --library. Nothing was changed.",
                    path: bundle.root
                )
            }
            guard !discardsNewer, let last, try !isPast(last) else { return }
            throw LibraryError(
                .changeNotSupported,
                "The library at \(bundle.root) has changes that the backup does not have.",
                reason: "It has version \(last.version), and the backup has version"
                    + " \(version.version).",
                recovery: "Restore to another path with --library, or use \(option) to replace"
                    + " the library; it is moved aside, not removed. Nothing was changed.",
                path: bundle.root
            )
        }
    }

    /// Runs `body`, which may move the library, while no other process can write to it.
    ///
    /// - Throws: `changeNotSupported` if the library was changed since it was inspected; `busy`.
    func withoutWriters(_ body: () throws -> Void) throws {
        guard let lock = try? WriterLock(path: bundle.lock) else { return try body() }
        try lock.withLock(patience: LibraryStore.writerPatience) {
            if let present = CommittedVersion(of: bundle), present != noted {
                throw LibraryError(
                    .changeNotSupported,
                    "The library at \(bundle.root) was changed by another program meanwhile.",
                    reason: "It has version \(present.version) now.",
                    recovery: "Quit that program and try again. Nothing was changed.",
                    path: bundle.root
                )
            }
            try body()
        }
    }

    private static func taken(_ bundle: LibraryBundle) -> LibraryError {
        LibraryError(
            .alreadyExists,
            "A library cannot be restored to \(bundle.root): the path already exists.",
            recovery: "Choose another path. Nothing was changed.",
            path: bundle.root
        )
    }
}
