internal import FoundationEssentials
package import LibraryService
package import PhotoModel

/// Performs changes that include files: stages the files, and stages them again after a lost
/// connection.
///
///     stage ──▶ commit ──reply──▶ done
///                 │ ▲
///          token unknown after a lost connection: all its files are staged again
///
/// 1. A commit that is sent again has its former tokens first. The daemon answers it if it was
///    made; otherwise the tokens ended with their session, and no file was copied for nothing.
/// 2. The commit keeps its identifier, so it is made once.
/// 3. The files are kept open until the reply.
extension RemoteLibrary {
    /// The maximum number of times that the files of one commit are staged again.
    private static let roundLimit = 16
    /// The maximum number of files that are staged again at the same time.
    private static let width = 4

    package func stage(
        _ request: StageRequest,
        file: Descriptor
    ) throws(LibraryError) -> StageReply {
        let (reply, source) = try send(request, file)
        sources.add(source)
        return reply
    }

    package func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        let known = sources.remove(request.tokens)
        // The daemon ignores those that this session did not receive.
        let others = request.tokens.filter { known[$0] == nil }
        try release(known, and: others)
    }

    package func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        let tokens = request.changes.resources.map(\.file)
        guard !tokens.isEmpty else { return try send(CallTable.shared.commit, request) }
        var context = CallContext.current ?? CallContext()
        context.change = context.change ?? UUID()
        var rounds = 0
        while true {
            let passed = CommitRequest(changes: sources.passed(request.changes))
            do throws(LibraryError) {
                let reply = try context.perform { () throws(LibraryError) in
                    try send(CallTable.shared.commit, passed)
                }
                let used = sources.remove(tokens)
                // A stored answer used none of them.
                if rounds > 0 { try? release(used) }
                return reply
            } catch {
                guard error.code == .tokenUnknown, rounds < Self.roundLimit, hasLost(tokens) else {
                    // The call may have ended before the library had it.
                    try? release(sources.remove(tokens))
                    throw error
                }
                rounds += 1
                try stageAgain(tokens, round: rounds)
            }
        }
    }

    /// Indicates whether any of the files was staged over a connection other than the current one;
    /// false if a token is unknown to this client.
    private func hasLost(_ tokens: [FileToken]) -> Bool {
        guard let staged = sources.all(tokens) else { return false }
        let present = manager.connectionNumber
        return staged.contains { $0.connection != present }
    }

    /// Stages all files of a commit again.
    ///
    /// The daemon no longer accepts the tokens that it gave them before.
    private func stageAgain(_ tokens: [FileToken], round: Int) throws(LibraryError) {
        guard let staged = sources.all(tokens) else { return }
        do throws(LibraryError) {
            if round > 1 { try pause(before: round) }
            _ = try Parallel.map(count: tokens.count, width: Self.width) {
                index throws(LibraryError) in
                let (_, source) = try send(staged[index].request, staged[index].file)
                sources.replace(tokens[index], source)
            } discarding: { _ in
            }
        } catch {
            try? release(sources.remove(tokens))
            throw error
        }
    }

    /// Waits before the files of a commit are staged again.
    ///
    /// The commit itself may be what ends the daemon.
    private func pause(before round: Int) throws(LibraryError) {
        do throws(ConnectionFailure) {
            try manager.pause(min(.milliseconds(10) * (1 << min(round, 10)), .seconds(1)))
        } catch {
            throw error.libraryError()
        }
    }

    private func send(
        _ request: StageRequest,
        _ file: Descriptor
    ) throws(LibraryError) -> (StageReply, StagedSources.Source) {
        try checkProcess()
        let result = try exchange(CallTable.shared.stage, request, [file])
        let source = StagedSources.Source(
            request: request,
            file: file,
            token: result.reply.token,
            connection: result.connection.number
        )
        return (result.reply, source)
    }

    /// Releases the files that the daemon may still have staged.
    ///
    /// Files that were staged over earlier connections are already gone.
    private func release(
        _ staged: [FileToken: StagedSources.Source],
        and others: [FileToken] = []
    ) throws(LibraryError) {
        let present = manager.connectionNumber
        let tokens = others + staged.values.filter { $0.connection == present }.map(\.token)
        guard !tokens.isEmpty else { return }
        let request = ReleaseTokensRequest(tokens: tokens)
        // Also for a call that was canceled.
        try CallContext().perform { () throws(LibraryError) in
            try send(CallTable.shared.releaseTokens, request)
        }
    }
}
