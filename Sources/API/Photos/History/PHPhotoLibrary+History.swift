internal import LibraryService
internal import PhotoModel

extension PHPhotoLibrary {
    /// Stands for the library's present state.
    ///
    /// Never fails: while the library cannot be read the reason is logged, and the token is one that
    /// history never reaches back to. A program without permission gets such a token, too.
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

    /// What was committed after a token, by any program, running or not.
    ///
    /// - Parameter token: Of this library: ``currentChangeToken``, or that of a change.
    /// - Returns: The changes up to now, oldest first, one per transaction.
    /// - Throws: ``PHPhotosError``, with code `persistentChangeTokenExpired` when history does not
    ///   reach back to the token, or the token is another library's: then fetch everything afresh.
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
