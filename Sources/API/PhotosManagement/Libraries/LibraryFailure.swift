internal import Foundation
internal import PhotoModel
internal import Photos

/// What an error of PhotoKit or of a library operation says, taken apart.
///
/// `PHPhotosError` has codes for what PhotoKit knows of; creating, opening and checking libraries
/// fail in more ways. This tells them apart and gives the words to show.
public struct LibraryFailure: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    ///
    /// More may come.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// No folder at the library's path.
        case libraryMissing
        /// The volume of a library that was there before is not mounted.
        case volumeMissing
        /// The folder holds no library.
        case notALibrary
        /// Something is where a new library would be made.
        case alreadyExists
        /// The library was written by a newer version.
        case newerFormat
        /// The library is damaged.
        case corrupt
        /// The file system's permissions forbid it.
        case noPermission
        /// The person whose library it is did not permit it to this program.
        case accessDenied
        /// A policy of the computer forbids it to this program.
        case accessRestricted
        /// The library can only be read.
        case readOnly
        /// The file system cannot hold a library that is written to.
        case unsupportedFileSystem
        /// Another process held the library for too long.
        case busy
        /// The volume is full.
        case noSpace
        /// An operating system call failed otherwise.
        case inputOutput
        /// A predicate names a key, or compares in a way, that cannot be answered.
        case unsupportedPredicate
        /// A sort descriptor names a key that cannot be answered.
        case unsupportedSortKey
        /// A predicate format could not be parsed.
        case malformedPredicate
        /// No object has that identifier.
        case identifierNotFound
        /// The library names a file that is not there.
        case missingResource
        /// A file does not have the bytes that it should have.
        case invalidResource
        /// The decoding worker could not be started, or not confined.
        case workerUnavailable
        /// History does not reach back to the token.
        case historyExpired
        /// The object does not allow the change.
        case changeNotSupported
        /// The caller or the user stopped it.
        case cancelled
        /// The request was not valid.
        case invalidRequest
        /// A defect of this software.
        case internalError
        /// An error that is not about libraries.
        case other
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// One sentence: the thing, and what failed.
    public var message: String
    /// Why, when the message does not say it.
    public var reason: String?
    /// What a person can run or change.
    public var recovery: String?
    /// The file or folder concerned.
    public var path: String?

    /// Takes any error apart.
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
                // What the error itself says, and not what its code usually means.
                reason = said[NSLocalizedFailureReasonErrorKey] as? String
                recovery = said[NSLocalizedRecoverySuggestionErrorKey] as? String
            } else {
                reason = error.localizedFailureReason
                recovery = error.localizedRecoverySuggestion
            }
            path = error.userInfo[NSFilePathErrorKey] as? String
        }
    }

    /// Message, reason and recovery in one line.
    public var description: String {
        [message, reason, recovery].compactMap(\.self).joined(separator: " ")
    }
}
