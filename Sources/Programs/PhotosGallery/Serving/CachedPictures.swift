internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Responds to requests for cached images, without the router and its tasks.
///
/// It makes the same checks as ``AccessMiddleware`` and sends the same responses as
/// ``AssetRoutes``. All other requests, including those that must be refused, are left to them.
struct CachedPictures: Sendable {
    let gallery: Gallery
    let logger: Logger
    /// Checks a request, and returns its context; nil if the request is not admitted.
    let admitted: @Sendable (Request, GalleryContext) -> GalleryContext?

    /// A complete response.
    struct Answer {
        let head: HTTPResponseHead
        let bytes: ByteBuffer
    }

    /// Returns the response to a request for a cached image, based only on the request's head; nil
    /// if the router has to handle the request.
    func answer(to head: HTTPRequestHead, at channel: any Channel) -> Answer? {
        guard head.method == .GET, head.version == .http1_1,
            let id = Self.asset(in: head.uri), let request = Self.request(head)
        else { return nil }
        let source = ApplicationRequestContextSource(channel: channel, logger: logger)
        guard let context = admitted(request, GalleryContext(source: source)),
            !context.session.isEmpty,
            let answer = try? AssetRoutes.cachedPicture(id, request, context, gallery)
        else { return nil }
        var fields = HTTPHeaders()
        fields.reserveCapacity(16)
        for field in answer.headers { fields.add(name: field.name.rawName, value: field.value) }
        for field in FieldNames.protection {
            fields.add(name: field.name.rawName, value: field.value)
        }
        if answer.status != .notModified {
            fields.add(name: "Content-Length", value: "\(answer.bytes.readableBytes)")
        }
        fields.add(name: "Date", value: HTTPDate.now)
        let status = HTTPResponseStatus(statusCode: answer.status.code)
        return Answer(
            head: HTTPResponseHead(version: .http1_1, status: status, headers: fields),
            bytes: answer.bytes
        )
    }

    /// Returns the asset's UUID in the URL of an image; nil for other URLs.
    private static func asset(in uri: String) -> String? {
        guard uri.utf8.starts(with: "/api/assets/".utf8),
            let path = uri.bytewiseSplit("?", maxSplits: 1).first
        else { return nil }
        let parts = path.bytewiseSplit("/", omittingEmpty: false)
        guard parts.count == 5, parts[4] == "picture",
            parts[3].utf8.allSatisfy({ $0 != UInt8(ascii: "%") })
        else { return nil }
        return parts[3].uppercased()
    }

    /// Converts a request head; returns nil if a header field requires handling by the router.
    private static func request(_ head: HTTPRequestHead) -> Request? {
        var host: String?
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        for (name, value) in head.headers {
            guard let name = HTTPField.Name(name) else { return nil }
            switch name.canonicalName {
            case "host":
                guard host == nil else { return nil }
                host = value
            case "connection":
                guard value.lowercased() == "keep-alive" else { return nil }
            case "content-length", "transfer-encoding", "expect", "upgrade", "range": return nil
            default: fields.append(HTTPField(name: name, value: value))
            }
        }
        return Request(
            head: HTTPRequest(
                method: .get,
                scheme: nil,
                authority: host,
                path: head.uri,
                headerFields: fields
            ),
            body: RequestBody(buffer: ByteBuffer())
        )
    }
}
