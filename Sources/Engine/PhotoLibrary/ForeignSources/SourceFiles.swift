internal import Glibc
package import LibraryService
internal import PhotoModel

/// The files of a migration's source.
package protocol SourceFiles: Sendable {
    /// Lists the files, and records a problem for each folder that cannot be read.
    func listing() -> SourceListing

    /// Opens a listed file for reading: the regular file itself, or an unlinked temporary file with
    /// the same content.
    ///
    /// - Throws: The reason as one sentence.
    func open(_ entry: SourceListing.Entry) throws(SourceFileFailure) -> Descriptor
}

/// The reason why a file of a source cannot be read, as one sentence.
package struct SourceFileFailure: Error, Hashable, Sendable {
    package var reason: String
    package init(reason: String) { self.reason = reason }
}

/// The files below a folder, which is never modified and is accessed only through its descriptor.
///
/// Symbolic links are neither followed nor listed, so nothing outside of the folder is reached.
package struct SourceFolder: SourceFiles {
    /// The depth below which folders are not entered.
    private static let maximumDepth = 64

    private let folder: Folder
    /// The subfolders to list; empty to list the whole folder.
    private let parts: [String]

    package init(_ descriptor: Descriptor, path: String, parts: [String] = []) {
        folder = Folder(descriptor: descriptor, path: path, files: FileOperations())
        self.parts = parts
    }

    package func listing() -> SourceListing {
        var list = List()
        if parts.isEmpty { add(folder, "", 0, to: &list) }
        for part in parts {
            do throws(SystemError) {
                guard let found = try descend(part) else { continue }
                add(found, part + "/", 0, to: &list)
            } catch {
                list.problems.append(SourceListing.Problem(path: part, reason: error.reason))
            }
        }
        return SourceListing(list.entries, problems: list.problems)
    }

    /// The entries and problems that were found so far.
    private struct List {
        var entries: [SourceListing.Entry] = []
        var problems: [SourceListing.Problem] = []
    }

    /// Opens a subfolder by path; nil if it is absent or not a folder.
    private func descend(_ path: String) throws(SystemError) -> Folder? {
        var place = folder
        for name in path.split(separator: "/") {
            do { place = try place.folder(String(name)) } catch {
                if [ENOENT, ENOTDIR, ELOOP].contains(error.number) { return nil }
                throw error
            }
        }
        return place
    }

    private func add(_ folder: Folder, _ prefix: String, _ depth: Int, to list: inout List) {
        guard depth < Self.maximumDepth else { return }
        let names: [String]
        do throws(SystemError) { names = try folder.names() } catch {
            let path = String(prefix.dropLast())
            list.problems.append(SourceListing.Problem(path: path, reason: error.reason))
            return
        }
        for name in names {
            let path = prefix + name
            do throws(SystemError) {
                guard let status = try folder.status(of: name) else { continue }
                if status.isRegularFile {
                    list.entries.append(
                        SourceListing.Entry(
                            path: path,
                            size: status.size,
                            modificationTime: status.modificationTime
                        )
                    )
                } else if status.isFolder {
                    add(try folder.folder(name), path + "/", depth + 1, to: &list)
                }
            } catch {
                // A disk has folders that only its system may read. What a source expects in them
                // is reported as missing.
                if parts.isEmpty, [EACCES, EPERM].contains(error.number) { continue }
                list.problems.append(SourceListing.Problem(path: path, reason: error.reason))
            }
        }
    }

    package func open(_ entry: SourceListing.Entry) throws(SourceFileFailure) -> Descriptor {
        do throws(SystemError) { return try open(entry.path) } catch {
            throw SourceFileFailure(reason: "It cannot be opened: \(error.reason).")
        }
    }

    /// Opens a file for reading by its path below the folder.
    func open(_ path: String) throws(SystemError) -> Descriptor {
        let names = path.split(separator: "/").map(String.init)
        guard let last = names.last, !names.contains("..") else {
            throw SystemError(call: "openat", number: ENOENT, path: path)
        }
        var place = folder
        for name in names.dropLast() { place = try place.folder(name) }
        return try place.open(last, O_RDONLY)
    }

    /// Returns the status of a file; nil if it is absent.
    func status(of path: String) throws(SystemError) -> FileStatus? {
        let names = path.split(separator: "/").map(String.init)
        guard let last = names.last, !names.contains("..") else { return nil }
        guard let place = try descend(names.dropLast().joined(separator: "/")) else { return nil }
        return try place.status(of: last)
    }
}
