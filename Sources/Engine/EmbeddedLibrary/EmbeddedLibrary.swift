internal import Foundation
package import LibraryService
package import PhotoLibrary
package import PhotoModel
package import ProgramAccess
package import WorkerClient

/// The in-process library, which composes the parts of the engine behind `LibraryService`.
///
/// This is the only type that knows both the interface and the parts.
package enum EmbeddedLibrary {
    /// The environment of a library.
    package struct Configuration: Sendable {
        /// The location of the worker, and its resource limits.
        package var workers: WorkerPool.Configuration
        /// The loggers of the library's components.
        package var loggers: LibraryLoggers
        /// Indicates whether renditions of new assets are generated while the library is idle.
        ///
        /// The default is true, unless the environment contains `PHOTOS_BACKGROUND_RENDITIONS=0`.
        package var makesRenditionsWhenIdle: Bool
        /// Returns whether the host that performs the background work may do so now.
        ///
        /// If nil, the engine performs some background work by itself.
        package var dutyHost: (@Sendable () -> Bool)?

        package init(
            workers: WorkerPool.Configuration = WorkerPool.Configuration(),
            loggers: LibraryLoggers = LibraryLoggers(),
            makesRenditionsWhenIdle: Bool =
                ProcessInfo.processInfo.environment["PHOTOS_BACKGROUND_RENDITIONS"] != "0"
        ) {
            self.workers = workers
            self.loggers = loggers
            self.makesRenditionsWhenIdle = makesRenditionsWhenIdle
        }
    }

    /// The default path of a library: `$PHOTOS_LIBRARY`, otherwise `Photos Library.photolibrary` in
    /// the XDG pictures folder.
    package static var defaultPath: String {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["PHOTOS_LIBRARY"], !path.isEmpty { return absolute(path) }
        return picturesFolder(environment) + "/Photos Library.photolibrary"
    }

    /// Opens the library at a path; never creates one.
    ///
    /// - Parameters:
    ///   - path: The library's folder.
    ///   - acceptsMissingChanges: Whether to open a database that is older than the last commit for
    ///     writing, and abandon the lost changes.
    ///   - program: The client program, limited to the permissions that its user granted. Nil for
    ///     the library's owner, who has full access.
    ///   - author: The author of the client's changes in the history; nil for the name of this
    ///     process.
    ///   - configuration: The environment of the library.
    /// - Returns: The library, for this client only. Closing the last session that was opened from
    ///   it, directly or not, closes the library.
    /// - Throws: The reason why the library cannot be opened.
    package static func open(
        at path: String,
        acceptsMissingChanges: Bool = false,
        for program: ClientProgram? = nil,
        author: String? = nil,
        configuration: Configuration = Configuration()
    ) throws(LibraryError) -> any LibraryService {
        let engine = try LibraryEngine.open(
            at: path,
            acceptsMissingChanges: acceptsMissingChanges,
            configuration: configuration
        )
        // From here on the session holds the engine.
        defer { engine.close() }
        var client = ClientIdentity(program: program)
        if let author { client.author = author }
        return try engine.session(for: client)
    }

    /// Opens a plan (a temporary copy for dry runs) of the library at a path.
    ///
    /// If there is no library, it is a plan of an empty one.
    ///
    /// Imports into a plan report what they would do. Neither the library nor anything else of the
    /// user changes. The plan is a temporary folder that is removed with the service.
    package static func openPlan(
        of path: String,
        configuration: Configuration = Configuration()
    ) throws(LibraryError) -> any LibraryService {
        let engine = try LibraryEngine.openPlan(of: path, configuration: configuration)
        defer { engine.close() }
        return try engine.session()
    }

    /// Reports the state of the library at a path, even if the library cannot be opened for
    /// writing.
    ///
    /// Creates and changes nothing. Measures the originals and edits for at most a fraction of a
    /// second, unless `waitsForSizes` is set.
    package static func inspect(
        at path: String,
        waitsForSizes: Bool
    ) throws(LibraryError) -> LibraryInspection {
        try LibraryInspector.inspect(at: absolute(path), waitsForSizes: waitsForSizes)
    }

    /// Returns the unique identifier of the library at a path, without opening it for writing.
    package static func libraryUUID(at path: String) throws(LibraryError) -> String {
        try LibraryInspector.libraryUUID(at: absolute(path))
    }

    /// Returns the kind of the other process that performs the background work of a library; nil if
    /// there is none.
    ///
    /// The process is the daemon or an embedding program.
    package static func dutyHolder(at path: String) -> DutyLock.Holder? {
        DutyLock.otherHolder(of: LibraryBundle(root: absolute(path)))
    }

    /// Creates a new, empty library at an unused path.
    package static func create(at path: String) throws(LibraryError) {
        try LibraryStore.create(at: absolute(path))
    }

    /// Returns whether a library is recorded at a path for this user, even if none exists there
    /// now.
    ///
    /// No library must be created implicitly at such a path.
    package static func isKnown(_ path: String) -> Bool {
        KnownLibraries.remembers(absolute(path))
    }

    /// Returns the absolute form of a path, without resolving `..` or symbolic links.
    ///
    /// `..` is left to the file system, since after a symbolic link it refers to a different folder
    /// than the text suggests.
    package static func absolute(_ path: String) -> String {
        let whole =
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// The XDG pictures folder of this process's environment.
    package static var picturesFolder: String {
        picturesFolder(ProcessInfo.processInfo.environment)
    }

    private static func picturesFolder(_ environment: [String: String]) -> String {
        let home = environment["HOME"] ?? "/"
        let settings =
            (environment["XDG_CONFIG_HOME"] ?? home + "/.config") + "/user-dirs.dirs"
        let lines = (try? String(contentsOfFile: settings, encoding: .utf8)) ?? ""
        for line in lines.split(separator: "\n") where line.hasPrefix("XDG_PICTURES_DIR=") {
            let value = line.dropFirst("XDG_PICTURES_DIR=".count)
                .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
            return value.replacingOccurrences(of: "$HOME", with: home)
        }
        return home + "/Pictures"
    }
}
