internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import ObjectStorage

/// A successful answer whose body has not been read yet.
struct S3Answer: Sendable {
    private let response: HTTPClientResponse

    init(_ response: HTTPClientResponse) { self.response = response }

    var status: UInt { response.status.code }

    /// The time in the header `Date`, which is used to correct this computer's clock.
    var date: Date? { header("date").flatMap(StoreDate.fromHTTP) }

    /// Returns the value of a header; nil if the header is absent or occurs several times.
    func header(_ name: String) -> String? {
        let values = response.headers[name]
        return values.count == 1 ? values[0] : nil
    }

    /// The size of the body according to the header `Content-Length`; nil without a valid header.
    ///
    /// If the size is unknown, a truncated body cannot be detected.
    var contentLength: Int64? {
        guard let text = header("content-length"), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 })
        else {
            return nil
        }
        return Int64(text)
    }

    /// The pieces of the body, as they arrive.
    var pieces: HTTPClientResponse.Body { response.body }

    /// Reads the body, of at most `limit` bytes, into memory.
    ///
    /// - Throws: ``ObjectStoreError``: `tooLarge` above the limit; errors of the connection.
    func bytes(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in response.body {
            guard bytes.count + piece.readableBytes <= limit else {
                throw ObjectStoreError(
                    .tooLarge,
                    "The answer is larger than \(limit) bytes.",
                    recovery: ObjectStoreError.reportProvider
                )
            }
            bytes += piece.readableBytesView
        }
        return bytes
    }

    /// Reads and ignores a short body, so that the connection can be used again.
    func drain() async throws {
        for try await _ in response.body.prefix(16) {}
    }
}

/// A failure of the connection.
struct S3TransportFailure {
    private let cause: any Error

    init(_ cause: any Error) { self.cause = cause }

    /// Indicates whether the store may have received the request.
    var isAfterConnecting: Bool {
        switch cause {
        case let error as HTTPClientError:
            ![.connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout, .invalidURL]
                .contains(error)
        default: !isConnecting && !isCertificate
        }
    }

    func storeError(doing action: String, in place: String) -> ObjectStoreError {
        let reason = "\(cause)"
        if isCertificate {
            return ObjectStoreError(
                .insecure,
                "The store \(place) did not prove its identity, so it was not asked to \(action).",
                reason: reason,
                recovery: "Check the endpoint, the clock, and the file of certificates.",
                cause: cause
            )
        }
        // An answer that is cut is not one that violates the protocol.
        if let error = cause as? HTTPParserError, error != .invalidEOFState {
            return .unexpectedAnswer(action, in: place, reason)
        }
        let isSlow = [.readTimeout, .writeTimeout, .deadlineExceeded]
            .contains(cause as? HTTPClientError)
        return ObjectStoreError(
            isSlow ? .timedOut : .unreachable,
            "The store \(place) could not be asked to \(action).",
            reason: reason,
            recovery: "Check the connection and the endpoint, and try again.",
            cause: cause
        )
    }

    private var isConnecting: Bool { cause is NIOConnectionError || cause is IOError }
    private var isCertificate: Bool { cause is NIOSSLError || cause is NIOSSLExtraError }
}
