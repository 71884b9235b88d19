internal import CLinuxShim
internal import Glibc
package import LibraryService
package import PhotoModel
internal import RemoteLibrary
internal import Synchronization

/// A provider of read-only descriptors for programs that must not be able to change a library's
/// files.
///
/// A descriptor that was opened for reading is not enough: a program of the same user can open its
/// file again for writing, by its name in `/proc/self/fd`. Such a program therefore receives the
/// first of these that is possible:
///
/// 1. A pipe, a subscription, or memory that nobody can change.
/// 2. The same file, opened below a read-only clone of the library's folder.
/// 3. A copy of the file: where the kernel permits no clone, or the file is not one of the library.
package final class ReadOnlyFiles: Sendable {
    private enum Clone {
        case unknown
        case none
        case tree(Descriptor)
    }

    private let library: String
    private let clone: Mutex<Clone>

    /// Creates a provider for the files of a library.
    ///
    /// - Parameters:
    ///   - library: The path of the library's folder.
    ///   - usesClone: Whether to use a read-only clone where the kernel permits one.
    package init(of library: String, usesClone: Bool = true) {
        self.library = Self.realPath(library) ?? library
        clone = Mutex(usesClone ? .unknown : .none)
    }

    /// Indicates whether files are opened through a read-only clone of the library's folder.
    ///
    /// The first use creates the clone.
    package var hasClone: Bool { tree != nil }

    /// Returns a descriptor through which the same content can be read but not changed.
    ///
    /// Costs some microseconds with a clone. A copy costs the time and the space of the file.
    ///
    /// - Parameter file: A descriptor of this process, which the caller no longer needs.
    /// - Returns: The descriptor for the program.
    /// - Throws: `noSpace` or `inputOutput` if a copy cannot be made.
    package func view(of file: Descriptor) throws(LibraryError) -> Descriptor {
        var status = stat()
        guard fstat(file.number, &status) == 0 else {
            throw Self.failure("fstat")
        }
        switch status.st_mode & S_IFMT {
        case S_IFIFO: return file
        case S_IFREG: break
        // An instance of its own, which tells the program of changes.
        case 0 where Self.place(of: file) == "anon_inode:inotify": return file
        default:
            throw LibraryError(.internalError, "A file for the program is of an unexpected kind.")
        }
        let seals = cphotos_seals(file.number)
        if seals >= 0, seals & cphotos_all_seals() == cphotos_all_seals() { return file }
        if let same = below(file, status) { return same }
        return try file.copy(near: library)
    }

    // MARK: - The clone

    private var tree: Descriptor? {
        clone.withLock { clone in
            if case .unknown = clone {
                let number = cphotos_clone_read_only(library)
                clone = number >= 0 ? .tree(Descriptor(owning: number)) : .none
            }
            guard case .tree(let tree) = clone else { return nil }
            return tree
        }
    }

    /// Reopens a file below the clone; returns nil if the clone does not contain the file.
    private func below(_ file: Descriptor, _ status: stat) -> Descriptor? {
        guard let tree, let path = Self.place(of: file), path.hasPrefix(library + "/")
        else { return nil }
        let number = cphotos_open_below(tree.number, String(path.dropFirst(library.count + 1)))
        guard number >= 0 else { return nil }
        let opened = Descriptor(owning: number)
        var found = stat()
        // Another file may have taken its name.
        guard fstat(number, &found) == 0, found.st_dev == status.st_dev,
            found.st_ino == status.st_ino
        else { return nil }
        return opened
    }

    /// Returns a path with all symbolic links resolved; nil if the path does not exist.
    package static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Returns the current path of an open file as the kernel reports it.
    private static func place(of file: Descriptor) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(file.number)", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func failure(_ call: String) -> LibraryError {
        SystemError.last(call).libraryError("A file for the program could not be made read-only.")
    }
}
