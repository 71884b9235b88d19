internal import Foundation
internal import Synchronization

/// The links that let a browser in, each of which works once.
///
/// A token travels in the fragment of a link, which browsers send to no server; the page exchanges it for a
/// session and removes it from its address.
final class StartTokens: Sendable {
    /// How many links may wait to be used; the oldest gives way to a further one.
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

    /// Makes links possible, once the server listens.
    ///
    /// - Parameter root: The address of the page, with a slash at its end.
    func open(at root: String) { state.withLock { $0.root = root } }

    /// A link that was not used before.
    ///
    /// - Parameters:
    ///   - duration: How long it works; nil for as long as the server runs.
    ///   - taken: Called when it was used.
    /// - Returns: nil before the server listens.
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

    /// Uses a token up; whether it was valid.
    func take(_ text: String) -> Bool {
        let token = state.withLock { state -> Token? in
            state.tokens.removeAll { $0.end.map { $0 <= .now } ?? false }
            // All are compared, so that the time tells nothing of where one stands.
            let matches = state.tokens.indices.filter {
                Secret.areEqual(state.tokens[$0].text, text)
            }
            return matches.first.map { state.tokens.remove(at: $0) }
        }
        token?.taken?()
        return token != nil
    }
}
