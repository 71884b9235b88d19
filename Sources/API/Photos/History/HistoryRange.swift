internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A stretch of one library's history.
struct HistoryRange: Sendable {
    let service: any LibraryService
    let libraryUUID: String
    /// It begins after this change.
    let since: Place
    /// It ends with this one.
    let through: Place

    /// A version, and what tells it from others of its number, where that is known.
    struct Place: Sendable {
        var version: Int64
        var stamp: HistoryStamp?
    }

    /// How many versions are read at once.
    private static let portionSize = 64

    /// From a token to the present state.
    ///
    /// - Throws: `historyExpired` when history does not reach back to the token, or the token is not
    ///   of this library.
    init(since token: PHPersistentChangeToken, of service: any LibraryService) throws(LibraryError)
    {
        let status = try service.status()
        if status.libraryUUID.isEmpty {
            // The program may not know which library it is, and is told why.
            _ = try service.history(HistoryRequest(since: token.version, stamp: nil, limit: 0))
        }
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
        since = Place(version: token.version, stamp: token.stamp)
        through = Place(version: status.version, stamp: status.stamp)
        do throws(LibraryError) {
            // Asked now, so that a token that has expired is told at once.
            if since.version < through.version || since.stamp != through.stamp {
                let request = HistoryRequest(since: since.version, stamp: since.stamp, limit: 0)
                _ = try service.history(request)
            }
        } catch {
            throw error.code == .historyExpired
                ? Self.expired(error.reason ?? error.message) : error
        }
    }

    func portion(after place: Place) throws(LibraryError) -> [HistoryVersion] {
        let request = HistoryRequest(
            since: place.version,
            stamp: place.stamp,
            limit: Self.portionSize
        )
        return try service.history(request).versions
    }

    func token(at place: Place) -> PHPersistentChangeToken {
        PHPersistentChangeToken(
            libraryUUID: libraryUUID,
            version: place.version,
            stamp: place.stamp
        )
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
