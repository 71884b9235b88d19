internal import Foundation
internal import LibraryService
internal import PhotoModel

/// A range of one library's history.
struct HistoryRange: Sendable {
    let service: any LibraryService
    let libraryUUID: String
    /// The position before the first change of the range.
    let since: Place
    /// The position of the last change of the range.
    let through: Place

    /// A position in the history: a version number, and the stamp that identifies that version.
    ///
    /// The stamp distinguishes the version from others of the same number, and is nil if unknown.
    struct Place: Sendable {
        var version: Int64
        var stamp: HistoryStamp?
    }

    /// The number of versions that are read per request.
    private static let portionSize = 64

    /// Creates the range from a token to the present state.
    ///
    /// - Throws: `historyExpired` if the history does not go back to the token, or if the token is
    ///   from another library.
    init(since token: PHPersistentChangeToken, of service: any LibraryService) throws(LibraryError)
    {
        let status = try service.status()
        if status.libraryUUID.isEmpty {
            // The status hides the UUID from a program without permission; this request throws the
            // reason.
            _ = try service.history(HistoryRequest(since: token.version, stamp: nil, limit: 0))
        }
        guard token.libraryUUID == status.libraryUUID else {
            throw Self.expired(
                token.libraryUUID.isEmpty
                    ? "It was created while no library was available."
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
            // Checked now, so that an expired token fails immediately.
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

    /// Returns the error for changes whose details cannot be read.
    func detailsUnavailable(_ error: LibraryError) -> PHPhotosError {
        var info = PHPhotosError(error).userInfo
        info[NSLocalizedDescriptionKey] = "The details of the change are no longer available."
        info[NSLocalizedFailureReasonErrorKey] = error.reason ?? error.message
        info[NSLocalizedRecoverySuggestionErrorKey] = Self.advice
        return PHPhotosError(.persistentChangeDetailsUnavailable, userInfo: info)
    }

    private static let advice = "Fetch everything again, and keep a new currentChangeToken."

    private static func expired(_ reason: String) -> LibraryError {
        LibraryError(
            .historyExpired,
            "The change token has expired.",
            reason: reason,
            recovery: advice
        )
    }
}
