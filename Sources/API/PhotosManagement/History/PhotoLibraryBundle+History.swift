internal import Foundation
internal import LibraryService
internal import PhotoModel

extension PhotoLibraryBundle {
    /// The token of the library's current state.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public var historyToken: HistoryToken {
        get throws {
            let status = try edge { () throws(LibraryError) in try service.status() }
            return HistoryToken(
                libraryIdentifier: status.libraryUUID,
                version: status.version,
                stamp: status.stamp
            )
        }
    }

    /// Returns the token of the state that includes all transactions up to a version.
    ///
    /// The version may be one that does not exist yet, or one that the history no longer contains.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func historyToken(at version: Int64) throws -> HistoryToken {
        let request = HistoryRequest(since: max(0, version), limit: 0)
        return HistoryToken(
            libraryIdentifier: try historyToken.libraryIdentifier,
            version: request.since,
            stamp: try edge { () throws(LibraryError) in
                do throws(LibraryError) {
                    return try service.history(request).stamp
                } catch  where error.code == .historyExpired {
                    return nil
                }
            }
        )
    }

    /// Returns the transactions after a token, oldest first.
    ///
    /// Unlike PhotoKit's `fetchPersistentChanges(since:)`, the result also contains the time, the
    /// author and the changed properties.
    ///
    /// - Parameters:
    ///   - token: The starting point; nil for the oldest state in the history.
    ///   - limit: The maximum number of transactions, counted from the oldest.
    /// - Returns: The transactions; empty when nothing changed since.
    /// - Throws: `PHPhotosError`, with code `persistentChangeTokenExpired` when history no longer
    ///   reaches back to the token.
    public func history(since token: HistoryToken? = nil, limit: Int = .max) throws
        -> [HistoryEntry]
    {
        var entries: [HistoryEntry] = []
        try readHistory(since: token, limit: limit) { entries += $0 }
        return entries
    }

    /// Returns the latest transactions, oldest first.
    ///
    /// - Parameter limit: The maximum number of transactions.
    /// - Returns: The transactions; empty when the retained history contains none.
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func latestHistory(limit: Int) throws -> [HistoryEntry] {
        let present = try historyToken
        let start = try historyHorizon.start.version
        let version = max(start, present.version - Int64(clamping: max(0, limit)))
        return try history(since: historyToken(at: version), limit: limit)
    }

    /// Reads the transactions after a token in batches, oldest first, with bounded memory.
    ///
    /// - Parameters:
    ///   - token: The starting point; nil for the oldest state in the history.
    ///   - limit: The maximum number of transactions, counted from the oldest.
    ///   - body: Called with one or more transactions at a time.
    /// - Throws: The errors of `body`, and `PHPhotosError` as ``history(since:limit:)`` does.
    public func readHistory(
        since token: HistoryToken? = nil,
        limit: Int = .max,
        _ body: ([HistoryEntry]) throws -> Void
    ) throws {
        let token = try token ?? historyHorizon.start
        let library = try present(for: token).libraryIdentifier
        var since = (version: token.version, stamp: token.stamp)
        var left = limit
        while left > 0 {
            let request = HistoryRequest(
                since: since.version,
                stamp: since.stamp,
                limit: min(left, Self.portion)
            )
            let reply = try edge { () throws(LibraryError) in try service.history(request) }
            guard let last = reply.versions.last else { return }
            try body(reply.versions.map { HistoryEntry($0, libraryIdentifier: library) })
            since = (last.version, last.stamp)
            left -= reply.versions.count
            if last.version >= reply.current { return }
        }
    }

    /// The retention period of the history, and the oldest state after which the history is
    /// complete.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public var historyHorizon: HistoryHorizon {
        get throws { try horizon(HistoryHorizonRequest()) }
    }

    /// Sets the retention period of the history.
    ///
    /// Pruning expires older tokens and makes older changes impossible to undo. A longer period
    /// does not restore pruned history.
    ///
    /// - Parameter days: The period in days, at least 1.
    /// - Returns: The new period and the oldest state in the history.
    /// - Throws: `PHPhotosError` when the number is not valid or the library cannot be written.
    @discardableResult
    public func keepHistory(days: Int) throws -> HistoryHorizon {
        try horizon(HistoryHorizonRequest(days: days))
    }

    /// Returns a follower of the changes after a token, whichever process makes them.
    ///
    /// - Parameter token: The starting point; nil for the current state.
    /// - Returns: A follower that waits for changes.
    /// - Throws: `PHPhotosError` as ``history(since:limit:)`` does.
    public func followHistory(since token: HistoryToken? = nil) throws -> HistoryFollower {
        // Subscribing first ensures that a commit in between is not missed.
        let signal = try edge { () throws(LibraryError) in try service.subscribe() }
        if let token { _ = try present(for: token) }
        return try HistoryFollower(library: self, signal: signal, since: token ?? historyToken)
    }

    private static let portion = 256

    private func horizon(_ request: HistoryHorizonRequest) throws -> HistoryHorizon {
        let reply = try edge { () throws(LibraryError) in try service.historyHorizon(request) }
        return HistoryHorizon(
            days: reply.days,
            start: try historyToken(at: reply.start)
        )
    }

    /// Checks that a token is from this library's past, and returns the token of the library's
    /// current state.
    private func present(for token: HistoryToken) throws -> HistoryToken {
        let present = try historyToken
        let advice = "Fetch everything again, and keep a new token."
        guard token.libraryIdentifier == present.libraryIdentifier else {
            return try edge { () throws(LibraryError) in
                throw LibraryError(
                    .historyExpired,
                    "The token \(token) is not from the library at \(url.path).",
                    reason: "That library's tokens begin with \(present.libraryIdentifier).",
                    recovery: advice
                )
            }
        }
        guard token.version <= present.version else {
            return try edge { () throws(LibraryError) in
                throw LibraryError(
                    .historyExpired,
                    "The token \(token) is newer than the library, which is at"
                        + " \(present.version).",
                    reason: "The library was probably restored from a backup.",
                    recovery: advice
                )
            }
        }
        let replaced = token.version == present.version && token.stamp != present.stamp
        guard token.stamp == nil || !replaced else {
            return try edge { () throws(LibraryError) in
                throw LibraryError(
                    .historyExpired,
                    "The token \(token) refers to a transaction that the library does not have.",
                    reason: "The library has been restored to an older state since.",
                    recovery: advice
                )
            }
        }
        return present
    }
}
