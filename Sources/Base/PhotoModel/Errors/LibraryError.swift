/// Something that a library could not do: what, to which thing, why, and what helps.
///
/// The engine throws it, it crosses the seam as a value, and one place (in `Photos`) maps it to
/// `PHPhotosError`.
package struct LibraryError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure, stable across versions.
    package enum Code: String, Codable, Hashable, Sendable, CaseIterable {
        /// No folder at the library's path.
        case libraryMissing
        /// The volume of a library that is known is not mounted.
        case volumeMissing
        /// The folder holds no library.
        case notALibrary
        /// Something is where a new library would be created.
        case alreadyExists
        /// The bundle or its database was written by a newer version.
        case newerFormat
        /// SQLite says that the database is damaged, or a part of the bundle is missing.
        case corrupt
        /// The file system's permissions forbid it.
        case noPermission
        /// The person whose library it is did not permit it to this program.
        case accessDenied
        /// A policy of the computer forbids it to this program.
        case accessRestricted
        /// The medium is read-only; reading works, writing does not.
        case readOnly
        /// The file system cannot hold a library that is written to (NFS, SMB).
        case unsupportedFileSystem
        /// Another process held the writer lock for too long.
        case busy
        /// The volume is full.
        case noSpace
        /// The process, or the system, has as many files open as it may.
        case tooManyOpenFiles
        /// An operating system call failed otherwise.
        case inputOutput
        /// A fetch named a key that cannot be answered, or compared it in a way that cannot be.
        case unsupportedPredicate
        /// A sort descriptor named a key that cannot be answered.
        case unsupportedSortKey
        /// A predicate format could not be parsed.
        case malformedPredicate
        /// No object has that identifier.
        case identifierNotFound
        /// A row names a file that is not there.
        case missingResource
        /// A file does not have the bytes that its row names, or is not the medium it claims to be.
        case invalidResource
        /// The worker could not be started, or not confined.
        case workerUnavailable
        /// The journal was pruned: it does not reach back to the version asked for.
        case historyExpired
        /// The object does not allow this change, or the files do not make an asset.
        case changeNotSupported
        /// The asset has not what was asked for: a movie of a plain photo, or a photo of a movie.
        case notSupportedForAsset
        /// The caller stopped it.
        case cancelled
        /// The request is not valid: a programming error on the client's side.
        case invalidRequest
        /// A defect of ours.
        case internalError
    }

    package var code: Code
    /// One sentence: the thing and what failed.
    package var message: String
    /// Why, when `message` does not say it: often the operating system's or SQLite's words.
    package var reason: String?
    /// What the person can run or change.
    package var recovery: String?
    /// The file or folder concerned.
    package var path: String?
    /// The identifiers concerned.
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
    /// The way out for a process that has as many files open as it may.
    package static let moreOpenFiles =
        "Allow more open files (ulimit -n 1024), or close other programs, and run it again."
}
