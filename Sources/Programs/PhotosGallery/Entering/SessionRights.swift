internal import HTTPTypes
internal import PhotosManagement

/// What a session may do.
enum SessionRights: Sendable {
    /// What the library's owner can do.
    case all
    /// Looking at photos that are neither hidden nor deleted, and downloading their files.
    case viewing

    /// Whether a request is within these rights.
    ///
    /// A route that is not listed here is closed to sessions that only view, so that a new one is closed until
    /// somebody thought of it.
    func allow(_ method: HTTPRequest.Method, _ path: [Substring]) -> Bool {
        guard self == .viewing, !PageProof.isStatic(path) else { return true }
        let method = method == .head ? "GET" : method.rawValue
        return Self.forViewing.contains { route in
            route.first == method[...] && route.count == path.count + 1
                && zip(route.dropFirst(), path).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    /// The requests of sessions that only view, as method and parts of the path; `*` stands for a name.
    private static let forViewing: [[Substring]] = [
        // The way in, and out: each session may end itself alone.
        "POST /login", "POST /api/session", "GET /api/sessions", "DELETE /api/sessions/*",
        "GET /api/state", "GET /api/events", "GET /api/collections", "GET /api/moments",
        "GET /api/search", "GET /api/search/facets", "GET /api/timeline", "GET /api/assets",
        "GET /api/assets/index", "GET /api/ids", "GET /api/assets/*", "GET /api/assets/*/burst",
        "GET /api/assets/*/picture", "GET /api/assets/*/resources/*", "GET /api/assets/*/movie",
        // Ends the wait of the session itself, and the conversion once nobody waits.
        "DELETE /api/assets/*/movie",
    ].map { $0.split { $0 == " " || $0 == "/" } }
}

extension RequestError {
    /// The answer to what a session that only views may not do.
    static let viewOnly = RequestError(
        .viewOnly,
        "This browser was let in to view only.",
        recovery:
            "To change anything, sign out in the settings, and sign in with the other password."
    )
}

extension GalleryContext {
    /// Whether the session only views.
    var isViewOnly: Bool { rights == .viewing }

    /// Makes sure that the session may see the assets of a list.
    func requireAccess(to query: ListQuery) throws {
        guard isViewOnly else { return }
        switch query.source {
        case .library, .favorites, .recents, .album, .importDay, .burst: return
        case .hidden, .deleted, .duplicates: throw RequestError.viewOnly
        }
    }
}

extension Gallery {
    /// An asset that a session may see, by its UUID.
    func asset(_ uuid: String, for context: GalleryContext) throws -> AssetMemory.Known {
        let known = try view(for: context).assets.find(uuid)
        guard !context.isViewOnly || known.facts.trashedDate == nil else {
            throw AssetMemory.missing(uuid)
        }
        return known
    }
}
