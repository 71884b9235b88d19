internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import ObjectStorage
internal import Synchronization

/// A connection that sends signed requests and reads their answers, without retries.
///
/// Redirects are not followed, since the request was meant for the original host only. Answers are
/// never decompressed, and proxies that environment variables name are ignored.
final class S3Connection: Sendable {
    let configuration: S3Configuration
    let place: String
    private let client: HTTPClient
    private let signer: RequestSigner
    /// The number of seconds by which the store's clock is ahead of this computer's.
    ///
    /// It is 0 until the store rejects the date of a signature.
    private let clockOffset = Mutex(0.0)

    /// The maximum size in bytes of an answer that reports a failure.
    private static let failureLimit = 64 << 10

    init(_ configuration: S3Configuration) throws(ObjectStoreError) {
        self.configuration = configuration
        place = "s3://\(configuration.bucket)/\(configuration.prefix) at \(configuration.endpoint)"
        signer = RequestSigner(credentials: configuration.credentials, region: configuration.region)
        var http = HTTPClient.Configuration()
        http.redirectConfiguration = .disallow
        http.decompression = .disabled
        http.httpVersion = .http1Only
        http.timeout = .init(
            connect: TimeAmount(configuration.connectTimeout),
            read: TimeAmount(configuration.idleTimeout),
            write: TimeAmount(configuration.idleTimeout)
        )
        // Our own policy repeats; the client's would hide why no connection is made.
        http.connectionPool.retryConnectionEstablishment = false
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = configuration.authorityFile {
            do {
                _ = try NIOSSLCertificate.fromPEMFile(file)
            } catch {
                throw ObjectStoreError(
                    .invalidConfiguration,
                    "The certificates in \(file) cannot be read.",
                    reason: "\(error)",
                    recovery: "Use a PEM file with the certificates of the authorities.",
                    cause: error
                )
            }
            tls.trustRoots = .file(file)
        }
        http.tlsConfiguration = tls
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: http)
    }

    func close() async {
        // Fails only if it is closed already.
        try? await client.shutdown()
    }

    /// Sends a request and passes a successful answer to `read`.
    ///
    /// If the store rejects the date of the signature, the clock is corrected by the answer's
    /// `Date` header and the request is sent once more.
    func send<Value: Sendable>(
        _ request: S3Request,
        deadline: CallDeadline,
        _ read: @escaping @Sendable (S3Answer) async throws -> Value
    ) async throws(ObjectStoreError) -> Value {
        do {
            return try await attempt(request, deadline: deadline, read)
        } catch {
            guard error.code == .clockSkew, let date = error.serverDate else { throw error }
            let offset = date.timeIntervalSince(configuration.clock.date())
            clockOffset.withLock { $0 = offset }
            return try await attempt(request, deadline: deadline, read)
        }
    }

    private func attempt<Value: Sendable>(
        _ request: S3Request,
        deadline: CallDeadline,
        _ read: @escaping @Sendable (S3Answer) async throws -> Value
    ) async throws(ObjectStoreError) -> Value {
        let message = try signed(request)
        do {
            return try await deadline.run("\(request.action) in \(place)") { [self] in
                let response = try await client.execute(
                    message,
                    deadline: .now() + TimeAmount(deadline.remaining)
                )
                let answer = S3Answer(response)
                guard 200..<300 ~= response.status.code else {
                    throw try await failure(answer, of: request)
                }
                guard ["identity", nil].contains(answer.header("content-encoding")) else {
                    throw ObjectStoreError.unexpectedAnswer(
                        request.action,
                        in: place,
                        "The answer is compressed."
                    )
                }
                return try await read(answer)
            }
        } catch {
            throw storeError(error, of: request)
        }
    }

    // MARK: - Requests

    private func signed(_ request: S3Request) throws(ObjectStoreError) -> HTTPClientRequest {
        let isVirtual = configuration.addressing == .virtualHost
        let authority = configuration.endpoint.authority(
            bucket: isVirtual ? configuration.bucket : nil
        )
        var path = isVirtual ? "/" : "/\(configuration.bucket)"
        if let key = request.key {
            path += (isVirtual ? "" : "/") + configuration.prefix + key.text
        }
        var headers = [(name: "host", value: authority)]
        if let body = request.body {
            headers.append((name: "content-md5", value: body.contentMD5))
        }
        if let range = request.range { headers.append((name: "range", value: range)) }
        let hash = payloadHash(request.body)
        headers.append((name: "x-amz-content-sha256", value: hash))
        let signable = SignableRequest(
            method: request.method.rawValue,
            path: TextEncoding.percent(path, keepsSlashes: true),
            query: request.query,
            headers: headers,
            payloadHash: hash
        )
        let date = configuration.clock.date() + clockOffset.withLock { $0 }
        headers += try signer.headers(for: signable, at: date)

        let query = signable.encodedQuery
        let scheme = configuration.endpoint.isEncrypted ? "https" : "http"
        var message = HTTPClientRequest(
            url: "\(scheme)://\(authority)\(signable.path)" + (query.isEmpty ? "" : "?\(query)")
        )
        message.method = request.method
        for header in headers { message.headers.add(name: header.name, value: header.value) }
        message.body = request.body?.stream
        return message
    }

    private func payloadHash(_ body: S3Body?) -> String {
        guard let body else {
            // The hash of nothing.
            return "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        }
        return body.sha256 ?? "UNSIGNED-PAYLOAD"
    }

    // MARK: - Failures

    /// Returns the error that an answer reports.
    ///
    /// - Throws: The error of a connection that is lost within the answer, whose words would tell
    ///   apart, for example, a wrong date and a lack of permission.
    private func failure(
        _ answer: S3Answer,
        of request: S3Request
    ) async throws -> ObjectStoreError {
        var bytes: [UInt8] = []
        do {
            bytes = try await answer.bytes(limit: Self.failureLimit)
        } catch let error as ObjectStoreError where error.code == .tooLarge {
            // A failure without readable words is one as well.
        }
        let fields = S3Document(bytes)?.fields ?? [:]
        let seconds = answer.header("retry-after").flatMap(retryPause)
        return S3Failure(
            status: answer.status,
            code: fields["Code"] ?? "",
            message: fields["Message"] ?? "",
            region: answer.header("x-amz-bucket-region") ?? fields["Region"],
            retryAfter: seconds,
            serverDate: answer.date
        ).storeError(
            doing: request.action,
            key: request.key,
            in: place,
            isChange: request.isChange
        )
    }

    /// Parses the header `Retry-After`: a number of seconds, or a date.
    private func retryPause(_ text: String) -> Duration? {
        if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
        guard let date = StoreDate.fromHTTP(text) else { return nil }
        let seconds = date.timeIntervalSince(configuration.clock.date())
        return .seconds(min(max(seconds, 0), Double(UInt32.max)))
    }

    private func storeError(_ error: any Error, of request: S3Request) -> ObjectStoreError {
        switch error {
        case let error as ObjectStoreError:
            error.withUnknownOutcome(request.isChange && error.code == .timedOut)
        case is CancellationError:
            .cancelled("\(request.action) in \(place)").withUnknownOutcome(request.isChange)
        default:
            S3TransportFailure(error).storeError(doing: request.action, in: place)
                .withUnknownOutcome(request.isChange && S3TransportFailure(error).isAfterConnecting)
        }
    }
}

extension TimeAmount {
    /// Creates a time amount from a duration, clamped to about a century.
    fileprivate init(_ duration: Duration) {
        let century: Int64 = 100 * 366 * 86_400
        let seconds = min(duration.components.seconds, century)
        self = .nanoseconds(
            seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
        )
    }
}
