internal import LibraryService
internal import PhotoModel

extension PHPhotoLibrary {
    /// The token for the library's present state.
    ///
    /// This property never fails. If the library cannot be read, the reason is logged, and the
    /// token is one that is always expired. A program without permission also gets such a token.
    public var currentChangeToken: PHPersistentChangeToken {
        do throws(LibraryError) {
            let status = try connection.service().status()
            guard !status.libraryUUID.isEmpty else { return PHPersistentChangeToken() }
            return PHPersistentChangeToken(
                libraryUUID: status.libraryUUID,
                version: status.version,
                stamp: status.stamp
            )
        } catch {
            connection.reportUnlessUnavailable(error)
            return PHPersistentChangeToken()
        }
    }

    /// Fetches the changes that any program committed after a token.
    ///
    /// - Parameter token: A token of this library: ``currentChangeToken``, or the token of a
    ///   change.
    /// - Returns: The changes up to now, oldest first, one per transaction.
    /// - Throws: ``PHPhotosError``, with code `persistentChangeTokenExpired` if the history does
    ///   not go back to the token, or if the token is from another library. In that case, fetch
    ///   everything again.
    @discardableResult
    public func fetchPersistentChanges(
        since token: PHPersistentChangeToken
    ) throws -> PHPersistentChangeFetchResult {
        do throws(LibraryError) {
            return PHPersistentChangeFetchResult(
                try HistoryRange(since: token, of: connection.service())
            )
        } catch {
            throw PHPhotosError(error)
        }
    }
}
