internal import Dispatch
internal import Logging
internal import Synchronization

/// Tries passwords, one after the other, and limits how many wrong ones each client may send.
///
/// Sessions have limits and a queue of their own: whatever comes from outside, a browser that was let in
/// can unlock hidden photos.
final class PasswordDesk: Sendable {
    private let password: PasswordHash
    private let strangers = PasswordQueue<ClientAddress>(label: "photos.gallery.passwords")
    private let sessions = PasswordQueue<String>(label: "photos.gallery.passwords.sessions")
    private let logger: Logger

    init(_ password: String) {
        self.password = PasswordHash(password)
        var logger = Logger(label: "photos.gallery")
        logger.logLevel = .warning
        self.logger = logger
    }

    /// Makes sure that the password of somebody who wants to come in is right.
    func check(_ attempt: String?, from client: ClientAddress) async throws {
        try await check(attempt, in: strangers, as: client.network, from: client)
    }

    /// Makes sure that the password of a browser that was let in is right.
    func check(_ attempt: String?, of session: String, from client: ClientAddress) async throws {
        try await check(attempt, in: sessions, as: session, from: client)
    }

    private func check<Client>(
        _ attempt: String?,
        in queue: PasswordQueue<Client>,
        as key: Client,
        from client: ClientAddress
    ) async throws {
        let password = password
        let answer = await queue.attempt(key) {
            guard let attempt, attempt.utf8.count <= 1_024 else { return false }
            return password.matches(attempt)
        }
        switch answer {
        case .right: return
        case .wrong(let count):
            logger.warning(
                "The gallery was sent a wrong password.",
                metadata: [
                    "client.address": "\(client)", "client.attempts": "\(count)",
                ]
            )
            throw Refusal(.wrongPassword, "The password is wrong.")
        case .tooMany:
            throw Refusal(
                .tooMany,
                "Too many passwords were wrong.",
                recovery: "Try again in a minute."
            )
        }
    }
}

/// Passwords of one kind of clients, tried one at a time: each takes 32 MB while it is.
final class PasswordQueue<Client: Hashable & Sendable>: Sendable {
    /// What became of an attempt.
    enum Answer: Equatable {
        case right
        /// The number of wrong ones within a minute, this one included.
        case wrong(Int)
        case tooMany
    }

    private struct State {
        var limits = PasswordLimits<Client>()
        var waiting = 0
    }

    /// Attempts of all clients that may wait, some three seconds' work.
    private static var room: Int { 64 }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Tries a password unless its client sent too many wrong ones.
    func attempt(_ client: Client, _ isRight: @escaping @Sendable () -> Bool) async -> Answer {
        let mayTry = state.withLock { state in
            guard state.waiting < Self.room, state.limits.begin(client, at: .now) else {
                return false
            }
            state.waiting += 1
            return true
        }
        guard mayTry else { return .tooMany }
        let right = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: isRight()) }
        }
        return state.withLock { state in
            state.waiting -= 1
            guard !right else {
                state.limits.succeed(client)
                return .right
            }
            return .wrong(state.limits.count(of: client, at: .now))
        }
    }
}
