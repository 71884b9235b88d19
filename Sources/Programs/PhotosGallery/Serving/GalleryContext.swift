internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The server's context of a request.
struct GalleryContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The client and the address of the request, set by ``AccessMiddleware``.
    var arrival: Arrival?
    /// The name of the session; empty until the request is authenticated.
    var session = ""
    /// The rights of the request's session.
    var rights = SessionRights.all
    /// `true` if the session may see hidden photos.
    var isUnlocked = false

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The port on which the request arrived; 0 for a Unix socket.
    var port: Int { channel.localAddress?.port ?? 0 }

    /// Returns the client whose rate limits apply to the request.
    func client() throws -> ClientAddress {
        guard let arrival else { throw RequestError(.noSession, "The client is unknown.") }
        return arrival.client
    }

    /// The attributes of the cookies that a response sets.
    var cookieAttributes: String {
        "Path=/; HttpOnly; SameSite=Strict" + (arrival?.isSecure ?? false ? "; Secure" : "")
    }

    /// Returns a parameter of the route's path, with percent escapes decoded.
    func path(_ name: String) throws -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding else {
            throw RequestError.notFound("This address does not exist.")
        }
        return text
    }
}
