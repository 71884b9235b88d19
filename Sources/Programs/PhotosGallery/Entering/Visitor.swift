internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The client that uses a session, as described by the client's requests.
struct Visitor: Sendable, Equatable {
    /// The address of the client if it is on another machine; nil for this machine.
    var address: String?
    private var agent = ""

    init() {}

    /// Describes the client of a request or, for a request through a proxy, the client that the
    /// proxy reports.
    init(_ request: Request, _ context: GalleryContext) {
        address = context.arrival.flatMap { arrival in
            arrival.client.isOfThisMachine ? nil : arrival.client.description
        }
        agent = String((request.headers[.userAgent] ?? "").unicodeScalars.prefix(400))
    }

    // In order of precedence: browsers also name those listed after them here.
    private static let browsers = [
        (mark: "Edg", name: "Edge"), (mark: "OPR/", name: "Opera"),
        (mark: "SamsungBrowser/", name: "Samsung Internet"), (mark: "Firefox/", name: "Firefox"),
        (mark: "FxiOS/", name: "Firefox"), (mark: "CriOS/", name: "Chrome"),
        (mark: "Chrome/", name: "Chrome"), (mark: "Safari/", name: "Safari"),
    ]

    private static let systems = [
        (mark: "Android", name: "Android"), (mark: "iPhone", name: "iPhone"),
        (mark: "iPad", name: "iPad"), (mark: "Windows", name: "Windows"),
        (mark: "CrOS", name: "ChromeOS"), (mark: "Mac OS X", name: "macOS"),
        (mark: "Linux", name: "Linux"),
    ]

    /// The name of the browser.
    ///
    /// For other programs, it is the first word of the user agent; it is empty without a user
    /// agent.
    var browser: String {
        if let known = Self.browsers.first(where: { agent.contains($0.mark) }) { return known.name }
        return String(agent.prefix { $0 != "/" && $0 != " " }.prefix(40))
    }

    /// The name of the operating system; empty if the user agent does not name a known one.
    var system: String { Self.systems.first { agent.contains($0.mark) }?.name ?? "" }
}
