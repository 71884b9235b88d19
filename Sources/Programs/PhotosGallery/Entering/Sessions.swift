internal import Foundation
internal import Synchronization

/// The sessions of browsers.
///
/// For some of them, hidden photos are unlocked for a limited time.
final class Sessions: Sendable {
    /// The time for which hidden photos stay unlocked.
    static let unlockTime = Duration.seconds(600)
    private static let limit = 1_000
    /// The maximum number of own changes that are recorded per session.
    ///
    /// The oldest is forgotten first; undoing it is then like undoing that of another session.
    private static let changeLimit = 1_000

    private struct Session {
        var begun: ContinuousClock.Instant
        let rights: SessionRights
        /// The secret that the page sends with each request, in addition to the cookie.
        let secret = Secret.make()
        /// The keys that the session's page puts in the URLs of images, movies, downloads and event
        /// streams.
        let mediaKeys: [MediaFamily: String]
        /// The identifier of the session in session lists; it grants no access.
        let identifier = String(Secret.make().prefix(16))
        let firstUse = Date.now
        var lastUse = Date.now
        var visitor = Visitor()
        /// The session that the browser had before it signed in again; nil if there is none.
        ///
        /// It ends once the page has this session's secret.
        var former: String?
        var unlock: (secret: String, until: ContinuousClock.Instant)?
        /// The library versions created by changes, undos and redos of this session while hidden
        /// photos were locked.
        var changes: Set<Int64> = []
    }

    private struct State {
        var sessions: [String: Session] = [:]
    }

    private let passwords: PasswordVerifier?
    private let mediaKeys = MediaKeys()
    private let state = Mutex(State())

    /// Creates a store without sessions.
    ///
    /// - Parameters:
    ///   - password: The password for clients that need one; nil if other machines may not connect.
    ///   - viewPassword: The password that grants view-only rights.
    init(password: String?, viewPassword: String? = nil) {
        passwords = password.map { PasswordVerifier($0, forViewing: viewPassword) }
    }

    var needsPassword: Bool { passwords != nil }

    /// Creates a session for a client that sends a correct password.
    ///
    /// The session gets the rights that the password grants.
    func begin(password: String, from client: ClientAddress) async throws -> String {
        begin(rights: try await passwords?.check(password, from: client) ?? .all)
    }

    /// Checks a password that a session has to send again; throws an error if it is wrong.
    func check(_ attempt: String?, of session: String, from client: ClientAddress) async throws {
        try await passwords?.check(attempt, of: session, from: client)
    }

    /// Creates a session for a client that was authenticated by other means.
    func begin(rights: SessionRights = .all) -> String {
        let name = Secret.make()
        var keys: [MediaFamily: String] = [:]
        for family in MediaFamily.allCases { keys[family] = mediaKeys.key(for: family, of: name) }
        let session = Session(begun: .now, rights: rights, mediaKeys: keys)
        state.withLock { state in
            if state.sessions.count >= Self.limit,
                let oldest = state.sessions.min(by: { $0.value.begun < $1.value.begun })
            {
                state.sessions[oldest.key] = nil
            }
            state.sessions[name] = session
        }
        return name
    }

    /// Indicates whether a session exists.
    func contains(_ name: String) -> Bool {
        // Names are random, so the timing of a look-up reveals nothing about other names.
        state.withLock { $0.sessions[name] != nil }
    }

    /// Returns the rights of a session; view-only if the session does not exist.
    func rights(of name: String) -> SessionRights {
        state.withLock { $0.sessions[name]?.rights ?? .viewing }
    }

    // MARK: - The page

    /// Returns the secret that a session's page sends with each request; nil when the session does
    /// not exist.
    func secret(of name: String) -> String? { state.withLock { $0.sessions[name]?.secret } }

    /// Returns the key that a session's page puts in the URLs of a media family.
    func mediaKey(for family: MediaFamily, of name: String) -> String? {
        state.withLock { $0.sessions[name]?.mediaKeys[family] }
    }

    // MARK: - Lists of sessions

