/// The number and total length of all files below a folder.
///
/// Symbolic links are not followed. Unreadable folders count as empty.
struct FileTally: Hashable, Sendable {
    /// The maximum depth of nested folders.
    ///
    /// A library has no deeper folders, and the limit protects the stack.
    private static let depthLimit = 16

    private(set) var files = 0
    private(set) var bytes: Int64 = 0

    init(of path: String) {
        guard let folder = try? Folder(path, files: FileOperations()) else { return }
        _ = add(folder, depth: 0, before: nil)
    }

    /// Counts the files below a folder; nil if the deadline passes first.
    init?(of path: String, before deadline: ContinuousClock.Instant) {
        guard let folder = try? Folder(path, files: FileOperations()) else { return }
        guard add(folder, depth: 0, before: deadline) else { return nil }
    }

    /// Adds the files of a folder; returns false if the deadline passed first.
    private mutating func add(
        _ folder: Folder,
        depth: Int,
        before deadline: ContinuousClock.Instant?
    ) -> Bool {
        for name in (try? folder.names()) ?? [] {
            if let deadline, ContinuousClock.now >= deadline { return false }
            guard let status = (try? folder.status(of: name)) ?? nil else { continue }
            if status.isRegularFile {
                files += 1
                bytes += Int64(status.size)
            } else if depth < Self.depthLimit, let inner = try? folder.folder(name) {
                guard add(inner, depth: depth + 1, before: deadline) else { return false }
            }
        }
        return true
    }
}
