internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
internal import ObjectStorage

/// An unsigned S3 request, which each attempt signs and sends.
struct S3Request: Sendable {
    var method: HTTPMethod
    /// The key of the object; nil for requests to the bucket.
    var key: ObjectKey?
    var query: [(name: String, value: String)] = []
    /// The value of the header `Range`.
    var range: String?
    var body: S3Body?
    /// The action as text for messages, such as `write log/1/2`.
    var action: String
    /// Indicates whether the request changes the store.
    var isChange: Bool
}

/// The body of a request, with its checksums.
struct S3Body: Sendable {
    let source: ObjectSource
    let md5: MD5Digest
    /// The SHA-256 in hexadecimal; nil over TLS, which already protects the body.
    let sha256: String?

    /// Computes the necessary checksums on a thread that may block on a disk.
    static func make(
        of source: ObjectSource,
        isEncrypted: Bool,
        deadline: CallDeadline,
        action: String
    ) async throws(ObjectStoreError) -> S3Body {
        do {
            return try await deadline.run(action) {
                try await BlockingCall.run { isAbandoned in
                    let md5 = source.expectedMD5 == nil ? MessageHasher(.md5) : nil
                    let sha256 = isEncrypted ? nil : MessageHasher(.sha256)
                    if md5 != nil || sha256 != nil {
                        try source.forEachPiece(isAbandoned: isAbandoned) { piece in
                            md5?.update(piece)
                            sha256?.update(piece)
                        }
                    }
                    let digest =
                        try source.expectedMD5
                        ?? md5.flatMap {
                            try MD5Digest(bytes: $0.finish())
                        }
                    guard let digest else { throw ObjectStoreError.noDigest() }
                    return S3Body(
                        source: source,
                        md5: digest,
                        sha256: try sha256.map { TextEncoding.hexadecimal(try $0.finish()) }
                    )
                }
            }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .cancelled(action)
        }
    }

    /// The value of the header `Content-MD5`.
    var contentMD5: String { Data(md5.bytes).base64EncodedString() }

    /// The body as a stream for the HTTP client, which reads a piece whenever the connection can
    /// send one.
    var stream: HTTPClientRequest.Body {
        .stream(SourcePieces(source: source), length: .known(source.size))
    }
}

/// The pieces of a source, each of which is read on demand.
private struct SourcePieces: AsyncSequence, Sendable {
    let source: ObjectSource

    struct AsyncIterator: AsyncIteratorProtocol {
        let source: ObjectSource
        var position: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            guard position < source.size else { return nil }
            let start = position
            let piece = try await BlockingCall.run { [source] _ in
                try source.read(at: start, count: ObjectSource.pieceSize)
            }
            position += Int64(piece.count)
            return ByteBuffer(bytes: piece)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }
}
