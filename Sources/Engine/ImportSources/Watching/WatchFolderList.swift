package import Foundation
internal import Glibc
internal import LibraryService
package import PhotoModel

/// The watch folders of this user, grouped by library; they are stored as configuration of this
/// machine, outside the libraries.
///
/// 1. The list is one file, `watch-folders.json` in `$XDG_STATE_HOME/swift-photos`. It is replaced
///    by a rename, so readers see the state before or after a change.
/// 2. Changes are made under a lock that all processes share.
/// 3. A file in another format is an error, and is not replaced.
package struct WatchFolderList: Sendable {
    private struct Contents: Codable, Hashable {
        var version: Int
        var libraries: [String: WatchedLibrary]
    }

    /// The version of the file's format; files of newer versions are rejected.
    private static let version = 1
    private static let name = "watch-folders.json"
    private static let limitInBytes = 16 << 20

    /// The folder that contains the file in which the list is stored.
    package let folder: String

    /// The path of the file in which the list is stored.
    package var file: String { folder + "/" + Self.name }

    /// The folder that contains the ledgers of the watch folders.
    package var ledgers: String { folder + "/watch-folders" }

    package init(folder: String) { self.folder = folder }

    /// The list of the user of this process.
    package static var standard: WatchFolderList {
        WatchFolderList(folder: StateFolder.standard.path)
    }

    private var state: StateFolder { StateFolder(folder) }

    // MARK: - Reading

    /// Returns the watch folders by the identifier of the library.
    ///
    /// - Throws: `corrupt` when the file is not a list of this version, and the error of reading.
    package func libraries() throws(LibraryError) -> [String: WatchedLibrary] {
        let number = open(file, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return [:] }
            throw Self.failure(.last("open", path: file), "read")
        }
        let descriptor = Descriptor(owning: number)
        let handle = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
        let data = withExtendedLifetime(descriptor) {
            (try? handle.read(upToCount: Self.limitInBytes)) ?? Data()
        }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data),
            contents.version <= Self.version
        else {
            throw LibraryError(
                .corrupt,
                "The list of watch folders cannot be read: \(file).",
                reason: "The file is damaged, or of a newer version.",
                recovery: "Move the file away, and add the watch folders again.",
                path: file
            )
        }
        return contents.libraries
    }

    // MARK: - Changing

    /// Changes the list; the change is durable when the call returns.
    ///
    /// - Parameter body: Modifies the current list, while other changes wait.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or when the file cannot be read or written; then nothing was
    ///   changed.
    package func change<Result>(
        _ body: (inout [String: WatchedLibrary]) throws(LibraryError) -> Result
    ) throws(LibraryError) -> Result {
        try state.prepare()
        let lock = try locked()
        defer { withExtendedLifetime(lock) {} }
        let before = try libraries()
        var libraries = before
        let result = try body(&libraries)
        libraries = libraries.filter { !$0.value.folders.isEmpty }
        if libraries != before { try write(libraries) }
        return result
    }

    /// Changes one watch folder, if it is still in the list.
    package func update(
        _ identifier: UUID,
        of library: String,
        _ body: (inout WatchFolder) -> Void
    ) throws(LibraryError) {
        try change { libraries throws(LibraryError) in
            let index = libraries[library]?.folders.firstIndex { $0.identifier == identifier }
            guard let index, var folder = libraries[library]?.folders[index] else { return }
            body(&folder)
            libraries[library]?.folders[index] = folder
        }
    }

    /// Removes the ledger of a watch folder that is no longer in the list.
    package func removeLedger(of folder: UUID) {
        WatchLedger.remove(ledgers + "/" + folder.uuidString)
    }

    private func locked() throws(LibraryError) -> Descriptor {
        do throws(SystemError) { return try state.locked("watch-folders.lock") } catch {
            throw Self.failure(error, error.call == "flock" ? "lock" : "open")
        }
    }

    private func write(_ libraries: [String: WatchedLibrary]) throws(LibraryError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let contents = Contents(version: Self.version, libraries: libraries)
        guard let data = try? encoder.encode(contents) else {
            throw LibraryError(.internalError, "The list of watch folders cannot be written.")
        }
        do throws(SystemError) { try state.replace(Self.name, with: data) } catch {
            throw Self.failure(error, "write")
        }
    }

    private static func failure(_ error: SystemError, _ doing: String) -> LibraryError {
        error.libraryError("Could not \(doing) the list of watch folders.")
    }
}
