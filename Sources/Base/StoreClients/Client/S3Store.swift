internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
package import ObjectStorage

/// An object store in an S3 bucket, or below a key prefix in a bucket.
///
/// The service needs to support only PUT, GET with ranges, LIST version 2, DELETE and multipart
/// uploads. Each PUT and part has the header `Content-MD5`, and no other checksum.
package final class S3Store: ObjectStore {
    let connection: S3Connection
    let retrier: Retrier

    /// Creates a store without sending a request.
    ///
    /// - Throws: ``ObjectStoreError``: `invalidConfiguration` for an invalid file of certificates.
    package init(_ configuration: S3Configuration) throws(ObjectStoreError) {
        connection = try S3Connection(configuration)
        retrier = Retrier(configuration.retry)
    }

    package var place: String { connection.place }
    package var multipart: (any MultipartUploading)? { self }

    var configuration: S3Configuration { connection.configuration }

    package func close() async { await connection.close() }

    package func put(
        _ key: ObjectKey,
        from source: ObjectSource,
        mode: PutMode,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        if source.size >= configuration.multipartThreshold {
            return try await putParts(of: source, key: key, deadline: deadline)
        }
        let action = "write \(key)"
        let body = try await body(source, deadline, action)
        let request = S3Request(method: .PUT, key: key, body: body, action: action, isChange: true)
        return try await change(request, deadline: deadline)
    }

    package func delete(
        _ key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        let request = S3Request(
            method: .DELETE,
            key: key,
            action: "delete \(key)",
            isChange: true
        )
        return try await change(request, deadline: deadline)
    }

    package func get(
        _ key: ObjectKey,
        range: Range<Int64>?,
        limit: Int64,
        timeout: Duration,
        into receiver: @escaping ObjectReceiver
    ) async throws(ObjectStoreError) -> ObjectExtent {
        if let range, range.isEmpty || range.lowerBound < 0 {
            throw .rangeNotSatisfiable(key, range)
        }
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        let download = S3Download(key: key, range: range, limit: limit, receiver: receiver)
        return try await retrier.run(deadline) { _ throws(ObjectStoreError) in
            let request = S3Request(
                method: .GET,
                key: key,
                range: download.nextRange,
                action: "read \(key)",
                isChange: false
            )
            return try await connection.send(request, deadline: deadline) { [place] answer in
                try await download.receive(answer, from: place)
            }
        }
    }

    package func page(
        of prefix: ObjectPrefix,
        after key: ObjectKey?,
        limit: Int,
        timeout: Duration
    ) async throws(ObjectStoreError) -> ObjectPage {
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        let listing = S3Listing(
            storePrefix: configuration.prefix,
            prefix: prefix,
            limit: min(max(1, limit), 1000)
        )
        var mark = key.map { configuration.prefix + $0.text }
        // Pages that contain only names of other programs are passed over.
        for _ in 0..<1000 {
            let request = S3Request(
                method: .GET,
                query: listing.query(after: mark),
                action: "list \(prefix)",
                isChange: false
            )
            let page = try await retrier.run(deadline) { [mark] _ throws(ObjectStoreError) in
                try await connection.send(request, deadline: deadline) { [place] answer in
                    let bytes = try await answer.bytes(limit: S3Listing.answerLimit)
                    return try listing.page(bytes, after: mark, date: answer.date, in: place)
                }
            }
            if page.page.isLast || !page.page.objects.isEmpty { return page.page }
            mark = page.last
        }
        throw .unexpectedAnswer("list \(prefix)", in: place, "It lists only names of others.")
    }

    /// Returns a request body with its checksums.
    func body(
        _ source: ObjectSource,
        _ deadline: CallDeadline,
        _ action: String
    ) async throws(ObjectStoreError) -> S3Body {
        try await .make(
            of: source,
            isEncrypted: configuration.endpoint.isEncrypted,
            deadline: deadline,
            action: action
        )
    }

    /// Sends a request that changes the store.
    ///
    /// Repeats it after temporary failures until it is confirmed, within the limits of the retry
    /// policy and the deadline.
    ///
    /// The deletion of an object that does not exist counts as a success.
    func change(
        _ request: S3Request,
        deadline: CallDeadline
    ) async throws(ObjectStoreError) -> StoreReceipt {
        try await retrier.run(deadline) { _ throws(ObjectStoreError) in
            do throws(ObjectStoreError) {
                return try await connection.send(request, deadline: deadline) { answer in
                    // The head confirms the change; a body that is cut takes nothing back.
                    try? await answer.drain()
                    return StoreReceipt(serverDate: answer.date)
                }
            } catch {
                guard request.method == .DELETE, error.code == .notFound else { throw error }
                return StoreReceipt(serverDate: error.serverDate)
            }
        }
    }
}
