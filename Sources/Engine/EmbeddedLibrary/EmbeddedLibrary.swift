internal import Foundation
package import LibraryService
package import Logging
internal import PhotoLibrary
package import PhotoModel
package import ProgramAccess
package import WorkerClient

/// The library in this process: the composition of the engine's parts behind the seam.
///
/// The only place that knows both.
package enum EmbeddedLibrary {
    /// What a library needs from its surroundings.
    package struct Configuration: Sendable {
        /// Where the worker is, and what it may use.
        package var workers: WorkerPool.Configuration
        /// Hears of what cannot be thrown.
        package var logger: Logger
        /// Whether small pictures of what was imported are made while nobody asks for anything: unless
        /// the environment says `PHOTOS_BACKGROUND_RENDITIONS=0`.
        package var makesRenditionsWhenIdle: Bool

        package init(
            workers: WorkerPool.Configuration = WorkerPool.Configuration(),
            logger: Logger = Logger(label: "photos.library"),
            makesRenditionsWhenIdle: Bool =
                ProcessInfo.processInfo.environment["PHOTOS_BACKGROUND_RENDITIONS"] != "0"
        ) {
            self.workers = workers
            self.logger = logger
            self.makesRenditionsWhenIdle = makesRenditionsWhenIdle
        }
    }

    /// Where a library is when nobody says otherwise: `$PHOTOS_LIBRARY`, else
    /// `Photos Library.photolibrary` in the XDG pictures folder.
    package static var defaultPath: String {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["PHOTOS_LIBRARY"], !path.isEmpty { return absolute(path) }
        return picturesFolder(environment) + "/Photos Library.photolibrary"
    }

    /// Opens the library at a path; creates nothing.
    ///
    /// - Parameters:
    ///   - path: The library's folder.
    ///   - acceptsMissingChanges: Whether a database that is older than the last commit is opened for
    ///     writing, and what was lost is given up.
    ///   - program: Who asks: it may do what its user chose. Nil for the owner, who may do everything.
    ///   - configuration: What the library needs from its surroundings.
    /// - Returns: The library, for that client alone.
    /// - Throws: Why it cannot be opened.
    package static func open(
        at path: String,
        acceptsMissingChanges: Bool = false,
        for program: ClientProgram? = nil,
        configuration: Configuration = Configuration()
    ) throws(LibraryError) -> any LibraryService {
        try EmbeddedService(
            store: LibraryStore.open(
                at: absolute(path),
                acceptsMissingChanges: acceptsMissingChanges
            ),
            program: program,
            configuration: configuration
        )
    }

    /// Reports the state of the library at a path, also of one that does not open for writing.
    ///
    /// Creates and changes nothing.
    package static func inspect(at path: String) throws(LibraryError) -> LibraryInspection {
        try LibraryInspector.inspect(at: absolute(path))
    }

    /// Sets what a client may see of a library from now on, through the service that it was given.
    ///
    /// Full access is what it has at first. A change wakes its subscribers and makes its epoch grow.
    package static func setAccess(_ access: LibraryAccess, of service: any LibraryService) {
        (service as? EmbeddedService)?.view.access.set(access)
    }

    /// Limits the processor time of each fetch of a service with a predicate from now on; nil for no limit.
    package static func limitFetches(to duration: Duration?, of service: any LibraryService) {
        (service as? EmbeddedService)?.view.limitReads(to: duration)
    }

    /// Makes a second client of an open library that hidden assets are kept from.
    ///
    /// Both share the store, the workers and the caches. Work on the library as a whole, such as importing
    /// and checking, is refused to it; so is undoing a change that concerns a hidden asset.
    ///
    /// - Returns: The library for that client. Closing it leaves the other open.
    /// - Throws: `changeNotSupported` for a service that is not of this process.
    package static func withoutHidden(
        _ service: any LibraryService
    ) throws(LibraryError) -> any LibraryService {
        guard let service = service as? EmbeddedService else {
            throw LibraryError(
                .changeNotSupported,
                "Only a library of this process has views.",
                recovery: "Open it with PhotoLibraryBundle.open(at:)."
            )
        }
        let refusal = LibraryError(
            .accessDenied,
            "Hidden photos are locked.",
            recovery: "Unlock hidden photos first."
        )
        return EmbeddedService(
            sharing: service,
            grant: ClientGrant(
                access: .unhidden,
                mayCreate: true,
                refusal: refusal,
                hiddenRefusal: refusal
            )
        )
    }

    /// Makes a new, empty library at a path where nothing is.
    package static func create(at path: String) throws(LibraryError) {
        try LibraryStore.create(at: absolute(path))
    }

    /// Whether this user had a library at a path: then nothing is to be created there in passing.
    package static func isKnown(_ path: String) -> Bool {
        KnownLibraries.remembers(absolute(path))
    }

    /// An absolute path; `..` is left to the file system, since behind a link it means another folder
    /// than the text says.
    private static func absolute(_ path: String) -> String {
        let whole =
            path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
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
