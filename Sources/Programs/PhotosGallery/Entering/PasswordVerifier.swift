internal import Dispatch
internal import Logging
internal import Synchronization

/// Checks passwords one at a time, and limits the number of wrong passwords per client.
///
/// Clients with a session have separate limits and a separate queue, so that a browser with a
/// session can unlock hidden photos during an attack from outside.
final class PasswordVerifier: Sendable {
    private let password: PasswordHash
    private let viewing: PasswordHash?
    private let strangers = PasswordQueue<ClientAddress>(label: "photos.gallery.passwords")
    private let sessions = PasswordQueue<String>(label: "photos.gallery.passwords.sessions")
    private let logger: Logger

    init(_ password: String, forViewing viewing: String? = nil) {
        self.password = PasswordHash(password)
        self.viewing = viewing.map(PasswordHash.init)
        logger = Logger(label: "photos.gallery")
    }

    /// Returns the rights that a password grants to a client without a session.
    ///
    /// - Throws: ``RequestError`` when the password is wrong, or the client sent too many wrong
    ///   ones.
    func check(_ attempt: String?, from client: ClientAddress) async throws -> SessionRights {
        let (password, viewing) = (password, viewing)
        return try await check(attempt, in: strangers, as: client.network, from: client) {
            password.matches($0) ? .all : viewing?.matches($0) == true ? .viewing : nil
        }
    }

    /// Checks the password that a browser with a session sends; throws an error if it is wrong.
    func check(_ attempt: String?, of session: String, from client: ClientAddress) async throws {
        let password = password
        try await check(attempt, in: sessions, as: session, from: client) {
            password.matches($0) ? () : nil
        }
    }

    private func check<Client, Value: Sendable>(
        _ attempt: String?,
        in queue: PasswordQueue<Client>,
        as key: Client,
        from client: ClientAddress,
        _ opened: @escaping @Sendable (String) -> Value?
    ) async throws -> Value {
        let answer = await queue.attempt(key) { () -> Value? in
            guard let attempt, attempt.utf8.count <= 1_024 else { return nil }
            return opened(attempt)
        }
        switch answer {
        case .right(let value): return value
        case .wrong(let count):
            logger.warning(
                "The gallery received a wrong password.",
                metadata: [
                    "client.address": "\(client)", "client.attempts": "\(count)",
                ]
            )
            throw RequestError(.wrongPassword, "The password is wrong.")
        case .tooMany:
            throw RequestError(
                .tooMany,
                "Too many wrong passwords were entered.",
                recovery: "Try again in a minute."
            )
        }
    }
}

/// Checks the passwords of one kind of client, one at a time.
///
/// Each check takes 32 MB of memory.
final class PasswordQueue<Client: Hashable & Sendable>: Sendable {
    /// The result of an attempt.
    enum Answer<Value: Sendable>: Sendable {
        /// The password is correct; the associated value is the result of the check, such as the
        /// granted rights.
        case right(Value)
        /// The password is wrong; the associated value is the number of attempts within a minute,
        /// including this one.
        case wrong(Int)
        case tooMany
    }

    private struct State {
        var limits = PasswordLimits<Client>()
        var waiting = 0
    }

    /// The maximum number of attempts that are waiting to be checked, over all clients.
    private static var room: Int { 64 }

    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Checks a password, unless the client sent too many wrong ones or too many attempts are
    /// waiting.
    func attempt<Value: Sendable>(
        _ client: Client,
        _ opened: @escaping @Sendable () -> Value?
    ) async -> Answer<Value> {
        let mayTry = state.withLock { state in
            guard state.waiting < Self.room, state.limits.begin(client, at: .now) else {
                return false
            }
            state.waiting += 1
            return true
        }
        guard mayTry else { return .tooMany }
        let value = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: opened()) }
        }
        return state.withLock { state in
            state.waiting -= 1
            guard let value else {
                return .wrong(state.limits.count(of: client, at: .now))
            }
            state.limits.succeed(client)
            return .right(value)
        }
    }
}
