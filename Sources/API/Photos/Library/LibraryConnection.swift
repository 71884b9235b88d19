package import LibraryService
package import Logging
package import PhotoModel
internal import Synchronization

/// A client's way to one library: opened when it is first needed, used by every object that came
/// from it.
///
/// While the library cannot be opened every use tries again, so a volume that is mounted later is
/// found. The reason is logged once, until another reason takes its place.
package final class LibraryConnection: Sendable {
    /// Opens the library.
    ///
    /// Never called twice at a time.
    package typealias Opener = @Sendable () throws(LibraryError) -> any LibraryService

    private struct State {
        var service: (any LibraryService)?
        var reported: LibraryError?
        weak var library: PHPhotoLibrary?
    }

    /// Hears of what a fetch cannot throw.
    package let logger: Logger
    /// Tells observers of changes, and knows what was fetched.
    package let monitor: LibraryMonitor
    /// Runs change blocks.
    package let changes = ChangeQueue()

    /// What tells this connection from all others of the process, those that are gone included.
    package let number = LibraryConnection.numbers.add(1, ordering: .relaxed).newValue
    private static let numbers = Atomic(0)

    /// What this program may do, and the asking about it; nil for the library's owner.
    package let permission: LibraryPermission?

    private let opener: Opener
    // Guards everything that changes. Held while the library is opened, never while client code runs.
    private let state = Mutex(State())

    /// A connection that opens its library when it is first used.
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
    }

    /// A connection to a library that is open.
    package convenience init(
        to service: any LibraryService,
        logger: Logger,
        watchInterval: Duration = .seconds(2)
    ) {
        self.init(logger: logger, watchInterval: watchInterval) { () throws(LibraryError) in
            service
        }
    }

    /// The open library; opens it first if need be.
    ///
    /// - Throws: Why the library cannot be opened.
    package func service() throws(LibraryError) -> any LibraryService {
        permission?.recordUse()
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

    /// Logs a failure that the client's call cannot throw.
    package func report(_ error: LibraryError) {
        logger.error("\(error)", metadata: ["photos.code": "\(error.code.rawValue)"])
    }

    /// Logs a failure, unless it is that the library cannot be opened, which is logged already.
    package func reportUnlessUnavailable(_ error: LibraryError) {
        if state.withLock({ $0.reported == error }) { return }
        report(error)
    }

    /// The one library object of this connection.
    package var library: PHPhotoLibrary {
        state.withLock { state in
            if let library = state.library { return library }
            let library = PHPhotoLibrary(connection: self)
            state.library = library
            return library
        }
    }
}
