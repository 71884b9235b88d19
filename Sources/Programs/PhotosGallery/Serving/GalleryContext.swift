internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The context of a request, as determined by the server.
struct GalleryContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The origin of the request, set by ``AccessMiddleware``.
    var arrival: Arrival?
    /// The session; empty until the request is authenticated.
    var session = ""
    /// The rights of the session.
    var rights = SessionRights.all
    /// `true` if the session may see hidden photos.
    var isUnlocked = false

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The port that received the request; 0 for a Unix socket.
    var port: Int { channel.localAddress?.port ?? 0 }

    /// Returns the client that rate limits count the request against.
    func client() throws -> ClientAddress {
        guard let arrival else { throw RequestError(.noSession, "The client is unknown.") }
        return arrival.client
    }

    /// The attributes of cookies.
    var cookieAttributes: String {
        "Path=/; HttpOnly; SameSite=Strict" + (arrival?.isSecure ?? false ? "; Secure" : "")
    }

    /// Returns a decoded parameter of the path.
    func path(_ name: String) throws -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding else {
            throw RequestError.notFound("This address does not exist.")
        }
        return text
    }
}
