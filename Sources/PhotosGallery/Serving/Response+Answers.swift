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

    /// An address to go to instead.
    static func seeOther(_ path: String, cookies: [String] = []) -> Response {
        var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
        for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return Response(status: .seeOther, headers: headers)
    }
}

extension Request {
    /// A member of the query, decoded.
    func query(_ name: String) -> String? {
        // Forms write a space as a plus.
        for pair in (uri.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            guard parts.count == 2 else { return "" }
            return parts[1].replacing("+", with: " ").removingPercentEncoding
        }
        return nil
    }

    /// A whole number in the query.
    ///
    /// - Throws: ``Refusal`` when it is something else, or not within the bounds.
    func number(_ name: String, in bounds: ClosedRange<Int>, default standard: Int? = nil) throws
        -> Int
    {
        guard let text = query(name) else {
            if let standard { return standard }
            throw Refusal.badRequest("The address needs \(name)=NUMBER.")
        }
        guard let number = Int(text), bounds.contains(number) else {
            throw Refusal.badRequest(
                "\(name) has to be a number from \(bounds.lowerBound) to \(bounds.upperBound)."
            )
        }
        return number
    }

    /// The body as a JSON value.
    func decoded<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        let isJSON = headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false
        guard isJSON else {
            throw Refusal.badRequest("The request needs Content-Type: application/json.")
        }
        let bytes = try await collected(upTo: 1 << 20)
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(type, from: bytes)
        } catch {
            throw Refusal.badRequest("The request's JSON is not what this address takes: \(error)")
        }
    }

    /// The whole body.
    func collected(upTo limit: Int) async throws -> Data {
        if let length = headers[.contentLength].flatMap({ Int64($0) }), length > Int64(limit) {
            throw Refusal(.tooLarge, "The request has more than \(limit) bytes.")
        }
        do {
            let buffer = try await body.collect(upTo: limit)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Refusal(.tooLarge, "The request has more than \(limit) bytes.")
        }
    }
}
