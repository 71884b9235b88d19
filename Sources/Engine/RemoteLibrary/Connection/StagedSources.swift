internal import LibraryService
internal import Synchronization

/// The files that a client has staged with a daemon, kept so that they can be staged again after a
/// lost connection.
///
/// A client's token is the one that the daemon gave first. Thread-safe.
final class StagedSources: Sendable {
    /// A staged file.
    struct Source: Sendable {
        var request: StageRequest
        var file: Descriptor
        /// The token by which the daemon currently identifies the file.
        var token: FileToken
        /// The number of the connection over which the file was staged.
        var connection: UInt64
    }

    private let sources = Mutex<[FileToken: Source]>([:])

    /// Adds a file under its token.
    func add(_ source: Source) { sources.withLock { $0[source.token] = source } }

    /// Returns the files with the given tokens of the client; nil if any of them is missing.
    func all(_ tokens: [FileToken]) -> [Source]? {
        sources.withLock { sources in
            let found = tokens.compactMap { sources[$0] }
            return found.count == tokens.count ? found : nil
        }
    }

    /// Replaces the entry of a file that was staged again.
    func replace(_ token: FileToken, _ source: Source) {
        sources.withLock { if $0[token] != nil { $0[token] = source } }
    }

    /// Returns a change set in which the client's tokens are replaced by those that the daemon
    /// knows.
    ///
    /// Tokens that the client did not receive stay.
    func passed(_ changes: ChangeSet) -> ChangeSet {
        sources.withLock { sources in changes.mappingTokens { sources[$0]?.token ?? $0 } }
    }

    /// Removes the files with the given tokens, and returns those that were present.
    ///
    /// - Returns: The files that were here.
    func remove(_ tokens: [FileToken]) -> [FileToken: Source] {
        sources.withLock { sources in
            var removed: [FileToken: Source] = [:]
            for token in tokens { removed[token] = sources.removeValue(forKey: token) }
            return removed
        }
    }
}
