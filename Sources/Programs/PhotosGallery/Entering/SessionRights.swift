internal import HTTPTypes
internal import PhotosManagement

/// The rights of a session.
enum SessionRights: Sendable {
    /// All rights of the library's owner.
    case all
    /// The right to view photos that are neither hidden nor deleted, and to download their files.
    case viewing

    /// Indicates whether the rights permit a request.
    ///
    /// View-only sessions may use only the routes in an allowlist, so a new route is closed to them
    /// by default.
    func allow(_ method: HTTPRequest.Method, _ path: [Substring]) -> Bool {
        guard self == .viewing, !PageProof.isStatic(path) else { return true }
        let method = method == .head ? "GET" : method.rawValue
        return Self.forViewing.contains { route in
            route.first == method[...] && route.count == path.count + 1
                && zip(route.dropFirst(), path).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }

    /// The routes that view-only sessions may use.
    ///
    /// Each entry is the method, followed by the components of the path, of which `*` matches any.
    private static let forViewing: [[Substring]] = [
        // Signing in and out; a view-only session can end only itself.
        "POST /login", "POST /api/session", "GET /api/sessions", "DELETE /api/sessions/*",
        "GET /api/state", "GET /api/events", "GET /api/collections", "GET /api/moments",
        "GET /api/search", "GET /api/search/facets", "GET /api/timeline", "GET /api/assets",
        "GET /api/assets/index", "GET /api/ids", "GET /api/assets/*", "GET /api/assets/*/burst",
        "GET /api/assets/*/picture", "GET /api/assets/*/resources/*", "GET /api/assets/*/movie",
        // Ends this session's wait, and the conversion once no session waits.
        "DELETE /api/assets/*/movie",
    ].map { $0.split { $0 == " " || $0 == "/" } }
}

extension RequestError {
    /// The error for requests that are not permitted in view-only sessions.
    static let viewOnly = RequestError(
        .viewOnly,
        "This browser can only view photos.",
        recovery:
            "To make changes, sign out in the settings, then sign in with the other password."
    )
}

extension GalleryContext {
    /// `true` if the session is view-only.
    var isViewOnly: Bool { rights == .viewing }

    /// Throws an error unless the session may see the assets of a list.
    func requireAccess(to query: ListQuery) throws {
        guard isViewOnly else { return }
        switch query.source {
        case .library, .favorites, .recents, .album, .importDay, .burst: return
        case .hidden, .deleted, .duplicates: throw RequestError.viewOnly
        }
    }
}

extension Gallery {
    /// Returns an asset by its UUID; throws an error if the session may not see it.
    func asset(_ uuid: String, for context: GalleryContext) throws -> AssetMemory.Known {
        try checked(view(for: context).assets.find(uuid), for: context)
    }

    /// Returns an asset from the cache; nil if the asset is not cached.
    ///
    /// Throws an error if the session may not see the asset.
    func cachedAsset(_ uuid: String, for context: GalleryContext) throws -> AssetMemory.Known? {
        try view(for: context).assets.cached(uuid).map { try checked($0, for: context) }
    }

    /// Returns an asset as it is after its request waited, such as for a download; throws an error
    /// if the session may no longer see the asset.
    ///
    /// The asset may have been hidden meanwhile, or hidden photos locked for the session.
    func asset(
        again known: AssetMemory.Known,
        for context: GalleryContext
    ) throws -> AssetMemory.Known {
        var context = context
        context.isUnlocked = context.isUnlocked && sessions.isUnlocked(context.session)
        return try asset(known.asset.bareIdentifier, for: context)
    }

    private func checked(
        _ known: AssetMemory.Known,
        for context: GalleryContext
    ) throws -> AssetMemory.Known {
        guard !context.isViewOnly || known.facts.trashedDate == nil else {
            throw AssetMemory.missing(known.asset.bareIdentifier)
        }
        return known
    }
}
