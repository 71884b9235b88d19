internal import Glibc
package import LibraryService
package import PhotoModel

/// The files of a migration's source.
package protocol SourceFiles: Sendable {
    /// Lists the files.
    ///
    /// - Throws: `inputOutput` if a folder cannot be read.
    func listing() throws(LibraryError) -> SourceListing

    /// Opens a listed file for reading: a plain file, or an unlinked temporary file with its
    /// content.
    ///
    /// - Throws: The reason as one sentence.
    func open(_ entry: SourceListing.Entry) throws(SourceFileFailure) -> Descriptor
}

/// The reason why a file of a source cannot be read, as one sentence.
package struct SourceFileFailure: Error, Hashable, Sendable {
    package var reason: String
    package init(reason: String) { self.reason = reason }
}

/// The files below a folder, which is only read and accessed through its descriptor.
///
/// Symbolic links are neither followed nor listed, so nothing outside of the folder is reached.
package struct SourceFolder: SourceFiles {
    /// The depth below which folders are not entered.
    private static let maximumDepth = 64

    private let folder: Folder
    /// The folders to list, below this one; empty for all.
    private let parts: [String]

    package init(_ descriptor: Descriptor, path: String, parts: [String] = []) {
        folder = Folder(descriptor: descriptor, path: path, files: FileOperations())
        self.parts = parts
    }

    package func listing() throws(LibraryError) -> SourceListing {
        var entries: [SourceListing.Entry] = []
        do throws(SystemError) {
            if parts.isEmpty { try list(folder, "", 0, into: &entries) }
            for part in parts {
                guard let found = try descend(part) else { continue }
                try list(found, part + "/", 0, into: &entries)
            }
        } catch { throw error.libraryError("The folder \(folder.path) cannot be read.") }
        return SourceListing(entries)
    }

    /// Returns a folder below this one; nil if it is absent or no folder.
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

    private func list(
        _ folder: Folder,
        _ prefix: String,
        _ depth: Int,
        into entries: inout [SourceListing.Entry]
    ) throws(SystemError) {
        guard depth < Self.maximumDepth else { return }
        for name in try folder.names() {
            guard let status = try folder.status(of: name) else { continue }
            if status.isRegularFile {
                entries.append(
                    SourceListing.Entry(
                        path: prefix + name,
                        size: status.size,
                        modificationTime: status.modificationTime
                    )
                )
            } else if status.isFolder {
                let inner: Folder
                do throws(SystemError) { inner = try folder.folder(name) } catch {
                    // A disk has folders that only its system may read. What a source expects in
                    // them is reported as missing.
                    if parts.isEmpty, [EACCES, EPERM].contains(error.number) { continue }
                    throw error
                }
                try list(inner, prefix + name + "/", depth + 1, into: &entries)
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
