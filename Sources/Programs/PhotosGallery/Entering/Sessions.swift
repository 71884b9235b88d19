internal import Foundation
internal import Synchronization

/// The browsers that were let in, and which of them may see hidden photos at the moment.
final class Sessions: Sendable {
    /// How long hidden photos stay unlocked.
    static let unlockTime = Duration.seconds(600)
    private static let limit = 1_000

    private struct Session {
        var begun: ContinuousClock.Instant
        let rights: SessionRights
        /// What the page sends with each request, besides the cookie.
        let secret = Secret.make()
        /// What it has in the addresses of pictures, movies, downloads and event streams.
        let mediaKeys: [MediaFamily: String]
        /// What the session is called in lists; opens nothing.
        let identifier = String(Secret.make().prefix(16))
        let firstUse = Date.now
        var lastUse = Date.now
        var visitor = Visitor()
        /// The session that the same page had before; it ends once the page has this one's secret.
        var former: String?
        var unlock: (secret: String, until: ContinuousClock.Instant)?
        /// The version of the last change that the session made; nil before any.
        var lastChange: Int64?
    }

    private struct State {
        var sessions: [String: Session] = [:]
    }

    private let passwords: PasswordVerifier?
    private let mediaKeys = MediaKeys()
    private let state = Mutex(State())

    /// Begins without any.
    ///
    /// - Parameters:
    ///   - password: What is asked for where others than this machine may connect.
    ///   - viewPassword: What lets them in to view only.
    init(password: String?, viewPassword: String? = nil) {
        passwords = password.map { PasswordVerifier($0, forViewing: viewPassword) }
    }

    var needsPassword: Bool { passwords != nil }

    /// A session for who knows a password, with its rights.
    func begin(password: String, from client: ClientAddress) async throws -> String {
        begin(rights: try await passwords?.check(password, from: client) ?? .all)
    }

    /// Makes sure that a password is right that a session was asked for again.
    func check(_ attempt: String?, of session: String, from client: ClientAddress) async throws {
        try await passwords?.check(attempt, of: session, from: client)
    }

    /// A session for who was let in by other means.
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

    /// Whether a session was begun.
    func contains(_ name: String) -> Bool {
        // The names are random, so a look-up tells nobody more than that one does not exist.
        state.withLock { $0.sessions[name] != nil }
    }

    /// What a session may do.
    func rights(of name: String) -> SessionRights {
        state.withLock { $0.sessions[name]?.rights ?? .viewing }
    }

    // MARK: - The page

    /// What the page of a session sends with each request; nil where there is no such session.
    func secret(of name: String) -> String? { state.withLock { $0.sessions[name]?.secret } }

    /// What the page of a session has in addresses of a family.
    func mediaKey(for family: MediaFamily, of name: String) -> String? {
        state.withLock { $0.sessions[name]?.mediaKeys[family] }
    }

    // MARK: - Lists of sessions

    /// A session as lists show it.
    struct Entry: Sendable {
        let identifier: String
        let firstUse: Date
        let lastUse: Date
        let visitor: Visitor
        let rights: SessionRights
        let isCurrent: Bool
    }

    /// The sessions that one is shown, the one used last first: all, or itself where it only views.
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

    /// Notes that a session was used, and by whom.
    func use(_ name: String, by visitor: Visitor) {
        state.withLock { state in
            state.sessions[name]?.lastUse = .now
            state.sessions[name]?.visitor = visitor
        }
    }

    /// The session that a list calls so.
    func name(of identifier: String) -> String? {
        state.withLock { $0.sessions.first { $0.value.identifier == identifier }?.key }
    }

    /// All sessions but one.
    func names(except name: String) -> [String] {
        state.withLock { $0.sessions.keys.filter { $0 != name } }
    }

    /// Notes which session a page had before it came in anew.
    func record(former: String, of name: String) {
        state.withLock { $0.sessions[name]?.former = former }
    }

    /// The session that the page of this one had before; nil the next time.
    func takeFormer(of name: String) -> String? {
        state.withLock { state in
            defer { state.sessions[name]?.former = nil }
            return state.sessions[name]?.former
        }
    }

    /// Forgets a session: nothing is answered to it from now on.
    func end(_ name: String) { state.withLock { $0.sessions[name] = nil } }

    // MARK: - Changes

    /// Notes the version of a change that a session made; nothing for a change that came to nothing.
    func record(change: Int64?, of name: String) {
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