    /// A session as it is shown in a list of sessions.
    struct Entry: Sendable {
        let identifier: String
        let firstUse: Date
        let lastUse: Date
        let visitor: Visitor
        let rights: SessionRights
        let isCurrent: Bool
    }

    /// Returns the sessions that the requesting session may see, the most recently used first.
    ///
    /// A view-only session may only list itself.
    func list(for context: GalleryContext) -> [Entry] {
        let name = context.session
        let entries = state.withLock { state in
            state.sessions.filter { !context.isViewOnly || $0.key == name }.map { session in
                Entry(
                    identifier: session.value.identifier,
                    firstUse: session.value.firstUse,
                    lastUse: session.value.lastUse,
                    visitor: session.value.visitor,
                    rights: session.value.rights,
                    isCurrent: session.key == name
                )
            }
        }
        return entries.sorted { ($0.lastUse, $0.identifier) > ($1.lastUse, $1.identifier) }
    }

    /// Records a visitor and the current time as the latest use of a session.
    func use(_ name: String, by visitor: Visitor) {
        state.withLock { state in
            state.sessions[name]?.lastUse = .now
            state.sessions[name]?.visitor = visitor
        }
    }

    /// Returns the name of the session with an identifier; nil if there is none.
    func name(of identifier: String) -> String? {
        state.withLock { $0.sessions.first { $0.value.identifier == identifier }?.key }
    }

    /// Returns the names of all sessions except one.
    func names(except name: String) -> [String] {
        state.withLock { $0.sessions.keys.filter { $0 != name } }
    }

    /// Records the session that a page used before it signed in again.
    func record(former: String, of name: String) {
        state.withLock { $0.sessions[name]?.former = former }
    }

    /// Removes and returns the recorded name of the session that the given session replaced; nil if
    /// none is recorded.
    func takeFormer(of name: String) -> String? {
        state.withLock { state in
            defer { state.sessions[name]?.former = nil }
            return state.sessions[name]?.former
        }
    }

    /// Ends a session; its requests are refused from now on.
    func end(_ name: String) { state.withLock { $0.sessions[name] = nil } }

    // MARK: - Changes

    /// Records the library version that a request's change created, as one of its session's own.
    ///
    /// Has no effect if the version is nil, as it is for a change without effect, or if hidden
    /// photos are unlocked: what a session changed then is not its own after they are locked.
    func record(change: Int64?, for context: GalleryContext) {
        guard let change, !context.isUnlocked else { return }
        let name = context.session
        state.withLock { state in
            state.sessions[name]?.changes.insert(change)
            guard let changes = state.sessions[name]?.changes, changes.count > Self.changeLimit,
                let oldest = changes.min()
            else { return }
            state.sessions[name]?.changes.remove(oldest)
        }
    }

    /// Indicates whether a session created a library version while hidden photos were locked.
    func hasCreated(_ version: Int64, in name: String) -> Bool {
        state.withLock { $0.sessions[name]?.changes.contains(version) ?? false }
    }

    // MARK: - Hidden photos

    /// Unlocks hidden photos for a session for a limited time.
    ///
    /// Returns the secret that the session has to send from now on.
    func unlock(_ name: String) -> String? {
        let secret = Secret.make()
        return state.withLock { state in
            guard state.sessions[name] != nil else { return nil }
            state.sessions[name]?.unlock = (secret, .now + Self.unlockTime)
            return secret
        }
    }

    /// Locks hidden photos for a session.
    func lock(_ name: String) {
        state.withLock { $0.sessions[name]?.unlock = nil }
    }

    /// Indicates whether hidden photos are currently unlocked for a session.
    func isUnlocked(_ name: String) -> Bool { unlockTimeLeft(name) != nil }

    /// Returns the time until hidden photos are locked for a session; nil if they are locked.
    func unlockTimeLeft(_ name: String) -> Duration? {
        state.withLock { state in
            guard let unlock = state.sessions[name]?.unlock else { return nil }
            let left = unlock.until - .now
            return left > .zero ? left : nil
        }
    }

    /// Indicates whether a request may see hidden photos, given its session and the secret in its
    /// `photos-hidden` cookie.
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
