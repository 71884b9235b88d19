internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A stretch of one library's history.
struct HistoryRange: Sendable {
    let service: any LibraryService
    let libraryUUID: String
    /// It begins after this version.
    let since: Int64
    /// It ends with this one.
    let through: Int64

    /// How many versions are read at once.
    private static let portionSize = 64

    /// From a token to the present state.
    ///
    /// - Throws: `historyExpired` when history does not reach back to the token, or the token is not
    ///   of this library.
    init(since token: PHPersistentChangeToken, of service: any LibraryService) throws(LibraryError)
    {
        let status = try service.status()
        guard token.libraryUUID == status.libraryUUID else {
            throw Self.expired(
                token.libraryUUID.isEmpty
                    ? "It was made while there was no library to read."
                    : "It belongs to another library, \(token.libraryUUID); this one is"
                        + " \(status.libraryUUID)."
            )
        }
        guard token.version <= status.version else {
            throw Self.expired(
                "It is newer than the library, which was probably restored from a backup."
            )
        }
        self.service = service
        libraryUUID = status.libraryUUID
        since = token.version
        through = status.version
        do throws(LibraryError) {
            // Asked now, so that a token that has expired is told at once.
            if since < through { _ = try service.history(HistoryRequest(since: since, limit: 1)) }
        } catch {
            throw error.code == .historyExpired
                ? Self.expired(error.reason ?? error.message) : error
        }
    }

    func portion(after version: Int64) throws(LibraryError) -> [HistoryVersion] {
        try service.history(HistoryRequest(since: version, limit: Self.portionSize)).versions
    }

    func token(at version: Int64) -> PHPersistentChangeToken {
        PHPersistentChangeToken(libraryUUID: libraryUUID, version: version)
    }

    /// What is said of changes that cannot be read.
    func detailsUnavailable(_ error: LibraryError) -> PHPhotosError {
        var info = PHPhotosError(error).userInfo
        info[NSLocalizedDescriptionKey] = "The details of the change cannot be read any more."
        info[NSLocalizedFailureReasonErrorKey] = error.reason ?? error.message
        info[NSLocalizedRecoverySuggestionErrorKey] = Self.advice
        return PHPhotosError(.persistentChangeDetailsUnavailable, userInfo: info)
    }

    private static let advice = "Fetch everything afresh, and keep a new currentChangeToken."

    private static func expired(_ reason: String) -> LibraryError {
        LibraryError(
            .historyExpired,
            "The change token has expired.",
            reason: reason,
            recovery: advice
        )
    }
}
