internal import AsyncHTTPClient
internal import FoundationEssentials
internal import NIOCore
internal import NIOHTTP1
package import ObjectStorage

extension S3Store: MultipartUploading {
    private static let maximumParts: Int64 = 10_000
    private static let answerLimit = 4 << 20

    // MARK: - Objects in parts

    /// Uploads a large object in parts, several at once, and removes the parts after a failure.
    func putParts(
        of source: ObjectSource,
        key: ObjectKey,
        deadline: CallDeadline
    ) async throws(ObjectStoreError) -> StoreReceipt {
        try await checkWhole(source, key: key, deadline: deadline)
        let upload = try await beginUpload(of: key, timeout: deadline.remaining)
        do {
            let tags = try await putParts(of: source, to: upload, deadline: deadline)
            return try await complete(
                upload,
                parts: tags,
                size: source.size,
                deadline: deadline
            )
        } catch {
            let failure = error as? ObjectStoreError ?? .cancelled("write \(key)")
            // Once the outcome of the last step is unknown, the parts may be the object's.
            if !failure.hasUnknownOutcome {
                // Another task, since this one may be canceled. What stays is aborted as stale.
                await Task {
                    try? await self.abort(upload, timeout: configuration.abortTimeout)
                }.value
            }
            throw failure
        }
    }

    /// Verifies that the whole object has the MD5 that the caller expects.
    ///
    /// The store verifies only the MD5 of each part.
    private func checkWhole(
        _ source: ObjectSource,
        key: ObjectKey,
        deadline: CallDeadline
    ) async throws(ObjectStoreError) {
        guard let expected = source.expectedMD5 else { return }
        var unchecked = source
        unchecked.expectedMD5 = nil
        let body = try await S3Body.make(
            of: unchecked,
            isEncrypted: true,
            deadline: deadline,
            action: "write \(key)"
        )
        guard body.md5 == expected else { throw .changedChecksum(key) }
    }

    private func putParts(
        of source: ObjectSource,
        to upload: UnfinishedUpload,
        deadline: CallDeadline
    ) async throws -> [String] {
        let needed = (source.size + Self.maximumParts - 1) / Self.maximumParts
        let partSize = max(configuration.partSize, needed)
        let count = Int((source.size + partSize - 1) / partSize)
        return try await withThrowingTaskGroup(of: (Int, String).self) { group in
            func start(_ index: Int) {
                let begin = Int64(index) * partSize
                let part = source.slice(begin..<min(begin + partSize, source.size))
                group.addTask { [self] in
                    let tag = try await putPart(
                        index + 1,
                        of: upload,
                        from: part,
                        timeout: deadline.remaining
                    )
                    return (index, tag)
                }
            }
            var tags = [String](repeating: "", count: count)
            var started = min(configuration.partsAtOnce, count)
            for index in 0..<started { start(index) }
            while let (index, tag) = try await group.next() {
                tags[index] = tag
                if started < count {
                    start(started)
                    started += 1
                }
            }
            return tags
        }
    }

    // MARK: - Steps

    package func beginUpload(
        of key: ObjectKey,
        timeout: Duration
    ) async throws(ObjectStoreError) -> UnfinishedUpload {
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        // An upload that begins unnoticed is aborted as stale, so it is no change to report.
        let request = S3Request(
            method: .POST,
            key: key,
            query: [(name: "uploads", value: "")],
            action: "begin the upload of \(key)",
            isChange: false
        )
        return try await retrier.run(deadline) { _ throws(ObjectStoreError) in
            try await connection.send(request, deadline: deadline) { [place] answer in
                let document = S3Document(try await answer.bytes(limit: Self.answerLimit))
                guard document?.root == "InitiateMultipartUploadResult",
                    let identifier = document?.fields["UploadId"], isIdentifier(identifier)
                else {
                    throw ObjectStoreError.unexpectedAnswer(
                        request.action,
                        in: place,
                        "It does not name the upload."
                    )
                }
                return UnfinishedUpload(identifier: identifier, key: key, started: answer.date)
            }
        }
    }

    package func putPart(
        _ number: Int,
        of upload: UnfinishedUpload,
        from source: ObjectSource,
        timeout: Duration
    ) async throws(ObjectStoreError) -> String {
        let key = try upload.uploadedKey
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        let action = "write part \(number) of \(key)"
        // A part that arrives late is not a part of any object.
        let request = S3Request(
            method: .PUT,
            key: key,
            query: [
                (name: "partNumber", value: String(number)),
                (name: "uploadId", value: upload.identifier),
            ],
            body: try await body(source, deadline, action),
            action: action,
            isChange: false
        )
        return try await retrier.run(deadline) { _ throws(ObjectStoreError) in
            try await connection.send(request, deadline: deadline) { [place] answer in
                try? await answer.drain()
                guard let tag = answer.header("etag"), isIdentifier(tag) else {
                    throw ObjectStoreError.unexpectedAnswer(action, in: place, "It has no ETag.")
                }
                return tag
            }
        }
    }

