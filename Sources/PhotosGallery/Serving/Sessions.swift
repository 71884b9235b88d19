internal import Foundation
internal import Synchronization

/// The browsers that were let in, and which of them may see hidden photos at the moment.
final class Sessions: Sendable {
    /// How long hidden photos stay unlocked.
    static let unlockTime = Duration.seconds(600)
    /// How many wrong passwords in a minute are answered; then none is tried any more.
    static let attemptsPerMinute = 10
    private static let limit = 1_000

    private struct Session {
        var begun: ContinuousClock.Instant
        var unlock: (secret: String, until: ContinuousClock.Instant)?
        /// The version of the last change that the session made; nil before any.
        var lastChange: Int64?
    }

    private struct State {
        var sessions: [String: Session] = [:]
        var failures: [ContinuousClock.Instant] = []
    }

    /// What the link carries, made anew at each start.
    let token = Secret.make()
    private let password: PasswordHash?
    private let state = Mutex(State())

    /// - Parameter password: What is asked for where others than this machine may connect.
    init(password: String?) {
        self.password = password.map(PasswordHash.init)
    }

    var needsPassword: Bool { password != nil }

    /// A session for who has the link; nil for who has not.
    func begin(token: String) -> String? {
        Secret.areEqual(token, self.token) ? begin() : nil
    }

    /// A session for who knows the password.
    func begin(password: String) throws -> String {
        try check(password)
        return begin()
    }

    /// Makes sure that a password is right.
    func check(_ attempt: String?) throws {
        guard let password else { return }
        let isAllowed = state.withLock { state in
            let now = ContinuousClock.now
            state.failures.removeAll { now - $0 > .seconds(60) }
            // Counted before it is tried, so that many at once do not slip through.
            guard state.failures.count < Self.attemptsPerMinute else { return false }
            state.failures.append(now)
            return true
        }
        guard isAllowed else {
            throw Refusal(
                .tooMany,
                "Too many passwords were wrong.",
                recovery: "Try again in a minute."
            )
        }
        guard let attempt, attempt.utf8.count <= 1_024, password.matches(attempt) else {
            throw Refusal(.wrongPassword, "The password is wrong.")
        }
        state.withLock { _ = $0.failures.popLast() }
    }

    private func begin() -> String {
        let name = Secret.make()
        state.withLock { state in
            if state.sessions.count >= Self.limit,
                let oldest = state.sessions.min(by: { $0.value.begun < $1.value.begun })
            {
                state.sessions[oldest.key] = nil
            }
            state.sessions[name] = Session(begun: .now)
        }
        return name
    }

    /// Whether a session was begun.
    func contains(_ name: String) -> Bool {
        // The names are random, so a look-up tells nobody more than that one does not exist.
        state.withLock { $0.sessions[name] != nil }
    }

    // MARK: - Changes

    /// Notes the version of a change that a session made; nothing for a change that came to nothing.
    func note(change: Int64?, of name: String) {
        guard let change else { return }
        state.withLock { $0.sessions[name]?.lastChange = change }
    }

    /// The version of the last change that a session made.
    func lastChange(of name: String) -> Int64? {
        state.withLock { $0.sessions[name]?.lastChange }
    }

    // MARK: - Hidden photos

    /// Lets a session see hidden photos for a while; what to send along from then on.
    func unlock(_ name: String) -> String? {
        let secret = Secret.make()
        return state.withLock { state in
            guard state.sessions[name] != nil else { return nil }
            state.sessions[name]?.unlock = (secret, .now + Self.unlockTime)
            return secret
        }
    }

    /// Ends that.
    func lock(_ name: String) {
        state.withLock { $0.sessions[name]?.unlock = nil }
    }

    /// Whether a session may see hidden photos at the moment.
    func isUnlocked(_ name: String) -> Bool { unlockTimeLeft(name) != nil }

    /// How long a session may see hidden photos yet; nil for one that may not.
    func unlockTimeLeft(_ name: String) -> Duration? {
        state.withLock { state in
            guard let unlock = state.sessions[name]?.unlock else { return nil }
            let left = unlock.until - .now
            return left > .zero ? left : nil
        }
    }

    /// Whether a session may see hidden photos, as its second cookie proves.
    func isUnlocked(_ name: String, secret: String?) -> Bool {
        guard let secret else { return false }
        return state.withLock { state in
            guard let unlock = state.sessions[name]?.unlock, unlock.until > .now else {
                return false
            }
            return Secret.areEqual(secret, unlock.secret)
        }
    }
}
