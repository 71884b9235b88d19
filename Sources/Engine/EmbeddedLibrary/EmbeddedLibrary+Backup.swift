package import LibraryService
package import PhotoLibrary

/// Backs up and restores libraries as a whole, without a session.
extension EmbeddedLibrary {
    /// Copies the library at a path to another folder, while other programs use it.
    ///
    /// - Parameters:
    ///   - path: The library's folder.
    ///   - destination: The backup's folder.
    ///   - readsEverything: Whether to read also the files that the backup already has.
    ///   - replacesMissing: Whether to make a new backup where an earlier one is missing.
    ///   - loggers: The loggers of the library's components.
    ///   - isStopped: Whether to stop.
    ///   - handler: Receives the progress and the problems, on the calling thread.
    /// - Returns: The result in numbers.
    /// - Throws: The engine's error, and the errors of `handler`.
    package static func backUp(
        _ path: String,
        to destination: String,
        readsEverything: Bool,
        replacesMissing: Bool,
        loggers: LibraryLoggers = LibraryLoggers(),
        isStopped: () -> Bool,
        handler: (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        let store = try LibraryStore.open(at: absolute(path), loggers: loggers)
        // The log stays on disk for the next reader if this fails.
        defer { try? store.close() }
        return try BackupSession(
            of: store,
            to: absolute(destination),
            readsEverything: readsEverything,
            replacesMissing: replacesMissing
        ).run(isStopped: isStopped, handler: handler)
    }

    /// Restores the library at a path from a backup.
    ///
    /// - Parameters:
    ///   - path: The path of the library.
    ///   - backup: The backup's folder.
    ///   - discardsNewer: Whether to replace a library that has changes which the backup lacks.
    ///   - isStopped: Whether to stop.
    ///   - handler: Receives the progress and the problems, on the calling thread.
    /// - Returns: The result in numbers.
    /// - Throws: The engine's error, and the errors of `handler`.
    package static func restore(
        _ path: String,
        from backup: String,
        discardsNewer: Bool,
        isStopped: () -> Bool,
        handler: (CopyEvent) throws -> Void
    ) throws -> CopySummary {
        try RestoreSession(
            from: absolute(backup),
            to: absolute(path),
            discardsNewer: discardsNewer
        ).run(isStopped: isStopped, handler: handler)
    }
}
