/// The progress of a backup or a restore: the numbers and sizes of the handled files and of all
/// files.
package struct CopyProgress: Hashable, Sendable {
    package var files = 0
    package var totalFiles = 0
    package var bytes: Int64 = 0
    package var totalBytes: Int64 = 0

    package init() {}
}

/// A file that could not be copied because it is missing, damaged or unreadable in the library.
package struct CopyProblem: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The file does not exist.
        case missing
        /// The file differs from the imported bytes.
        case damaged
        /// The file cannot be read.
        case unreadable
    }

    package var kind: Kind
    /// The description of the problem, with the name of the file.
    package var message: String
    /// The recommended action.
    package var advice: String
    /// The absolute path of the file.
    package var path: String
    /// The local identifier of the file's asset; nil for a file that is kept only for undo.
    package var localIdentifier: String?

    package init(
        kind: Kind,
        message: String,
        advice: String,
        path: String,
        localIdentifier: String?
    ) {
        self.kind = kind
        self.message = message
        self.advice = advice
        self.path = path
        self.localIdentifier = localIdentifier
    }
}

/// A step of a backup or a restore.
package enum CopyEvent: Hashable, Sendable {
    case progress(CopyProgress)
    case problem(CopyProblem)
}

/// The result of a backup or a restore.
package struct CopySummary: Hashable, Sendable {
    /// The folder that was written.
    package var path = ""
    package var libraryUUID = ""
    /// The version of the library that was copied.
    package var version: Int64 = 0
    /// The number of files in the copied library; `bytes` is their size.
    package var files = 0
    package var bytes: Int64 = 0
    /// The number of files that this run copied; `copiedBytes` is their size.
    package var copiedFiles = 0
    package var copiedBytes: Int64 = 0
    /// The number of files that were removed from the backup, because the library no longer has
    /// them.
    package var removedFiles = 0
    /// The number of files that could not be copied.
    package var problems = 0
    /// Indicates whether the run was stopped; a stopped run replaces nothing.
    package var wasStopped = false
    /// The folder to which a restore moved the former library; nil if there was none.
    package var replacedPath: String?

    package init() {}
}
