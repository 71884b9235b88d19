internal import Foundation
internal import LibraryService
internal import PhotoModel

extension PhotoLibraryBundle {
    /// Stands for the library's present state.
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

    /// Stands for everything up to and including a transaction of this library.
    ///
    /// A transaction that is not there yet, or not known any more, has a token, too.
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

    /// What happened after a token, oldest first.
    ///
    /// PhotoKit's `fetchPersistentChanges(since:)` tells which objects changed; this tells besides
    /// when, by whom, and which of their properties.
    ///
    /// - Parameters:
    ///   - token: Where to begin; nil for as far back as history reaches.
    ///   - limit: So many transactions at most, the oldest ones.
    /// - Returns: Empty when nothing happened since.
    /// - Throws: `PHPhotosError`, with code `persistentChangeTokenExpired` when history no longer
    ///   reaches back to the token.
    public func history(since token: HistoryToken? = nil, limit: Int = .max) throws
        -> [HistoryEntry]
    {
        var entries: [HistoryEntry] = []
        try readHistory(since: token, limit: limit) { entries += $0 }
        return entries
    }

    /// The last transactions, oldest first.
    ///
    /// - Parameter limit: So many at most.
    /// - Returns: Empty when nothing happened, as far as history reaches back.
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func latestHistory(limit: Int) throws -> [HistoryEntry] {
        let present = try historyToken
        let start = try historyHorizon.start.version
        let version = max(start, present.version - Int64(clamping: max(0, limit)))
        return try history(since: historyToken(at: version), limit: limit)
    }

    /// Hands out what happened after a token in portions, oldest first, so that any length of history
    /// takes little memory.
    ///
    /// - Parameters:
    ///   - token: Where to begin; nil for as far back as history reaches.
    ///   - limit: So many transactions at most, the oldest ones.
    ///   - body: Gets one or more transactions at a time.
    /// - Throws: What `body` throws, and `PHPhotosError` as ``history(since:limit:)`` does.
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

    /// How long history is kept, and how far it reaches back.
    ///
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public var historyHorizon: HistoryHorizon {
        get throws { try horizon(HistoryHorizonRequest()) }
    }

    /// Sets how long history is kept.
    ///
    /// Tokens that are older expire when what they need is pruned, and what lies before cannot be
    /// undone. A longer time brings nothing back.
    ///
    /// - Parameter days: At least 1.
    /// - Returns: What holds from now on.
    /// - Throws: `PHPhotosError` when the number is not valid or the library cannot be written.
    @discardableResult
    public func keepHistory(days: Int) throws -> HistoryHorizon {
        try horizon(HistoryHorizonRequest(days: days))
    }

    /// Follows the history from a token on, whichever process makes it.
    ///
    /// - Parameter token: Where to begin; nil for the present state.
    /// - Returns: What waits for changes.
    /// - Throws: `PHPhotosError` as ``history(since:limit:)`` does.
    public func followHistory(since token: HistoryToken? = nil) throws -> HistoryFollower {
        // The subscription comes first: what is committed in between is then not missed.
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

    /// The library's present state, when a token is of its past.
    private func present(for token: HistoryToken) throws -> HistoryToken {
        let present = try historyToken
        let advice = "Fetch everything afresh, and keep a new token."
        guard token.libraryIdentifier == present.libraryIdentifier else {
            return try edge { () throws(LibraryError) in
                throw LibraryError(
                    .historyExpired,
                    "The token \(token) is not of the library at \(url.path).",
                    reason: "That library's tokens begin with \(present.libraryIdentifier).",
                    recovery: advice
                )
            }
        }
        guard token.version <= present.version else {
            return try edge { () throws(LibraryError) in
                throw LibraryError(
                    .historyExpired,
                    "The token \(token) is newer than the library, which stands at"
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
                    "The token \(token) is of a transaction that the library does not have.",
                    reason: "The library was put back to an older state since.",
                    recovery: advice
                )
            }
        }
        return present
    }
}
