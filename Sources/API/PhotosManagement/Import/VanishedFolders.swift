internal import Glibc
internal import Synchronization

/// The folders that disappeared during an import, such as those of a device that was disconnected.
///
/// A folder is checked only after a file in it failed. A folder that has disappeared is not
/// accessed again, since each attempt may wait for a device that no longer answers.
final class VanishedFolders: Sendable {
    private struct State {
        var folders: [SourcePath] = []
        var lastFailure: SourcePath?
    }

    /// The folders to import, each with its device number (`st_dev`).
    ///
    /// For a single file to import, it is the folder that contains the file.
    private let roots: [(path: SourcePath, device: UInt64)]
    private let state = Mutex(State())

    init(roots: [SourcePath]) {
        var folders: [SourcePath: UInt64] = [:]
        for root in roots {
            var path = root.absolute()
            guard let status = try? Self.status(of: path).get() else { continue }
            if status.st_mode & S_IFMT != S_IFDIR {
                path = SourcePath(bytes: path.bytes.dropLast(path.lastComponent.bytes.count + 1))
                guard folders[path] == nil else { continue }
            }
            guard let folder = try? Self.status(of: path).get() else { continue }
            folders[path] = UInt64(folder.st_dev)
        }
        self.roots = folders.map { ($0.key, $0.value) }
    }

    /// Returns an enclosing folder of a file if that folder is known to have disappeared; otherwise
    /// nil.
    func folder(around path: SourcePath) -> SourcePath? {
        state.withLock { state in
            state.folders.first { Self.contains($0, path) }
        }
    }

    /// Checks whether an enclosing folder of a failed file has disappeared.
    ///
    /// The folders are checked from the imported folder downward.
    ///
    /// - Returns: The outermost one that disappeared.
    func check(_ path: SourcePath) -> SourcePath? {
        if let known = folder(around: path) { return known }
        let found = vanished(above: path)
        state.withLock { state in
            state.lastFailure = path
            if let found, !state.folders.contains(found) { state.folders.append(found) }
        }
        return found
    }

    /// Checks the enclosing folders of the last failed file again, and returns the outermost
    /// folders that have disappeared.
    ///
    /// The kernel caches the folders of a mount for a second or so, which can hide that they
    /// disappeared.
    func all() -> [SourcePath] {
        if let path = state.withLock({ $0.lastFailure }) { _ = check(path) }
        return state.withLock { state in
            state.folders.filter { folder in
                !state.folders.contains { $0 != folder && Self.contains($0, folder) }
            }
        }
    }

    private func vanished(above path: SourcePath) -> SourcePath? {
        guard
            let (root, device) = roots.filter({ Self.contains($0.path, path) })
                .min(by: { $0.path.bytes.count < $1.path.bytes.count })
        else { return nil }
        var folder = root
        let rest = path.bytes.dropFirst(folder.bytes.count).split(separator: UInt8(ascii: "/"))
        for name in [[]] + rest.dropLast() {
            if !name.isEmpty { folder = folder.appending(Array(name)) }
            switch Self.status(of: folder) {
            case .success(let status):
                // An unmounted folder is there, without what was mounted.
                if folder == root, UInt64(status.st_dev) != device { return folder }
            case .failure(let error):
                if Self.signs.contains(error.number) { return folder }
            }
        }
        return nil
    }

    /// The `errno` values that indicate that a folder or its device has disappeared.
    private static let signs: Set<Int32> = [
        ENOENT, ENOTDIR, ENOTCONN, ENODEV, ENXIO, EIO, ESTALE, EHOSTDOWN, ETIMEDOUT, EREMOTEIO,
    ]

    private static func status(of path: SourcePath) -> Result<stat, FileAccessError> {
        var status = stat()
        return path.withCString { stat($0, &status) } == 0
            ? .success(status) : .failure(FileAccessError())
    }

    private static func contains(_ folder: SourcePath, _ path: SourcePath) -> Bool {
        guard path.bytes.starts(with: folder.bytes) else { return false }
        return path.bytes.count == folder.bytes.count || folder.bytes.last == UInt8(ascii: "/")
            || path.bytes[folder.bytes.count] == UInt8(ascii: "/")
    }
}
