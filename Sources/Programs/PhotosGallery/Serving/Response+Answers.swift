internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PhotosJSON

extension Response {
    /// A JSON object.
    static func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        json(text: object.line, status: status)
    }

    /// JSON that is written already.
    static func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// Bytes that a browser may keep while their tag is current.
    ///
    /// Answers 304 where the browser has them.
    static func tagged(
        _ bytes: @autoclosure () -> Data,
        type: String,
        tag: String,
        caching: String,
        for request: Request
    ) -> Response {
        var headers: HTTPFields = [.eTag: tag, .cacheControl: caching]
        if request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = type
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes()))
        )
    }

    /// Makes the browser let go of what it keeps of the gallery, as of pictures that are hidden now.
    ///
    /// Browsers do it where the connection is secure, and on this machine.
    mutating func clearBrowserCache() {
        if let name = HTTPField.Name("Clear-Site-Data") { headers[name] = "\"cache\"" }
    }

    /// An address to go to instead.
    static func seeOther(_ path: String, cookies: [String] = []) -> Response {
        var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
        for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return Response(status: .seeOther, headers: headers)
    }
}

extension Request {
    /// A member of the query, decoded; as it is where its escapes make no text.
    func query(_ name: String) -> String? {
        // Forms write a space as a plus.
        for pair in (uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            guard parts.count == 2 else { return "" }
            let text = parts[1].replacing("+", with: " ")
            return text.removingPercentEncoding ?? String(text)
        }
        return nil
    }

    /// A whole number in the query.
    ///
    /// - Throws: ``RequestError`` when it is something else, or not within the bounds.
    func number(_ name: String, in bounds: ClosedRange<Int>, default standard: Int? = nil) throws
        -> Int
    {
        guard let text = query(name) else {
            if let standard { return standard }
            throw RequestError.badRequest("The address needs \(name)=NUMBER.")
        }
        guard let number = Int(text), bounds.contains(number) else {
            throw RequestError.badRequest(
                "\(name) has to be a number from \(bounds.lowerBound) to \(bounds.upperBound)."
            )
        }
        return number
    }

    /// Refuses a body that does not say that it is JSON.
    func requireJSON() throws {
        guard headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false else {
            throw RequestError.badRequest("The request needs Content-Type: application/json.")
        }
    }

    /// The body as a JSON value.
    func decoded<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        try requireJSON()
        let bytes = try await collected(upTo: 1 << 20)
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(type, from: bytes)
        } catch {
            throw RequestError.badRequest(
                "The request's JSON is not what this address takes: \(error)"
            )
        }
    }

    /// The whole body.
    func collected(upTo limit: Int) async throws -> Data {
        try await refuse(longerThan: limit, "The request has more than \(limit) bytes.")
        do {
            let buffer = try await body.collect(upTo: limit)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw RequestError(.tooLarge, "The request has more than \(limit) bytes.")
        }
    }

    /// Refuses a body that is announced to be longer than `limit` bytes.
    ///
    /// What is not much longer is taken and let go first: a client that asked for the connection's end and
    /// sends all before it listens would wait for as long as the connection may be idle.
    func refuse(longerThan limit: Int, _ message: String) async throws {
        guard let length = headers[.contentLength].flatMap({ Int64($0) }), length > Int64(limit)
        else { return }
        if length <= 32 << 20 { for try await _ in body {} }
        throw RequestError(.tooLarge, message)
    }
}
