package import LibraryService
package import Logging
package import PhotoModel
internal import Synchronization

/// A client's connection to one library, opened on first use and shared by all objects loaded from
/// it.
///
/// While the library cannot be opened, every use tries again, so a volume that is mounted later is
/// found. The reason is logged once, until it changes.
package final class LibraryConnection: Sendable {
    /// A closure that opens the library.
    ///
    /// It is never called concurrently.
    package typealias Opener = @Sendable () throws(LibraryError) -> any LibraryService

    private struct State {
        var service: (any LibraryService)?
        var reported: LibraryError?
        weak var library: PHPhotoLibrary?
    }

    /// The logger for errors that a fetch cannot throw.
    package let logger: Logger
    /// The monitor that reports changes to observers and tracks fetch results.
    package let monitor: LibraryMonitor
    /// The queue that runs change blocks.
    package let changes = ChangeQueue()

    /// A number unique among all connections that this process has created, including closed ones.
    package let number = LibraryConnection.numbers.add(1, ordering: .relaxed).newValue
    private static let numbers = Atomic(0)

    /// The program's permission and its access prompts, or nil for the library's owner.
    package let permission: LibraryPermission?

    private let opener: Opener
    // Guards all mutable state. Held while the library is opened, but never while client code runs.
    private let state = Mutex(State())

    /// Creates a connection that opens its library on first use.
    package init(
        logger: Logger,
        permission: LibraryPermission? = nil,
        watchInterval: Duration = .seconds(2),
        opener: @escaping Opener
    ) {
        self.logger = logger
        self.permission = permission
        self.opener = opener
        monitor = LibraryMonitor(interval: watchInterval)
        monitor.attach(to: self)
        permission?.attach(to: self)
    }

    /// Creates a connection to an open library.
    package convenience init(
        to service: any LibraryService,
        logger: Logger,
        watchInterval: Duration = .seconds(2)
    ) {
        self.init(logger: logger, watchInterval: watchInterval) { () throws(LibraryError) in
            service
        }
    }

    /// Returns the library's service, and opens the library first if needed.
    ///
    /// - Throws: The reason that the library cannot be opened.
    package func service() throws(LibraryError) -> any LibraryService {
        permission?.recordUse()
        return try opened()
    }

    /// Returns the library's service without recording a use, and opens the library first if
    /// needed.
    ///
    /// - Throws: The reason that the library cannot be opened.
    func opened() throws(LibraryError) -> any LibraryService {
        var isNews = false
        let outcome: Result<any LibraryService, LibraryError> = state.withLock { state in
            if let service = state.service { return .success(service) }
            do throws(LibraryError) {
                let service = try opener()
                state.service = service
                state.reported = nil
                return .success(service)
            } catch {
                isNews = state.reported != error
                state.reported = error
                return .failure(error)
            }
        }
        if isNews, case .failure(let error) = outcome { report(error) }
        return try outcome.get()
    }

    /// The library's service if the library is open, otherwise nil.
    ///
    /// Reading this property is not recorded as a use.
    var openService: (any LibraryService)? { state.withLock(\.service) }

    /// Logs an error that the client's call cannot throw.
    package func report(_ error: LibraryError) {
        logger.error("A call failed.", metadata: error.metadata(for: logger))
    }

    /// Logs an error, unless it was already logged as the reason that the library cannot be opened.
    package func reportUnlessUnavailable(_ error: LibraryError) {
        if state.withLock({ $0.reported == error }) { return }
        report(error)
    }

    /// The single library object of this connection.
    package var library: PHPhotoLibrary {
        state.withLock { state in
            if let library = state.library { return library }
            let library = PHPhotoLibrary(connection: self)
            state.library = library
            return library
        }
    }
}
