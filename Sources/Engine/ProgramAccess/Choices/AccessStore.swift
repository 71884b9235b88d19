internal import Dispatch
internal import Foundation
internal import Glibc
internal import LibraryService
package import PhotoModel
internal import Synchronization

/// The access that this user granted to each program, stored outside of any library.
///
/// The store is one file, `choices.json` in `$XDG_STATE_HOME/swift-photos/access`. The file is
/// replaced atomically, so readers see the state before or after a change. Changes are made under a
/// lock that all processes share. Observers watch the folder. Thread-safe.
package final class AccessStore: Sendable {
    /// The JSON in the store's file.
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

    /// The version of the file format; files with a newer version are rejected.
    private static let version = 1

    /// The folder that contains the store's file.
    package let folder: String
    /// The path of the administrator's policy file.
    package let restrictionsFile: String

    private let remembered = Mutex<Remembered?>(nil)

    package init(
        folder: String,
        restrictionsFile: String = "/etc/swift-photos/restricted-programs"
    ) {
        self.folder = folder
        self.restrictionsFile = restrictionsFile
    }

    private static var standardFolder: String { StateFolder.standard.path + "/access" }

    private static let name = "choices.json"

    private var state: StateFolder { StateFolder(folder) }

    var file: String { folder + "/" + Self.name }

    // MARK: - Reading

    /// A stamp that changes with the choices or the policy, obtained without reading the files.
    struct Stamp: Hashable, Sendable {
        fileprivate var choices: FileStamp?
        fileprivate var restrictions: FileStamp?
    }

    /// The current stamp, obtained with two `stat` calls.
    var stamp: Stamp {
        Stamp(choices: FileStamp(path: file), restrictions: FileStamp(path: restrictionsFile))
    }

    /// Returns the choices of all programs, by program identifier.
    ///
    /// - Throws: When the file cannot be read, or does not contain choices.
    package func choices() throws(LibraryError) -> [String: AccessChoice] {
        try contents().programs
    }

    /// Returns the choice for a program.
    ///
    /// A policy of the computer's administrator takes precedence over the user's choice.
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

    /// Reads the choices from the file, and the stamp of the file.
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

    /// Changes the stored choices.
    ///
    /// The change is durable and visible to all programs when the call returns.
    ///
    /// - Parameter body: Modifies the current choices; other changes wait meanwhile.
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

    /// Changes the stored choice for one program.
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

    /// Creates the store's folder, so that it can be watched.
    package func prepareFolder() throws(LibraryError) { try state.prepare() }

    /// Acquires the lock on a file in the folder, and waits while another process holds the lock.
    private func locked(_ name: String) throws(LibraryError) -> Descriptor {
        do throws(SystemError) { return try state.locked(name) } catch {
            throw Self.lockFailure(error)
        }
    }

    private static func lockFailure(_ error: SystemError) -> LibraryError {
        error.libraryError(doing: error.call == "flock" ? "lock" : "open")
    }

    /// Waits until no other question is shown to the user, and acquires the lock for the next one.
    ///
    /// A person may take any time to answer. So a wait for the lock must not block its thread when
    /// its question is withdrawn.
    ///
    /// - Throws: `cancelled` if the current `CallContext` is canceled meanwhile, and the errors of
    ///   the folder.
    func turnToAsk() throws(LibraryError) -> Descriptor {
        let cancellation = CallContext.current?.cancellation ?? CallCancellation()
        let isWithdrawn = DispatchSemaphore(value: 0)
        while true {
            do throws(SystemError) {
                if let turn = try state.lockedIfFree("asking") { return turn }
            } catch {
                throw Self.lockFailure(error)
            }
            let end = DispatchTime.now() + Self.turnPause
            cancellation.withHandler(
                { isWithdrawn.signal() },
                while: { _ = isWithdrawn.wait(timeout: end) }
            )
            guard !cancellation.isCancelled else { throw .cancelled }
        }
    }

    /// The time between two attempts to acquire the lock for a question.
    private static let turnPause = DispatchTimeInterval.milliseconds(100)

    /// Replaces the store's file atomically; the caller must hold the lock.
    private func write(_ programs: [String: AccessChoice]) throws(LibraryError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard
            let data = try? encoder.encode(Contents(version: Self.version, programs: programs))
        else {
            throw LibraryError(.internalError, "The permissions of programs cannot be written.")
        }
        do throws(SystemError) { try state.replace(Self.name, with: data) } catch {
            throw error.libraryError(doing: "write")
        }
    }
}
