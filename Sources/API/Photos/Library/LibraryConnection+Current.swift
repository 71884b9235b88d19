internal import Logging
internal import Synchronization

extension LibraryConnection {
    /// The library that overrides the process-wide library in the current task and its child tasks.
    @TaskLocal package static var override: LibraryConnection?

    /// The library used by fetches that are not given an object of a particular library, such as an
    /// album.
    ///
    /// It is the task's library if set, otherwise the one chosen for the process, otherwise the
    /// default library.
    package static var current: LibraryConnection {
        override ?? chosen.withLock { $0 } ?? standard
    }

    /// Sets the library for the whole process; nil restores the default library.
    ///
    /// Existing objects and results keep the library that they came from.
    package static func choose(_ connection: LibraryConnection?) {
        chosen.withLock { $0 = connection }
    }

    private static let chosen = Mutex<LibraryConnection?>(nil)

    /// The default library.
    ///
    /// This is the only place that creates a logger, because `PHPhotoLibrary.shared()` cannot
    /// receive one.
    private static let standard = LibraryConnection(
        embeddedAt: nil,
        logger: Logger(label: "photos")
    )
}

extension PHPhotoLibrary {
    /// Runs a closure in which fetches use the given library.
    ///
    /// The override applies to the current task and its child tasks, but not to blocks that they
    /// submit to a dispatch queue or another thread.
    package static func using<Result>(
        _ connection: LibraryConnection,
        _ body: () throws -> Result
    ) rethrows -> Result {
        try LibraryConnection.$override.withValue(connection, operation: body)
    }

    /// Runs an asynchronous closure in which fetches use the given library.
    package static func using<Result>(
        _ connection: LibraryConnection,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await LibraryConnection.$override.withValue(connection, operation: body)
    }
}
