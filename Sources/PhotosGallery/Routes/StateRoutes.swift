internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Photos
internal import PhotosJSON
internal import PhotosManagement

/// What the page asks first, and the confirmation for hidden photos.
struct StateRoutes {
    private let gallery: Gallery

    init(_ gallery: Gallery) {
        self.gallery = gallery
    }

    func add(to router: Router<GalleryContext>) {
        let gallery = gallery
        router.get("/api/state") { _, context -> Response in
            let isUnlocked = context.isUnlocked
            let text = try await Blocking.run { try Self.state(gallery, isUnlocked).line }
            return .json(text: text)
        }
        router.post("/api/hidden") { request, context -> Response in
            let body = try await request.decoded(Confirmation.self)
            let (sessions, port) = (gallery.sessions, context.port)
            var object = JSONObject()
            object.add("hiddenUnlocked", body.unlock)
            var response = Response.json(object)
            let secret: String
            let age: Int
            if body.unlock {
                try await Blocking.run { try sessions.check(body.password) }
                secret = sessions.unlock(context.session) ?? ""
                age = Int(Sessions.unlockTime.components.seconds)
            } else {
                sessions.lock(context.session)
                (secret, age) = ("", 0)
            }
            response.headers.append(
                HTTPField(
                    name: .setCookie,
                    value: "photos-hidden-\(port)=\(secret); Path=/; Max-Age=\(age);"
                        + " HttpOnly; SameSite=Strict"
                )
            )
            return response
        }
    }

    private struct Confirmation: Decodable, Sendable {
        var unlock: Bool
        var password: String?
    }

    private static func state(_ gallery: Gallery, _ isUnlocked: Bool) throws -> JSONObject {
        let library = gallery.library
        var object = JSONObject()
        object.add("contract", 1)
        object.add("libraryName", library.url.deletingPathExtension().lastPathComponent)
        object.add("libraryPath", library.url.path(percentEncoded: false))
        object.add("readOnly", try library.readOnlyReason)
        object.add("count", try library.fetchAssets(with: nil).count)
        object.add("effects", PhotoAdjustments.Effect.allCases.map(\.rawValue))
        object.add("hiddenUnlocked", isUnlocked)
        object.add("lan", gallery.options.isOpenToNetwork)
        object.add("uploadLimit", Imports.fileLimit)
        object.add("chunkSize", Imports.chunkSize)
        return object
    }
}
