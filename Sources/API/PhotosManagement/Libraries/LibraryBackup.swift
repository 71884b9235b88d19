internal import EmbeddedLibrary
public import Foundation
internal import LibraryService
internal import PhotoModel

/// Backs up a library, which may be in use, to a folder that is itself a library.
///
/// The first run copies everything. Later runs into the same folder copy only new files, and remove
/// the files of photos that were permanently deleted. Until a run is complete, the folder contains
/// the complete previous backup, even after a crash. The backup contains the originals, the edits,
/// Recently Deleted, the albums and the history. It does not contain the thumbnails, since they can
/// be generated again.
public struct LibraryBackup: Sendable {
    /// The number and the size of the files that were handled so far.
    public struct Progress: Sendable, Hashable {
        /// The number of files handled so far, including those that need no copy.
        public var files: Int
        /// The total number of files to handle.
        public var totalFiles: Int
        /// The size of the handled files in bytes.
        public var bytes: Int64
        /// The total size of the files to handle, in bytes.
        public var totalBytes: Int64

        init(_ progress: CopyProgress) {
            files = progress.files
            totalFiles = progress.totalFiles
            bytes = progress.bytes
            totalBytes = progress.totalBytes
        }
    }

    /// A file that could not be copied, because it is missing, damaged or unreadable in the
    /// library.
    public struct Problem: Sendable, Hashable {
        /// The kinds of problem.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The file does not exist.
            case missing
            /// The file differs from the imported bytes.
            case damaged
            /// The file cannot be read.
            case unreadable
        }

        /// The kind of the problem.
        public var kind: Kind
        /// A description of the problem.
        public var message: String
        /// The recommended action.
        public var advice: String
        /// The path of the file.
        public var path: String
        /// The local identifier of the file's asset; nil for a file that is kept only for undoing a
        /// change.
        public var localIdentifier: String?

        init(_ problem: CopyProblem) {
            kind =
                switch problem.kind {
                case .missing: .missing
                case .damaged: .damaged
                case .unreadable: .unreadable
                }
            message = problem.message
            advice = problem.advice
            path = problem.path
            localIdentifier = problem.localIdentifier
        }
    }

    /// The result of a backup or a restore in numbers.
    public struct Summary: Sendable, Hashable {
        /// The folder to which the library was copied.
        public var url: URL
        /// The identifier of the library.
        public var libraryIdentifier: String
        /// The version of the library that was copied.
        public var version: Int64
        /// The number of files in the copy.
        public var files: Int
        /// The size of the files in the copy, in bytes.
        public var bytes: Int64
        /// The number of files that this run copied, not counting files that were already in the
        /// copy and unchanged.
        public var copiedFiles: Int
        /// The size of the copied files in bytes.
        public var copiedBytes: Int64
        /// The number of files that this run removed from the backup.
        public var removedFiles: Int
        /// The number of files that could not be copied.
        public var problems: Int
        /// Indicates whether the run was stopped before the end.
        ///
        /// Nothing was replaced in that case.
        public var wasStopped: Bool
        /// The folder to which a restore moved the existing library; nil when there was none.
        public var replacedLibrary: URL?

        init(_ summary: CopySummary) {
            url = URL(filePath: summary.path, directoryHint: .isDirectory)
            libraryIdentifier = summary.libraryUUID
            version = summary.version
            files = summary.files
            bytes = summary.bytes
            copiedFiles = summary.copiedFiles
            copiedBytes = summary.copiedBytes
            removedFiles = summary.removedFiles
            problems = summary.problems
            wasStopped = summary.wasStopped
            replacedLibrary = summary.replacedPath.map {
                URL(filePath: $0, directoryHint: .isDirectory)
            }
        }
    }

    private let library: URL
    private let destination: URL
    private let readsEverything: Bool
    private let replacesMissing: Bool
    private let control: OperationControl

    /// Creates a backup; call ``run(progress:handler:)`` to start it.
    ///
    /// - Parameters:
    ///   - library: The library's folder.
    ///   - destination: The backup's folder, outside of any library. It is created if it does not
    ///     exist; an existing one must be empty, or an earlier backup of the same library.
    ///   - readsEverything: Whether to read also the files that the backup already has, and to
    ///     replace damaged ones. Otherwise their presence and size suffice.
    ///   - replacesMissing: Whether to make a new backup where an earlier one is missing, such as
    ///     after it was deleted. Otherwise the run fails
    ///     (``LibraryFailure/Kind/volumeMissing``), since the earlier backup's volume is probably
    ///     not mounted.
    ///   - control: Stops the backup from another thread, between two files.
    public init(
        of library: URL,
        to destination: URL,
        readsEverything: Bool = false,
        replacesMissing: Bool = false,
        control: OperationControl = OperationControl()
    ) {
        self.library = library
        self.destination = destination
        self.readsEverything = readsEverything
        self.replacesMissing = replacesMissing
        self.control = control
    }

    /// Creates or updates the backup, on the calling thread.
    ///
    /// - Parameters:
    ///   - progress: Called after each step. An error that it throws ends the backup and is
    ///     rethrown.
    ///   - handler: Called for each file that could not be copied. An error that it throws ends the
    ///     backup and is rethrown.
    /// - Returns: The result. The backup is durable unless the run was stopped.
    /// - Throws: `PHPhotosError` when the library cannot be read, the folder is not suitable, an
    ///   earlier backup is missing or the volume is full; the former backup is then unchanged.
    ///   ``LibraryFailure`` distinguishes the cases. A file that could not be copied is not an
    ///   error.
    public func run(
        progress: (Progress) throws -> Void = { _ in },
        handler: (Problem) throws -> Void
    ) throws -> Summary {
        try Self.summary {
            try EmbeddedLibrary.backUp(
                library.path(percentEncoded: false),
                to: destination.path(percentEncoded: false),
                readsEverything: readsEverything,
                replacesMissing: replacesMissing,
                isStopped: { control.isStopped },
                handler: { try Self.pass($0, progress, handler) }
            )
        }
    }

    /// Runs a copy operation of the engine, and converts its summary or its error.
    static func summary(_ body: () throws -> CopySummary) throws -> Summary {
        do {
            return Summary(try body())
        } catch let error as LibraryError {
            throw PhotosBridge.error(error)
        }
    }

    /// Passes an event of a copy operation to the handler for its kind: progress or problem.
    static func pass(
        _ event: CopyEvent,
        _ progress: (Progress) throws -> Void,
        _ handler: (Problem) throws -> Void
    ) throws {
        switch event {
        case .progress(let counts): try progress(Progress(counts))
        case .problem(let problem): try handler(Problem(problem))
        }
    }
}
