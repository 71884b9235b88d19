internal import Foundation
internal import PhotoModel
internal import Photos

/// The details of an error from PhotoKit or from a library operation.
///
/// The codes of `PHPhotosError` cover PhotoKit's failures. Creating, opening and checking libraries
/// fail in more ways; this type distinguishes them and provides the texts to show.
public struct LibraryFailure: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    ///
    /// Later versions may add kinds.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The library's folder does not exist.
        case libraryMissing
        /// The volume of a library or backup that existed before is not mounted.
        case volumeMissing
        /// The folder does not contain a library.
        case notALibrary
        /// The path of a new library is already in use.
        case alreadyExists
        /// The library was written by a newer version.
        case newerFormat
        /// The library is damaged.
        case corrupt
        /// The file system's permissions deny access.
        case noPermission
        /// The library's owner did not grant access to this program.
        case accessDenied
        /// A policy of the computer denies access to this program.
        case accessRestricted
        /// The library is read-only.
        case readOnly
        /// The file system does not support a writable library.
        case unsupportedFileSystem
        /// Another process locked the library for too long.
        case busy
        /// The volume is full.
        case noSpace
        /// An input/output operation or system call failed for a reason that no other kind covers.
        case inputOutput
        /// A predicate uses an unsupported key or comparison.
        case unsupportedPredicate
        /// A sort descriptor uses an unsupported key.
        case unsupportedSortKey
        /// A predicate format could not be parsed.
        case malformedPredicate
        /// No object has the given identifier.
        case identifierNotFound
        /// A file that the library refers to is missing.
        case missingResource
        /// The content of a file differs from the expected bytes.
        case invalidResource
        /// A file is only in the cloud and was not downloaded.
        case networkAccessRequired
        /// The connection to the cloud library could not be established, or was lost.
        case networkError
        /// The decoding worker could not be started or sandboxed.
        case workerUnavailable
        /// The history no longer contains all changes since the change token.
        case historyExpired
        /// The object does not support the change.
        case changeNotSupported
        /// The caller or the user canceled the operation.
        case cancelled
        /// The request was invalid.
        case invalidRequest
        /// A defect in this software.
        case internalError
        /// An error that does not concern a library.
        case other
    }

    /// The kind of the failure.
    public var kind: Kind
    /// A single sentence that names the object and the failure.
    public var message: String
    /// The reason, when the message does not state it.
    public var reason: String?
    /// The recommended action.
    public var recovery: String?
    /// The path of the file or folder concerned.
    public var path: String?

    /// Creates a failure from any error.
    public init(_ error: any Error) {
        let original = error
        if let engine = PhotosBridge.engineError(in: error) {
            kind = Kind(rawValue: engine.code.rawValue) ?? .other
            message = engine.message
            reason = engine.reason
            recovery = engine.recovery
            path = engine.path
        } else {
            let error = error as NSError
            kind = .other
            message = error.localizedDescription
            if let said = (original as? PHPhotosError)?.userInfo {
                // The error's own texts, not the default texts of its code.
                reason = said[NSLocalizedFailureReasonErrorKey] as? String
                recovery = said[NSLocalizedRecoverySuggestionErrorKey] as? String
            } else {
                reason = error.localizedFailureReason
                recovery = error.localizedRecoverySuggestion
            }
            path = error.userInfo[NSFilePathErrorKey] as? String
        }
    }

    /// The message, reason and recovery in one line.
    public var description: String {
        [message, reason, recovery].compactMap(\.self).joined(separator: " ")
    }
}
