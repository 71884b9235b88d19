internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What is known of a request besides what it says itself.
struct GalleryContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The origin of the request, set by ``AccessMiddleware``.
    var arrival: Arrival?
    /// The session, once the request was let in.
    var session = ""
    /// What the session may do.
    var rights = SessionRights.all
    /// Whether the session may see hidden photos.
    var isUnlocked = false

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The port that the request came to.
    var port: Int { channel.localAddress?.port ?? 0 }

    /// The client, as limits count it.
    func client() throws -> ClientAddress {
        guard let arrival else { throw RequestError(.noSession, "The client is not known.") }
        return arrival.client
    }

    /// What cookies say besides their values.
    var cookieAttributes: String {
        "Path=/; HttpOnly; SameSite=Strict" + (arrival?.isSecure ?? false ? "; Secure" : "")
    }

    /// A part of the path.
    func path(_ name: String) throws -> String {
        guard let text = parameters.get(name)?.removingPercentEncoding else {
            throw RequestError.notFound("There is nothing at this address.")
        }
        return text
    }
}
