internal import Logging
internal import Synchronization

extension LibraryConnection {
    /// The library of the current task and those it starts, in place of the process's.
    @TaskLocal package static var override: LibraryConnection?

    /// What fetches without an object to start from go to.
    ///
    /// The task's own library, else the one chosen for the process, else the default library.
    package static var current: LibraryConnection {
        override ?? chosen.withLock { $0 } ?? standard
    }

    /// Chooses the library for the whole process; nil goes back to the default library.
    ///
    /// Objects and results that exist keep the library that they came from.
    package static func choose(_ connection: LibraryConnection?) {
        chosen.withLock { $0 = connection }
    }

    private static let chosen = Mutex<LibraryConnection?>(nil)

    /// The default library.
    ///
    /// The one place where a logger is made: `PHPhotoLibrary.shared()` has nobody to give it one.
    private static let standard = LibraryConnection(
        embeddedAt: nil,
        logger: Logger(label: "photos")
    )
}

extension PHPhotoLibrary {
    /// Runs code whose fetches go to another library.
    ///
    /// Holds for the current task and for tasks that it starts, not for blocks that it hands to a
    /// dispatch queue or to another thread.
    package static func using<Result>(
        _ connection: LibraryConnection,
        _ body: () throws -> Result
    ) rethrows -> Result {
        try LibraryConnection.$override.withValue(connection, operation: body)
    }

    /// Runs asynchronous code whose fetches go to another library.
    package static func using<Result>(
        _ connection: LibraryConnection,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await LibraryConnection.$override.withValue(connection, operation: body)
    }
}
