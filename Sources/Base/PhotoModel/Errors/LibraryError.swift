/// An error of a library operation: the failure, the affected object, the cause and a recovery
/// suggestion.
///
/// The engine throws it and it crosses the seam as a value. `Photos` maps it to `PHPhotosError` in
/// one place.
package struct LibraryError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure, stable across versions.
    package enum Code: String, Codable, Hashable, Sendable, CaseIterable {
        /// No folder exists at the library's path.
        case libraryMissing
        /// The library's volume is not mounted.
        case volumeMissing
        /// The folder contains no library.
        case notALibrary
        /// The path of the new library is already in use.
        case alreadyExists
        /// The bundle or its database was written by a newer version.
        case newerFormat
        /// SQLite reports a damaged database, or a part of the bundle is missing.
        case corrupt
        /// The file system's permissions deny access.
        case noPermission
        /// The library's owner has not granted this program access.
        case accessDenied
        /// A policy of the computer denies this program access.
        case accessRestricted
        /// The medium is read-only: reads succeed and writes fail.
        case readOnly
        /// The file system does not support a writable library (NFS, SMB).
        case unsupportedFileSystem
        /// Another process held the writer lock for too long.
        case busy
        /// The volume is full.
        case noSpace
        /// The process, or the system, has reached its limit of open files.
        case tooManyOpenFiles
        /// An input/output operation or system call failed for a reason that no other code covers.
        case inputOutput
        /// A predicate contains an unsupported key or an unsupported comparison.
        case unsupportedPredicate
        /// A sort descriptor contains an unsupported key.
        case unsupportedSortKey
        /// A predicate format could not be parsed.
        case malformedPredicate
        /// No object has the identifier.
        case identifierNotFound
        /// A database row refers to a file that does not exist.
        case missingResource
        /// A file's content does not match its database row, or is not of the declared type.
        case invalidResource
        /// The worker could not be started or sandboxed.
        case workerUnavailable
        /// The journal no longer contains the changes since the requested version.
        case historyExpired
        /// The object does not allow this change, or the files do not form an asset.
        case changeNotSupported
        /// The asset does not support the request, for example a request for the movie of a plain
        /// photo.
        case notSupportedForAsset
        /// The caller canceled the operation.
        case cancelled
        /// The connection to the library's process ended before the reply, so a change may have
        /// been made.
        case connectionLost
        /// The files are only in the cloud, and the request may not use the network.
        case networkAccessRequired
        /// The network or the server did not respond correctly.
        case networkError
        /// A file token in a change identifies none of the files staged in the client's session.
        ///
        /// Staged files are copied before the change that refers to them.
        case tokenUnknown
        /// The request is invalid because of a programming error in the client.
        case invalidRequest
        /// A bug in this package.
        case internalError
    }

    package var code: Code
    /// A single sentence that names the object and the failure.
    package var message: String
    /// The cause, unless `message` states it; often the operating system's or SQLite's text.
    package var reason: String?
    /// A suggestion of what the user can run or change.
    package var recovery: String?
    /// The affected file or folder.
    package var path: String?
    /// The affected identifiers.
    package var identifiers: [String]

    package init(
        _ code: Code,
        _ message: String,
        reason: String? = nil,
        recovery: String? = nil,
        path: String? = nil,
        identifiers: [String] = []
    ) {
        self.code = code
        self.message = message
        self.reason = reason
        self.recovery = recovery
        self.path = path
        self.identifiers = identifiers
    }

    package var description: String {
        [message, reason, recovery].compactMap(\.self).joined(separator: " ")
    }
}

extension LibraryError {
    /// The recovery suggestion for a process that has reached its limit of open files.
    package static let moreOpenFiles =
        "Allow more open files (ulimit -n 1024), or quit other programs, and try again."
}
