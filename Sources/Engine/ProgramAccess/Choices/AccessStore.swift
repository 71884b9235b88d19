internal import Foundation
internal import Glibc
internal import LibraryService
package import PhotoModel
internal import Synchronization

/// The access choices of this user for each program, stored outside of any library.
///
/// The store is one file, `choices.json` in `$XDG_STATE_HOME/swift-photos/access`. It is replaced
/// atomically, so readers see the state before or after a change. Changes are made under a lock
/// that all processes share. Observers watch the folder. Thread-safe.
package final class AccessStore: Sendable {
    /// The content of the file.
    private struct Contents: Codable {
        var version: Int
        var programs: [String: AccessChoice]
    }

    private struct Remembered {
        var choices: FileStamp?
        var restrictions: FileStamp?
        var programs: [String: AccessChoice]
        var restricted: RestrictedPrograms
    }

    /// The store of the current user.
    package static let standard = AccessStore(folder: standardFolder)

    /// The version of the file's format; files of newer versions are rejected.
    private static let version = 1

    /// The folder that contains the file.
    package let folder: String
    /// The policy file of the computer's administrator.
    package let restrictionsFile: String

    private let remembered = Mutex<Remembered?>(nil)

    package init(
        folder: String,
        restrictionsFile: String = "/etc/swift-photos/restricted-programs"
    ) {
        self.folder = folder
        self.restrictionsFile = restrictionsFile
    }

    private static var standardFolder: String {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? "/") + "/.local/state"
        return state + "/swift-photos/access"
    }

    var file: String { folder + "/choices.json" }

    // MARK: - Reading

    /// A stamp that identifies the current choices without reading them.
    struct Stamp: Hashable, Sendable {
        fileprivate var choices: FileStamp?
        fileprivate var restrictions: FileStamp?
    }

    /// The current stamp, at the cost of two file status calls.
    var stamp: Stamp {
        Stamp(choices: FileStamp(path: file), restrictions: FileStamp(path: restrictionsFile))
    }

    /// Returns all choices by program.
    ///
    /// - Throws: When the file cannot be read, or does not contain choices.
    package func choices() throws(LibraryError) -> [String: AccessChoice] {
        try contents().programs
    }

    /// Returns the choice for a program, including the computer's policy.
    ///
    /// - Throws: When the file cannot be read, or does not contain choices.
    package func choice(of identifier: String) throws(LibraryError) -> AccessChoice {
        let contents = try self.contents()
        var choice = contents.programs[identifier] ?? AccessChoice()
        if contents.restricted.contains(identifier) {
            choice.readWrite = .restricted
            choice.addOnly = .restricted
        }
        return choice
    }

    private func contents() throws(LibraryError) -> Remembered {
        let stamp = self.stamp
        let known = remembered.withLock { known -> Remembered? in
            guard let known, known.choices == stamp.choices,
                known.restrictions == stamp.restrictions
            else { return nil }
            return known
        }
        if let known { return known }
        let (choices, programs) = try read()
        let fresh = Remembered(
            choices: choices,
            restrictions: stamp.restrictions,
            programs: programs,
            restricted: RestrictedPrograms(file: restrictionsFile)
        )
        remembered.withLock { $0 = fresh }
        return fresh
    }

    /// Reads the file and its stamp.
    private func read() throws(LibraryError) -> (FileStamp?, [String: AccessChoice]) {
        let number = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return (nil, [:]) }
            throw SystemError.last("open", path: file).libraryError(doing: "read")
        }
        let descriptor = Descriptor(owning: number)
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else {
            throw SystemError.last("fstat", path: file).libraryError(doing: "read")
        }
        let handle = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
        let data = withExtendedLifetime(descriptor) { try? handle.readToEnd() }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: data ?? Data()),
            contents.version <= Self.version
        else {
            throw LibraryError(
                .corrupt,
                "The permissions of programs cannot be read: \(file).",
                reason: "The file is not in the format of this version.",
                recovery: "Move the file away. All programs then have to ask again.",
                path: file
            )
        }
        return (FileStamp(status), contents.programs)
    }

    // MARK: - Changing

    /// Changes the choices; the change is durable and visible to all programs when the call
    /// returns.
    ///
    /// - Parameter body: Modifies the current choices, while other changes wait.
    /// - Returns: The result of `body`.
    /// - Throws: When the file cannot be read or written; then nothing was changed.
    package func change<Result>(
        _ body: (inout [String: AccessChoice]) -> Result
    ) throws(LibraryError) -> Result {
        try prepareFolder()
        let lock = try locked("lock")
        defer { withExtendedLifetime(lock) {} }
        let (_, before) = try read()
        var programs = before
        let result = body(&programs)
        if programs != before { try write(programs) }
        return result
    }

    /// Changes the choice for one program.
    package func change<Result>(
        _ identifier: String,
        _ body: (inout AccessChoice) -> Result
    ) throws(LibraryError) -> Result {
        try change { programs in
            var choice = programs[identifier] ?? AccessChoice()
            defer { programs[identifier] = choice }
            return body(&choice)
        }
    }

    /// Creates the folder, so that it can be watched.
    package func prepareFolder() throws(LibraryError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw LibraryError(
                .inputOutput,
                "Could not create the folder \(folder).",
                reason: error.localizedDescription,
                recovery: "Set XDG_STATE_HOME to a writable folder.",
                path: folder
            )
        }
    }

    /// Acquires a lock file in the folder, and waits while another process holds it.
    func locked(_ name: String) throws(LibraryError) -> Descriptor {
        let path = folder + "/" + name
        let number = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            throw SystemError.last("open", path: path).libraryError(doing: "open")
        }
        let descriptor = Descriptor(owning: number)
        while flock(descriptor.number, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw SystemError.last("flock", path: path).libraryError(doing: "lock")
            }
        }
        return descriptor
    }

    /// Replaces the file atomically; the caller must hold the lock.
    private func write(_ programs: [String: AccessChoice]) throws(LibraryError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let draft = file + ".new"
        guard
            let data = try? encoder.encode(Contents(version: Self.version, programs: programs))
        else {
            throw LibraryError(.internalError, "The permissions of programs cannot be written.")
        }
        do throws(SystemError) {
            try Self.write(data, to: draft)
            guard rename(draft, file) == 0 else { throw SystemError.last("rename", path: file) }
            try Self.sync(folder: folder)
        } catch {
            unlink(draft)
            throw error.libraryError(doing: "write")
        }
    }

    private static func write(_ data: Data, to path: String) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let number = Glibc.open(path, flags, 0o600)
        guard number >= 0 else { throw .last("open", path: path) }
        let descriptor = Descriptor(owning: number)
        defer { withExtendedLifetime(descriptor) {} }
        let bytes = [UInt8](data)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(
                    descriptor.number,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .last("write", path: path) }
            written += count
        }
        guard fsync(descriptor.number) == 0 else { throw .last("fsync", path: path) }
    }

    private static func sync(folder: String) throws(SystemError) {
        let number = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw .last("open", path: folder) }
        let descriptor = Descriptor(owning: number)
        let result = withExtendedLifetime(descriptor) { fsync(descriptor.number) }
        guard result == 0 else { throw .last("fsync", path: folder) }
    }
}
