internal import Foundation
internal import Synchronization

/// The one-time links with which browsers can sign in.
///
/// A token is in the fragment of a link, which browsers do not send to servers. The page exchanges
/// it for a session and removes it from its address.
final class StartTokens: Sendable {
    /// The maximum number of unused links; a further link invalidates the oldest.
    private static let limit = 32

    private struct Token {
        let text: String
        let end: ContinuousClock.Instant?
        let taken: (@Sendable () -> Void)?
    }

    private struct State {
        var root: String?
        var tokens: [Token] = []
    }

    private let state = Mutex(State())

    /// Sets the page's address, which enables the creation of links; called once the server
    /// listens.
    ///
    /// - Parameter root: The address of the page, with a trailing slash.
    func open(at root: String) { state.withLock { $0.root = root } }

    /// Creates a link with a new token.
    ///
    /// - Parameters:
    ///   - duration: The time until it expires; nil if it works as long as the server runs.
    ///   - taken: Called when the link is used.
    /// - Returns: The link; nil before the server listens.
    func makeLink(
        lasting duration: Duration? = nil,
        whenTaken taken: (@Sendable () -> Void)? = nil
    ) -> URL? {
        let text = Secret.make()
        return state.withLock { state in
            guard let root = state.root, let link = URL(string: "\(root)#token=\(text)") else {
                return nil
            }
            if state.tokens.count >= Self.limit { state.tokens.removeFirst() }
            state.tokens.append(Token(text: text, end: duration.map { .now + $0 }, taken: taken))
            return link
        }
    }

    /// Invalidates a token, and returns whether it was valid.
    func take(_ text: String) -> Bool {
        let token = state.withLock { state -> Token? in
            state.tokens.removeAll { $0.end.map { $0 <= .now } ?? false }
            // All tokens are compared, so that the timing does not reveal a match's position.
            let matches = state.tokens.indices.filter {
                Secret.areEqual(state.tokens[$0].text, text)
            }
            return matches.first.map { state.tokens.remove(at: $0) }
        }
        token?.taken?()
        return token != nil
    }
}
