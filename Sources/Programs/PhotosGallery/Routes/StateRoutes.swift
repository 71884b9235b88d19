internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// The routes for the initial state of the page, and for unlocking hidden photos.
struct StateRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/state") { _, context -> Response in
            if let former = gallery.sessions.takeFormer(of: context.session) {
                gallery.end([former])
            }
            let text = try await Blocking.run { try Self.state(gallery, context).line }
            return .json(text: text)
        }
        router.post("/api/hidden") { request, context -> Response in
            let body = try await request.decoded(Confirmation.self)
            let sessions = gallery.sessions
            var secret = ""
            var age = 0
            if body.unlock {
                try await sessions.check(
                    body.password,
                    of: context.session,
                    from: context.client()
                )
                secret = sessions.unlock(context.session) ?? ""
                age = Int(Sessions.unlockTime.components.seconds)
                var news = JSONObject()
                news.add("unlocked", true)
                news.add("seconds", age)
                gallery.events.send("hidden", news.line, session: context.session)
                Self.endStreamsInTime(context.session, of: gallery)
            } else {
                sessions.lock(context.session)
                Self.endStreams(context.session, of: gallery)
            }
            var object = JSONObject()
            object.add("hiddenUnlocked", body.unlock)
            object.add("hiddenSeconds", body.unlock ? age : nil)
            var response = Response.json(object)
            response.headers.append(
                HTTPField(
                    name: .setCookie,
                    value: "photos-hidden-\(context.port)=\(secret); Max-Age=\(age);"
                        + " \(context.cookieAttributes)"
                )
            )
            if !body.unlock { response.clearBrowserCache() }
            return response
        }
    }

    /// Starts a task that ends a session's event streams with hidden photos when the unlock
    /// expires.
    private static func endStreamsInTime(_ session: String, of gallery: Gallery) {
        Task {
            try await Task.sleep(for: Sessions.unlockTime + .milliseconds(50))
            // The session may have been unlocked again; another task then waits for that to expire.
            if !gallery.sessions.isUnlocked(session) { endStreams(session, of: gallery) }
        }
    }

    /// Notifies a session's windows that hidden photos are locked, and ends the session's event
    /// streams that include hidden photos.
    private static func endStreams(_ session: String, of gallery: Gallery) {
        var news = JSONObject()
        news.add("unlocked", false)
        gallery.events.send("hidden", news.line, session: session)
        gallery.events.endUnlocked(session)
    }

    private struct Confirmation: Decodable, Sendable {
        var unlock: Bool
        var password: String?
    }

    private static func state(_ gallery: Gallery, _ context: GalleryContext) throws -> JSONObject {
        let view = gallery.view(for: context)
        let library = view.library
        var object = JSONObject()
        object.add("contract", 1)
        object.add("version", SoftwareVersion.current)
        object.add("libraryName", library.url.deletingPathExtension().lastPathComponent)
        object.add("viewOnly", context.isViewOnly)
        // View-only sessions receive nothing about this machine.
        let path = library.url.path(percentEncoded: false)
        object.add("libraryPath", context.isViewOnly ? nil : path)
        object.add("readOnly", context.isViewOnly ? nil : try library.readOnlyReason)
        // The page requests this list at the same time; both share one fetch.
        object.add("count", try view.lists.list(.first, duplicates: []).latest.result.count)
        object.add("effects", PhotoAdjustments.Effect.allCases.map(\.rawValue))
        object.add("hiddenUnlocked", context.isUnlocked)
        let left = context.isUnlocked ? gallery.sessions.unlockTimeLeft(context.session) : nil
        object.add("hiddenSeconds", left.map { Int($0.components.seconds) })
        object.add("lan", gallery.options.isOpen)
        object.add("uploadLimit", Imports.fileLimit)
        object.add("chunkSize", Imports.chunkSize)
        return object
    }
}
