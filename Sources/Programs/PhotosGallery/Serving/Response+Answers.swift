internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PhotosJSON

extension Response {
    /// Responds with a JSON object.
    static func json(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        json(text: object.line, status: status)
    }

    /// Responds with a text that is already encoded as JSON.
    static func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// Responds with bytes that a browser may cache, identified by their entity tag.
    ///
    /// Responds with status 304 if the browser has the current version.
    static func tagged(
        _ bytes: ByteBuffer,
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
            body: ResponseBody(byteBuffer: bytes)
        )
    }

    /// Adds the header that makes a browser clear its cache of the gallery, for example after
    /// photos were hidden.
    ///
    /// Browsers only do this over secure connections and for servers on the same machine.
    mutating func clearBrowserCache() {
        if let name = HTTPField.Name("Clear-Site-Data") { headers[name] = "\"cache\"" }
    }

    /// Redirects the browser to another path with status 303.
    static func seeOther(_ path: String, cookies: [String] = []) -> Response {
        var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
        for cookie in cookies { headers.append(HTTPField(name: .setCookie, value: cookie)) }
        return Response(status: .seeOther, headers: headers)
    }
}

extension Request {
    /// Returns a parameter of the query with its escapes decoded; nil if it is missing.
    ///
    /// If the escapes are not valid text, the parameter is returned undecoded.
    func query(_ name: String) -> String? {
        var rest = Substring(uri.query ?? "").utf8
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let pair = rest[..<end]
            rest = rest[end...].dropFirst()
            guard pair.starts(with: name.utf8) else { continue }
            let mark = pair.dropFirst(name.utf8.count)
            if mark.isEmpty { return "" }
            guard mark.first == UInt8(ascii: "=") else { continue }
            let value = Substring(mark.dropFirst())
            // Most values need no decoding, which costs more than all the rest.
            let isEncoded = value.utf8.contains {
                $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%")
            }
            guard isEncoded else { return String(value) }
            // Forms encode a space as a plus sign.
            let text = value.replacing("+", with: " ")
            return text.removingPercentEncoding ?? String(text)
        }
        return nil
    }

    /// Returns an integer parameter of the query.
    ///
    /// - Throws: ``RequestError`` when it is missing without a default, not an integer, or out of
    ///   bounds.
    func number(_ name: String, in bounds: ClosedRange<Int>, default standard: Int? = nil) throws
        -> Int
    {
        guard let text = query(name) else {
            if let standard { return standard }
            throw RequestError.badRequest("The address requires \(name)=NUMBER.")
        }
        guard let number = Int(text), bounds.contains(number) else {
            throw RequestError.badRequest(
                "\(name) must be a number from \(bounds.lowerBound) to \(bounds.upperBound)."
            )
        }
        return number
    }

    /// Throws an error unless the request declares a JSON body.
    func requireJSON() throws {
        guard headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false else {
            throw RequestError.badRequest("The request requires Content-Type: application/json.")
        }
    }

    /// Decodes the JSON body of the request.
    func decoded<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        try requireJSON()
        let bytes = try await collected(upTo: 1 << 20)
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(type, from: bytes)
        } catch {
            throw RequestError.badRequest(
                "The request's JSON is not valid for this address: \(error)"
            )
        }
    }

    /// Receives the whole body of the request.
    func collected(upTo limit: Int) async throws -> Data {
        try await refuse(longerThan: limit, "The request exceeds \(limit) bytes.")
        do {
            let buffer = try await body.collect(upTo: limit)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw RequestError(.tooLarge, "The request exceeds \(limit) bytes.")
        }
    }

    /// Throws an error if the declared length of the body exceeds `limit` bytes.
    ///
    /// A body of up to 32 MB is received and discarded first. A client that asked to close the
    /// connection and sends everything before it reads would otherwise wait until the connection's
    /// idle timeout.
    func refuse(longerThan limit: Int, _ message: String) async throws {
        guard let length = headers[.contentLength].flatMap({ Int64($0) }), length > Int64(limit)
        else { return }
        if length <= 32 << 20 { for try await _ in body {} }
        throw RequestError(.tooLarge, message)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Splits text at an ASCII character by comparing bytes.
    ///
    /// This is how browsers write URLs and header fields. Splitting by characters would search for
    /// grapheme clusters, which takes longer and gives a different result if a combining mark
    /// follows a separator.
    func bytewiseSplit(
        _ separator: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmpty: Bool = true
    ) -> [Substring] {
        let byte = UInt8(ascii: separator)
        return Substring(self).utf8.split(
            separator: byte,
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmpty
        ).map { Substring($0) }
    }
}
