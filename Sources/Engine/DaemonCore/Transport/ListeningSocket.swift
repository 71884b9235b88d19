internal import CLinuxShim
internal import Glibc
package import LibraryService
package import PhotoModel
internal import Synchronization

/// The socket at which a daemon accepts connections.
///
/// 1. Its folder belongs to this user, and others cannot enter it unless the caller chose a mode
///    that admits them.
/// 2. While the socket exists, its daemon holds a lock on a file beside it. So a socket without a
///    lock is that of a daemon that died, and is replaced, and a second daemon fails.
/// 3. A socket that another process passed on (see `Activation`) is not removed.
package final class ListeningSocket: Sendable {
    private static let withdrawnSuffix = ".ending"

    /// The path of the socket; nil if it is unknown.
    package let path: String?
    private let socket: Descriptor
    /// The lock of the socket's path; nil for a socket of the service manager, and after
    /// `unlock()`.
    private let lock: Mutex<Descriptor?>

    var number: Int32 { socket.number }

    /// Creates an instance for a socket that another process or program passed on.
    ///
    /// - Parameters:
    ///   - socket: The socket.
    ///   - path: Its path; nil if it is unknown.
    ///   - lock: The lock of a socket that another program created and left to this one; nil for a
    ///     socket of the service manager.
    package init(passed socket: Descriptor, path: String? = nil, lock: Descriptor? = nil) {
        self.socket = socket
        self.path = path
        self.lock = Mutex(lock)
    }

    /// Duplicates the socket, and its lock if there is one, as the descriptors 3 and 4.
    ///
    /// They stay open for the next program of this process.
    ///
    /// - Returns: The number of descriptors; nil if the process has too many.
    package func leave() -> Int? {
        lock.withLock { lock in
            let numbers = [socket.number, lock?.number].compactMap(\.self)
            // They may have these numbers now.
            let copies = numbers.map { fcntl($0, F_DUPFD, 10) }
            guard copies.allSatisfy({ $0 >= 0 }) else { return nil }
            for (index, copy) in copies.enumerated() {
                guard dup2(copy, Int32(3 + index)) >= 0 else { return nil }
                close(copy)
            }
            return numbers.count
        }
    }

    /// Creates the socket at a path, and the socket's folder.
    ///
    /// - Parameters:
    ///   - path: The path, of at most 107 bytes.
    ///   - mode: The permissions. Other than 0600 admits other users, whose folder must let them
    ///     pass.
    /// - Throws: `busy` when another daemon has it; otherwise the error of the file system.
    package init(path: String, mode: UInt32 = 0o600) throws(LibraryError) {
        let folder = Self.folder(of: path)
        try Self.prepare(folder, isPrivate: mode & 0o077 == 0)
        let lock = try Self.lock(path + ".lock")
        // The daemon that had it has died, since it had the lock.
        for path in [path, path + Self.withdrawnSuffix] where unlink(path) != 0 && errno != ENOENT {
            throw SystemError.last("unlink", path: path).libraryError(doing: "replace")
        }
        let number = cphotos_listen(path, mode_t(mode))
        guard number >= 0 else {
            throw SystemError.last("bind", path: path).libraryError(doing: "create the socket")
        }
        socket = Descriptor(owning: number)
        self.path = path
        self.lock = Mutex(lock)
    }

    /// Renames the socket, so that no more programs can connect.
    ///
    /// Connections that wait can still be accepted.
    func withdraw() {
        guard isOwned, let path else { return }
        rename(path, path + Self.withdrawnSuffix)
    }

    /// Restores the original name of a withdrawn socket.
    func restore() {
        guard isOwned, let path else { return }
        rename(path + Self.withdrawnSuffix, path)
    }

    /// Removes a socket that was withdrawn.
    func remove() {
        guard isOwned, let path else { return }
        unlink(path + Self.withdrawnSuffix)
    }

    /// Releases the lock, so that another daemon can create the socket.
    func unlock() {
        lock.withLock { lock in
            // A process that is being started may have a copy of the descriptor for a moment.
            if let lock { flock(lock.number, LOCK_UN) }
            lock = nil
        }
    }

    deinit { unlock() }

    private var isOwned: Bool { lock.withLock { $0 != nil } }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func prepare(_ folder: String, isPrivate: Bool) throws(LibraryError) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw SystemError.last("mkdir", path: folder).libraryError(doing: "create the folder")
        }
        var status = stat()
        guard lstat(folder, &status) == 0 else {
            throw SystemError.last("lstat", path: folder).libraryError(doing: "read the folder")
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw LibraryError(
                .noPermission,
                "The folder of the socket belongs to another user, or is a link: \(folder).",
                recovery: "Choose another path for the socket.",
                path: folder
            )
        }
        guard isPrivate, status.st_mode & 0o077 != 0 else { return }
        throw LibraryError(
            .noPermission,
            "Other users can enter the folder of the socket: \(folder).",
            recovery: "Set its permissions with “chmod 700”.",
            path: folder
        )
    }

    private static func lock(_ path: String) throws(LibraryError) -> Descriptor {
        let number = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            throw SystemError.last("open", path: path).libraryError(doing: "open")
        }
        let lock = Descriptor(owning: number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            throw LibraryError(
                .busy,
                "Another library daemon has the socket.",
                reason: "It holds the lock \(path).",
                path: path
            )
        }
        return lock
    }
}
