package import FoundationEssentials
package import ObjectStorage

/// The parts of a request that its signature covers.
package struct SignableRequest: Sendable {
    package var method: String
    /// The percent-encoded path, as it is sent.
    package var path: String
    /// The names and values of the query parameters, not encoded.
    package var query: [(name: String, value: String)]
    /// The headers to sign, including `Host`.
    package var headers: [(name: String, value: String)]
    /// The SHA-256 of the body in hexadecimal, or `UNSIGNED-PAYLOAD`.
    package var payloadHash: String

    package init(
        method: String,
        path: String,
        query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)],
        payloadHash: String
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.payloadHash = payloadHash
    }

    /// The query as it is sent and signed: encoded, and sorted by encoded names and values.
    package var encodedQuery: String {
        query
            .map { (TextEncoding.percent($0.name), TextEncoding.percent($0.value)) }
            .sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }
            .joined(separator: "&")
    }
}

/// A signer that adds AWS Signature Version 4 to requests as headers, not as query parameters.
///
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
package struct RequestSigner: Sendable {
    private let credentials: S3Credentials
    private let region: String
    private let service: String

    /// Creates a signer; `service` is `s3` except in AWS's test vectors.
    package init(credentials: S3Credentials, region: String, service: String = "s3") {
        self.credentials = credentials
        self.region = region
        self.service = service
    }

    /// Returns the headers to add to a request, including the signature.
    package func headers(
        for request: SignableRequest,
        at date: Date
    ) throws(ObjectStoreError) -> [(name: String, value: String)] {
        var added = [(name: "x-amz-date", value: StoreDate.signing(date))]
        if let token = credentials.sessionToken {
            added.append((name: "x-amz-security-token", value: token))
        }
        var signed = request
        signed.headers += added
        added.append((name: "authorization", value: try authorization(for: signed, at: date)))
        return added
    }

    private func authorization(
        for request: SignableRequest,
        at date: Date
    ) throws(ObjectStoreError) -> String {
        let canonical = Self.canonicalRequest(request)
        let key = try signingKey(at: date)
        let text = try stringToSign(canonical.text, at: date)
        let signature = TextEncoding.hexadecimal(try hmacSHA256(key: key, Array(text.utf8)))
        return "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope(at: date)), "
            + "SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)"
    }

    /// Returns the canonical form of a request, and the names of its signed headers.
    package static func canonicalRequest(
        _ request: SignableRequest
    ) -> (text: String, signedHeaders: String) {
        var values: [String: [String]] = [:]
        for header in request.headers {
            values[header.name.lowercased(), default: []].append(trimmed(header.value))
        }
        let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let lines = names.map { "\($0):\(values[$0, default: []].joined(separator: ","))\n" }
        let signedHeaders = names.joined(separator: ";")
        let text = [
            request.method, request.path, request.encodedQuery, lines.joined(), signedHeaders,
            request.payloadHash,
        ].joined(separator: "\n")
        return (text, signedHeaders)
    }

    /// Returns the text whose HMAC is the signature.
    package func stringToSign(
        _ canonicalRequest: String,
        at date: Date
    ) throws(ObjectStoreError) -> String {
        let hash = TextEncoding.hexadecimal(try sha256(Array(canonicalRequest.utf8)))
        return "AWS4-HMAC-SHA256\n\(StoreDate.signing(date))\n\(scope(at: date))\n\(hash)"
    }

    private func scope(at date: Date) -> String {
        "\(StoreDate.signing(date).prefix(8))/\(region)/\(service)/aws4_request"
    }

    private func signingKey(at date: Date) throws(ObjectStoreError) -> [UInt8] {
        var key = Array("AWS4\(credentials.secretKey)".utf8)
        for part in [
            String(StoreDate.signing(date).prefix(8)), region, service, "aws4_request",
        ] {
            key = try hmacSHA256(key: key, Array(part.utf8))
        }
        return key
    }

    /// Removes spaces at the ends, and replaces runs of inner spaces by one.
    private static func trimmed(_ value: String) -> String {
        value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }
}