    package func complete(
        _ upload: UnfinishedUpload,
        parts: [String],
        timeout: Duration
    ) async throws(ObjectStoreError) -> StoreReceipt {
        try await complete(
            upload,
            parts: parts,
            size: nil,
            deadline: CallDeadline(timeout, clock: configuration.clock)
        )
    }

    /// Completes a multipart upload.
    ///
    /// If `size` is given, a retry that fails reads the object to find out whether an earlier
    /// attempt succeeded.
    private func complete(
        _ upload: UnfinishedUpload,
        parts: [String],
        size: Int64?,
        deadline: CallDeadline
    ) async throws(ObjectStoreError) -> StoreReceipt {
        let key = try upload.uploadedKey
        let action = "finish the upload of \(key)"
        let xml =
            "<CompleteMultipartUpload>"
            + parts.enumerated().map { index, tag in
                "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(escaped(tag))</ETag></Part>"
            }.joined() + "</CompleteMultipartUpload>"
        let request = S3Request(
            method: .POST,
            key: key,
            query: [(name: "uploadId", value: upload.identifier)],
            body: try await body(ObjectSource(Array(xml.utf8)), deadline, action),
            action: action,
            isChange: true
        )
        return try await retrier.run(deadline) { number throws(ObjectStoreError) in
            do throws(ObjectStoreError) {
                return try await connection.send(request, deadline: deadline) { [place] answer in
                    try await confirmCompletion(answer, action: action, in: place)
                }
            } catch {
                // Some services report an upload that they completed as missing, and Ceph as one
                // that is being completed, with the status 500.
                guard number > 1, let size, [.notFound, .serverFault].contains(error.code),
                    let extent = await extent(of: key, timeout: deadline.remaining),
                    extent.size == size
                else { throw error }
                return StoreReceipt(serverDate: extent.serverDate)
            }
        }
    }

    /// Reads one byte of a non-empty object to learn the object's size and the store's time;
    /// returns nil if the read fails.
    private func extent(of key: ObjectKey, timeout: Duration) async -> ObjectExtent? {
        try? await get(key, range: 0..<1, limit: 1, timeout: timeout, into: { _ in })
    }

    // MARK: - Remains

    package func abort(
        _ upload: UnfinishedUpload,
        timeout: Duration
    ) async throws(ObjectStoreError) {
        let key = try upload.uploadedKey
        let request = S3Request(
            method: .DELETE,
            key: key,
            query: [(name: "uploadId", value: upload.identifier)],
            action: "abort the upload of \(key)",
            isChange: true
        )
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        _ = try await change(request, deadline: deadline)
    }

    package func unfinishedUploads(
        below prefix: ObjectPrefix,
        timeout: Duration
    ) async throws(ObjectStoreError) -> [UnfinishedUpload] {
        let deadline = CallDeadline(timeout, clock: configuration.clock)
        var listing = S3UploadListing(storePrefix: configuration.prefix, prefix: prefix)
        while !listing.isComplete {
            let request = S3Request(
                method: .GET,
                query: listing.query,
                action: "list the unfinished uploads of \(prefix)",
                isChange: false
            )
            let bytes = try await retrier.run(deadline) { _ throws(ObjectStoreError) in
                try await connection.send(request, deadline: deadline) { answer in
                    try await answer.bytes(limit: Self.answerLimit)
                }
            }
            try listing.add(bytes, in: place)
        }
        return listing.uploads
    }
}

/// Verifies that the answer confirms the completion of an upload.
///
/// The answer may report a failure although its status is that of a success.
private func confirmCompletion(
    _ answer: S3Answer,
    action: String,
    in place: String
) async throws -> StoreReceipt {
    let document = S3Document(try await answer.bytes(limit: 64 << 10))
    if document?.root == "CompleteMultipartUploadResult" {
        return StoreReceipt(serverDate: answer.date)
    }
    if let document, document.root == "Error" {
        throw S3Failure(
            status: 500,
            code: document.fields["Code"] ?? "",
            message: document.fields["Message"] ?? "",
            serverDate: answer.date
        ).storeError(doing: action, key: nil, in: place, isChange: true)
    }
    // Cut, or not XML: the object may exist.
    throw ObjectStoreError(
        .unreachable,
        "The answer of \(place) to the request to \(action) is incomplete.",
        recovery: ObjectStoreError.tryAgain
    ).withUnknownOutcome(true)
}

/// Indicates whether an upload identifier is valid: visible ASCII characters, up to a length limit.
func isIdentifier(_ text: String) -> Bool {
    1...1024 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
}

/// Escapes text for XML.
private func escaped(_ text: String) -> String {
    text.map { character in
        switch character {
        case "<": "&lt;"
        case ">": "&gt;"
        case "&": "&amp;"
        case "\"": "&quot;"
        default: String(character)
        }
    }.joined()
}
