internal import EmbeddedLibrary
public import Foundation

/// Restores a library from a backup that ``LibraryBackup`` created.
///
/// A backup is a library, so copying its folder with any program restores it, too. This type also
/// checks the SHA-256 of every file, reuses the intact files of an existing library, and moves that
/// library aside instead of overwriting it.
public struct LibraryRestore: Sendable {
    private let backup: URL
    private let library: URL
    private let discardsNewerChanges: Bool
    private let control: OperationControl

    /// Creates a restore; call ``run(progress:handler:)`` to start it.
    ///
    /// - Parameters:
    ///   - backup: The backup's folder, which is only read.
    ///   - library: The path of the library to make. An existing library there must be the one that
    ///     was backed up.
    ///   - discardsNewerChanges: Whether to replace a library that has changes which the backup
    ///     does not have, or whose database is damaged.
    ///   - control: Stops the restore from another thread, between two files.
    public init(
        from backup: URL,
        to library: URL,
        discardsNewerChanges: Bool = false,
        control: OperationControl = OperationControl()
    ) {
        self.backup = backup
        self.library = library
        self.discardsNewerChanges = discardsNewerChanges
        self.control = control
    }

    /// Restores the backup on the calling thread.
    ///
    /// An existing library is moved to a folder beside it, which
    /// ``LibraryBackup/Summary/replacedLibrary`` names. Programs that have it open must be
    /// restarted.
    ///
    /// - Parameters:
    ///   - progress: Called after each step. An error that it throws ends the run and is rethrown.
    ///   - handler: Called for each file that the backup does not have whole. An error that it
    ///     throws ends the run and is rethrown.
    /// - Returns: The result in numbers.
    /// - Throws: `PHPhotosError` when the backup cannot be read, or the library cannot be replaced;
    ///   it is then unchanged. ``LibraryFailure`` distinguishes the cases.
    public func run(
        progress: (LibraryBackup.Progress) throws -> Void = { _ in },
        handler: (LibraryBackup.Problem) throws -> Void
    ) throws -> LibraryBackup.Summary {
        try LibraryBackup.summary {
            try EmbeddedLibrary.restore(
                library.path(percentEncoded: false),
                from: backup.path(percentEncoded: false),
                discardsNewer: discardsNewerChanges,
                isStopped: { control.isStopped },
                handler: { try LibraryBackup.pass($0, progress, handler) }
            )
        }
    }
}
