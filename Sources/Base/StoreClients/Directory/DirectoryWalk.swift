internal import Glibc
internal import ObjectStorage

/// A walk of a directory that lists a page of keys in byte order.
struct DirectoryWalk {
    let prefix: ObjectPrefix
    let after: ObjectKey?
    let limit: Int

    /// Returns the page of the keys below the directory `root`.
    ///
    /// Files with other names, links and directories of other programs are skipped.
    func page(below root: OpenFile, isAbandoned: () -> Bool) throws -> ObjectPage {
        var page = ObjectPage(objects: [], isLast: true)
        var folder = root
        for part in prefix.parts {
            guard let next = try folder.existingDirectory(part) else { return page }
            folder = next
        }
        try add(folder, path: prefix.text, to: &page, isAbandoned: isAbandoned)
        return page
    }

    /// Adds the keys in a directory and its subdirectories, until the page is full.
    private func add(
        _ folder: OpenFile,
        path: String,
        to page: inout ObjectPage,
        isAbandoned: () -> Bool
    ) throws {
        if isAbandoned() { throw CancellationError() }
        for entry in try entries(of: folder, path: path) {
            if entry.isFolder {
                // Another client cannot remove folders, but a person can.
                guard let next = try? folder.directory(entry.name) else { continue }
                let below = path + entry.name + "/"
                try add(next, path: below, to: &page, isAbandoned: isAbandoned)
            } else if let key = ObjectKey(validating: path + entry.name),
                let status = try folder.status(of: entry.name)
            {
                guard page.objects.count < limit else {
                    page.isLast = false
                    return
                }
                page.objects.append(ListedObject(key: key, size: Int64(status.st_size)))
            }
            if !page.isLast { return }
        }
    }

    private struct Entry {
        var name: String
        var isFolder: Bool
        /// The text by which the entry is sorted.
        ///
        /// The name of a folder is followed by a slash, as in its keys.
        var sortText: String { isFolder ? name + "/" : name }
    }

    /// Returns a directory's files and subdirectories that can contribute keys to the page, sorted
    /// in key order.
    private func entries(of folder: OpenFile, path: String) throws(SystemFailure) -> [Entry] {
        var entries: [Entry] = []
        for name in try folder.names() where name.utf8.allSatisfy(ObjectKey.isAllowed) {
            guard isNeeded(path + name), let status = try folder.status(of: name) else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: entries.append(Entry(name: name, isFolder: false))
            case S_IFDIR: entries.append(Entry(name: name, isFolder: true))
            default: break
            }
        }
        // A folder passes `isNeeded` with its name alone, so a file before the mark is left.
        return entries.filter { $0.isFolder || isAfterMark(path + $0.name) }
            .sorted { $0.sortText.utf8.lexicographicallyPrecedes($1.sortText.utf8) }
    }

    /// Returns whether a file or folder at `path` can contribute a key that sorts after `after`.
    ///
    /// If `after` is nil, every file and folder can.
    private func isNeeded(_ path: String) -> Bool {
        guard let after else { return true }
        return isAfterMark(path) || after.text.utf8.starts(with: (path + "/").utf8)
            || isAfterMark(path + "/")
    }

    private func isAfterMark(_ path: String) -> Bool {
        guard let after else { return true }
        return after.text.utf8.lexicographicallyPrecedes(path.utf8)
    }
}
