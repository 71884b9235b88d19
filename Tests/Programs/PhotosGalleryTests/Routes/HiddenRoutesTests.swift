import Foundation
import TestSupport
import Testing

/// Every route of the gallery, requested by a locked session, an unlocked one, and that one after
/// it is locked again: no response reveals a hidden photo to a session that may not see it.
@Suite(.timeLimit(.minutes(5))) struct HiddenRoutesTests {
    /// The request at a route.
    private enum Way {
        /// A response that reveals the hidden photo to a session that may see it.
        case tells(String)
        /// A response that never mentions single photos.
        case isSilent(String)
        /// A change, or a part of one: its response to a request for the hidden photo.
        case changes(String, String)
        /// Not a response of the library: the page, the sign-in, or work that other tests cover.
        case isElsewhere
    }

    /// The routes by method and address, as in the sources.
    ///
    /// `ID` stands for the hidden photo, `LIST` for a list that the session received, `HIDDEN` for
    /// one of hidden photos.
    private static let table: [String: Way] = [
        "get /": .isElsewhere, "get /page/**": .isElsewhere, "get /favicon.ico": .isElsewhere,
        "post /login": .isElsewhere, "get /door": .isElsewhere,
        // `SessionsTests` covers these.
        "post /api/session": .isElsewhere, "delete /api/sessions": .isElsewhere,
        "delete /api/sessions/:session": .isElsewhere,
        "get /api/sessions": .isSilent("/api/sessions"),
        // `HiddenPhotosTests` covers events, imports and undo.
        "get /api/events": .isElsewhere, "post /api/imports": .isElsewhere,
        "get /api/imports/:session": .isElsewhere,
        // `ImportReportTests` covers these.
        "get /api/imports/:session/items": .isElsewhere,
        "get /api/imports/:session/report": .isElsewhere,
        "post /api/imports/:session/files": .isElsewhere,
        "put /api/imports/:session/files/:number": .isElsewhere,
        "post /api/imports/:session/finish": .isElsewhere,
        "delete /api/imports/:session": .isElsewhere, "post /api/undo": .isElsewhere,
        "post /api/redo": .isElsewhere, "post /api/hidden": .isElsewhere,

        "get /api/state": .isSilent("/api/state"),
        "get /api/timeline": .isSilent("/api/timeline"),
        "get /api/assets": .tells("/api/assets?snapshot=HIDDEN&offset=0&count=100"),
        "get /api/ids": .tells("/api/ids?snapshot=HIDDEN&from=0&to=100"),
        "get /api/assets/index": .isSilent("/api/assets/index?snapshot=LIST&id=ID"),
        "get /api/assets/:id": .tells("/api/assets/ID"),
        "get /api/assets/:id/burst": .isSilent("/api/assets/ID/burst"),
        "get /api/assets/:id/picture": .isSilent("/api/assets/ID/picture?size=64"),
        "get /api/assets/:id/movie": .isSilent("/api/assets/ID/movie"),
        "delete /api/assets/:id/movie": .changes("/api/assets/ID/movie", ""),
        "get /api/assets/:id/resources/:number": .isSilent("/api/assets/ID/resources/0"),
        "get /api/assets/:id/edit": .isSilent("/api/assets/ID/edit"),
        "put /api/assets/:id/edit": .changes("/api/assets/ID/edit", "{\"exposure\":1}"),
        "delete /api/assets/:id/edit": .changes("/api/assets/ID/edit", ""),
        "get /api/assets/:id/auto": .isSilent("/api/assets/ID/auto"),
        "get /api/assets/:id/preview": .isSilent("/api/assets/ID/preview?size=64"),
        "post /api/changes": .changes(
            "/api/changes",
            "{\"action\":\"favorite\",\"ids\":[\"ID\"],\"value\":true}"
        ),
        "get /api/collections": .isSilent("/api/collections"),
        "get /api/moments": .isSilent("/api/moments"),
        "get /api/duplicates": .isSilent("/api/duplicates"),
        "post /api/duplicates": .changes("/api/duplicates", "{\"action\":\"stop\"}"),
        "get /api/search": .isSilent("/api/search?text=secret"),
        "get /api/search/facets": .isSilent("/api/search/facets"),
        "get /api/imports": .isSilent("/api/imports"),
        "get /api/folders": .isSilent("/api/folders?path=/var"),
        "get /api/access": .isSilent("/api/access"),
        "put /api/access": .changes(
            "/api/access",
            "{\"program\":\"org.example.a\",\"readWrite\":\"limited\",\"ids\":[\"ID\"]}"
        ),
        "get /api/check": .isSilent("/api/check"),
        "post /api/check": .changes("/api/check", "{}"),
        "delete /api/check": .changes("/api/check", ""),
        "get /api/storage": .isSilent("/api/storage"),
        "get /api/renditions": .isSilent("/api/renditions"),
        "post /api/renditions": .changes("/api/renditions", "{\"action\":\"stop\"}"),
    ]

    @Test func everyRouteIsThoughtOf() throws {
        let routes = try GalleryRoutes.all()
        #expect(routes.count > 40)
        #expect(routes == Set(Self.table.keys))
    }

    @Test func noRouteTellsALockedSessionOfHiddenPhotos() throws {
        let world = try GalleryWorld()
        try world.enter()
        let timeline = try world.ask("GET", "/api/timeline")
        let list = try #require(timeline.object["snapshot"] as? String)
        let left = try #require(timeline.object["count"] as? Int) - 1
        let page = try world.ask("GET", "/api/assets?snapshot=\(list)&offset=0&count=1")
        let assets = try #require(page.object["assets"] as? [[String: Any]])
        let id = try #require(assets.first?["id"] as? String)
        let filename = try #require(assets.first?["filename"] as? String)
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set", "--hidden", "true", "--title", "A secret title", id],
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
        let session = try world.enterElsewhere()
        let unlock = try world.change("POST", "/api/hidden", "{\"unlock\":true}", cookie: session)
        let secret = try #require(unlock.headers["set-cookie"]?.split(separator: ";").first)
        let unlocked = session + "; " + secret
        let hidden = try world.ask("GET", "/api/timeline?source=hidden", cookie: unlocked)
        let hiddenList = try #require(hidden.object["snapshot"] as? String)

        func ask(_ route: String, _ way: Way, _ cookie: String) throws -> RawAnswer? {
            func whole(_ text: String) -> String {
                text.replacing("HIDDEN", with: hiddenList).replacing("LIST", with: list)
                    .replacing("ID", with: id)
            }
            switch way {
            case .tells(let path), .isSilent(let path):
                return try world.ask("GET", whole(path), cookie: cookie)
            case .changes(let path, let body):
                let method = String(route.prefix { $0 != " " }).uppercased()
                return try world.change(method, whole(path), whole(body), cookie: cookie)
            case .isElsewhere: return nil
            }
        }
        func expectNothing(_ name: String, _ cookie: String) throws {
            for (route, way) in Self.table.sorted(by: { $0.key < $1.key }) {
                guard let answer = try ask(route, way, cookie) else { continue }
                // If the address itself contains the name, the response may repeat it.
                let isAsked = route.contains(":id") || answer.status >= 400
                #expect(isAsked || !answer.text.contains(id), "\(name): \(route)")
                #expect(!answer.text.contains(filename), "\(name): \(route)")
                #expect(!answer.text.contains("A secret title"), "\(name): \(route)")
                if route.contains(":id") { #expect(answer.status == 404, "\(name): \(route)") }
                if case .tells = way { #expect(answer.status >= 400, "\(name): \(route)") }
            }
            // It is not counted anywhere.
            let state = try world.ask("GET", "/api/state", cookie: cookie).object
            #expect(state["count"] as? Int == left, "\(name)")
            let storage = try world.ask("GET", "/api/storage", cookie: cookie).object
            let counts = try #require(storage["counts"] as? [String: Any])
            #expect(counts["assets"] as? Int == left, "\(name)")
            let sidebar = try world.ask("GET", "/api/collections", cookie: cookie).object
            let mine = try #require(sidebar["hidden"] as? [String: Any])
            #expect(mine["count"] is NSNull, "\(name)")
        }
        try expectNothing("locked", world.cookie)
        for (route, way) in Self.table {
            guard case .tells = way, let answer = try ask(route, way, unlocked) else { continue }
            #expect(answer.text.contains(id), "unlocked: \(route)")
        }
        _ = try world.change("POST", "/api/hidden", "{\"unlock\":false}", cookie: unlocked)
        try expectNothing("locked again", unlocked)
    }
}
